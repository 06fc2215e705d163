import { Badge, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../languages/translate.ts';

interface CardProps {
  title: ReactNode;
  /** What it counts, below the title. */
  note?: ReactNode;
  /** Opposite the title. */
  controls?: ReactNode;
  /** The page has filters that do not apply to this card. */
  isUnfiltered?: boolean;
  children: ReactNode;
}

/** A titled section of a page. */
export function Card({ title, note, controls, isUnfiltered = false, children }: CardProps) {
  return (
    <Stack className="surface" p={{ base: 'md', sm: 'lg' }} gap="md">
      <Group justify="space-between">
        <Group gap="sm">
          <Title order={2}>{title}</Title>
          {isUnfiltered && <Badge variant="default">{t('Not filtered')}</Badge>}
        </Group>
        {controls}
      </Group>
      {note !== undefined && (
        <Text size="sm" c="dimmed" mt="-sm">
          {note}
        </Text>
      )}
      {children}
    </Stack>
  );
}

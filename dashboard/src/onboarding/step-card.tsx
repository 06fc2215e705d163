import { Badge, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../languages/translate.ts';
import { Card } from '../shared/card.tsx';
import { Icon } from '../shared/icons.tsx';

interface StepCardProps {
  title: string;
  /** undefined: unknown. */
  isDone: boolean | undefined;
  children: ReactNode;
}

/** A step of the installation, which turns green automatically. */
export function StepCard({ title, isDone, children }: StepCardProps) {
  return (
    <Card
      title={title}
      controls={
        <Group role="status" aria-label={t('{title}: status', { title })}>
          {isDone === true && (
            <Badge variant="light" color="teal" leftSection={<Icon name="check" size={12} />}>
              {t('Done')}
            </Badge>
          )}
          {isDone === false && (
            <Badge variant="default" leftSection={<Icon name="clock" size={12} />}>
              {t('Waiting')}
            </Badge>
          )}
        </Group>
      }
    >
      {children}
    </Card>
  );
}

import { Button, Group, Progress, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../languages/translate.ts';

interface SelectionBarProps {
  count: number;
  /** The name of the bar: "Selected entries". */
  label: string;
  /** Percent of the running action. */
  progress: number | undefined;
  onClear: () => void;
  /** The actions. */
  children: ReactNode;
}

/** The number of selected rows and the actions for all of them. */
export function SelectionBar({ count, label, progress, onClear, children }: SelectionBarProps) {
  return (
    <Group className="surface" px="md" py="xs" mb="sm" role="region" aria-label={label}>
      <Text size="sm" fw={550}>
        {t('{count, number} selected', { count })}
      </Text>
      {progress !== undefined && <Progress value={progress} flex={1} aria-label={t('Progress')} />}
      {children}
      <Button variant="subtle" color="gray" size="compact-sm" onClick={onClear}>
        {t('Clear selection')}
      </Button>
    </Group>
  );
}

import { Button, Group, Progress, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface SelectionBarProps {
  count: number;
  nouns: readonly [singular: string, plural: string];
  /** Percent of the running action. */
  progress: number | undefined;
  onClear: () => void;
  /** The actions. */
  children: ReactNode;
}

/** The number of selected rows and the actions for all of them. */
export function SelectionBar({ count, nouns, progress, onClear, children }: SelectionBarProps) {
  return (
    <Group className="surface" px="md" py="xs" mb="sm" role="region" aria-label={`Selected ${nouns[1]}`}>
      <Text size="sm" fw={550}>
        {count} {nouns[count === 1 ? 0 : 1]} selected
      </Text>
      {progress !== undefined && <Progress value={progress} flex={1} aria-label="Progress" />}
      {children}
      <Button variant="subtle" color="gray" size="compact-sm" onClick={onClear}>
        Clear selection
      </Button>
    </Group>
  );
}

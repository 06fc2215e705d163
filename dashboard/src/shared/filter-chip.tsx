import { ActionIcon, Badge } from '@mantine/core';
import { Icon } from './icons.tsx';

/** An active filter with a button that removes it. */
export function FilterChip({ text, onRemove }: { text: string; onRemove: () => void }) {
  return (
    <Badge
      variant="light"
      size="lg"
      rightSection={
        <ActionIcon size="xs" color="water" aria-label={`Remove filter: ${text}`} onClick={onRemove}>
          <Icon name="close" size={12} />
        </ActionIcon>
      }
    >
      {text}
    </Badge>
  );
}

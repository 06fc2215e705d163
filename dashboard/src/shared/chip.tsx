import { ActionIcon, Badge } from '@mantine/core';
import { Icon } from './icons.tsx';

/** A filter that holds, and what takes it away. */
export function Chip({ text, onRemove }: { text: string; onRemove: () => void }) {
  return (
    <Badge
      variant="light"
      size="lg"
      tt="none"
      fw={500}
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

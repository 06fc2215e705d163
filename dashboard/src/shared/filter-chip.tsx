import { ActionIcon, Badge } from '@mantine/core';
import { t } from '../languages/translate.ts';
import { Icon } from './icons.tsx';

/** An active filter with a button that removes it. */
export function FilterChip({ text, onRemove }: { text: string; onRemove: () => void }) {
  return (
    <Badge
      variant="light"
      size="lg"
      rightSection={
        <ActionIcon size="xs" color="water" aria-label={t('Remove filter: {text}', { text })} onClick={onRemove}>
          <Icon name="close" size={12} />
        </ActionIcon>
      }
    >
      {text}
    </Badge>
  );
}

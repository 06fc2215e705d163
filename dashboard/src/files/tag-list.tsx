import { Chip, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { t } from '../languages/translate.ts';
import { formatNumber } from '../shared/formats.ts';
import { fileTagsQuery } from './queries.ts';

interface TagListProps {
  selected: string | undefined;
  onSelect: (tag: string | undefined) => void;
}

/** The tags of files: unlike folders, a file can have several. */
export function TagList({ selected, onSelect }: TagListProps) {
  const { data: tags = [] } = useQuery(fileTagsQuery());
  if (tags.length === 0 && selected === undefined) return null;
  return (
    <Group gap={6} role="group" aria-label={t('Tags')}>
      {tags.map(({ tag, files }) => (
        <Chip
          key={tag}
          size="xs"
          checked={tag === selected}
          onChange={() => onSelect(tag === selected ? undefined : tag)}
        >
          <bdi>{tag}</bdi> {formatNumber(files)}
        </Chip>
      ))}
    </Group>
  );
}

import { Group, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { entryTitleQuery, titleText } from './entry-titles.ts';

const MAX_SHOWN = 3;

/** The titles of referenced entries. */
export default function ReferenceCell({ ids }: { ids: readonly string[] }) {
  const shown = [...new Set(ids)].slice(0, MAX_SHOWN);
  const titles = useQueries({ queries: shown.map(entryTitleQuery) });
  return (
    <Group gap={6} wrap="nowrap" component="span">
      {shown.map((id, i) => (
        <Text
          key={id}
          component="span"
          size="sm"
          td={titles[i]?.data?.status === 'deleted' ? 'line-through' : undefined}
        >
          {titles[i]?.isPending ? '…' : titleText(id, titles[i]?.data)}
          {i < shown.length - 1 && ','}
        </Text>
      ))}
      {ids.length > shown.length && <span>+{ids.length - shown.length}</span>}
    </Group>
  );
}

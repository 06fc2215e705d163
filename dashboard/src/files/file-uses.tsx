import type { FileWithUses } from '@headwater/sdk';
import { Anchor, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { collectionQuery } from '../content/queries.ts';
import { nameOfEntry } from '../content/value-text.tsx';
import { headwater } from '../service/session.ts';
import { formatTime } from '../shared/formats.ts';

/** As many are named; each is looked up. */
const NAMED = 12;

/** The entries that show a file, by their names. */
export function FileUses({ file: { usedBy, usedByCount, unusedSince } }: { file: FileWithUses }) {
  if (usedByCount === 0) {
    return (
      <Text size="sm" c="dimmed">
        Nowhere{unusedSince ? ` since ${formatTime(unusedSince)}` : ''}.
      </Text>
    );
  }
  const named = usedBy.slice(0, NAMED);
  return (
    <Stack gap={4}>
      {named.map((use) => (
        <Use key={use.entryId} {...use} />
      ))}
      {usedByCount > named.length && (
        <Text size="sm" c="dimmed">
          and {usedByCount - named.length} more
        </Text>
      )}
    </Stack>
  );
}

function Use({ collectionId, entryId, status }: FileWithUses['usedBy'][number]) {
  const collection = useQuery(collectionQuery(collectionId));
  const entry = useQuery({
    queryKey: ['entry of a file', collectionId, entryId],
    queryFn: ({ signal }) => headwater.getEntry({ collectionId, entryId, includeDeleted: true }, { signal }),
  });
  const isKnown = collection.data && entry.data;
  return (
    <Anchor component={Link} to={`/content/${collectionId}/${entryId}`} size="sm">
      {isKnown ? `${collection.data.name}: ${nameOfEntry(collection.data, entry.data)}` : `Entry ${entryId.slice(-8)}`}
      {status === 'deleted' ? ' (deleted)' : ''}
    </Anchor>
  );
}

import type { FileWithUses } from '@headwater/sdk';
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { entryTitle } from '../content/entry-title.ts';
import { fallbackTitle } from '../content/fallback-title.ts';
import { collectionQuery } from '../content/queries.ts';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { formatDateTime } from '../shared/formats.ts';
import { TextLink } from '../shared/text-link.tsx';

/** Each listed entry costs a request. */
const MAX_LISTED = 12;

/** The entries that use a file. */
export function FileUses({ file: { usedBy, usedByCount, unusedSince } }: { file: FileWithUses }) {
  if (usedByCount === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('Unused{unusedSince}', {
          unusedSince: unusedSince ? ` ${t('since {unusedSince}', { unusedSince: formatDateTime(unusedSince) })}` : '',
        })}
      </Text>
    );
  }
  const listed = usedBy.slice(0, MAX_LISTED);
  return (
    <Stack gap={4}>
      {listed.map((use) => (
        <Use key={use.entryId} {...use} />
      ))}
      {usedByCount > listed.length && (
        <Text size="sm" c="dimmed">
          {t('and {usedByCount} more', { usedByCount: usedByCount - listed.length })}
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
  const isLoaded = collection.data && entry.data;
  return (
    <TextLink to={`/content/${collectionId}/${entryId}`}>
      {isLoaded ? `${collection.data.name}: ${entryTitle(collection.data, entry.data)}` : fallbackTitle(entryId)}
      {status === 'deleted' ? ` ${t('(deleted)')}` : ''}
    </TextLink>
  );
}

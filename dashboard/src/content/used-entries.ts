import type { Collection, Entry } from '@headwater/sdk';
import { queryClient } from '../service/query-client.ts';
import { forEachConcurrently } from '../shared/for-each-concurrently.ts';
import { collectionsQuery, usagesQuery } from './queries.ts';

/** The entries of a collection that entries other than these reference. */
export async function findUsedEntries(
  collectionId: string,
  entries: readonly Entry[],
  onProgress: (percent: number) => void,
): Promise<Entry[]> {
  const collections = await queryClient.fetchQuery(collectionsQuery());
  if (!collections.some(({ fields }) => canReference(fields, collectionId))) return [];
  const ids = new Set(entries.map(({ id }) => id));
  const used = new Set<Entry>();
  const check = async (entry: Entry) => {
    const { usages, nextPageToken } = await queryClient.fetchQuery(usagesQuery(collectionId, entry.id));
    if (nextPageToken !== null || usages.some(({ entryId }) => !ids.has(entryId))) used.add(entry);
  };
  const { failure } = await forEachConcurrently(entries, check, onProgress);
  if (failure) throw failure;
  return entries.filter((entry) => used.has(entry));
}

type ReferenceField = Pick<Collection['fields'][number], 'collectionIds'> & { fields?: ReferenceField[] | null };

const canReference = (fields: readonly ReferenceField[], collectionId: string): boolean =>
  fields.some((field) => field.collectionIds?.includes(collectionId) || canReference(field.fields ?? [], collectionId));

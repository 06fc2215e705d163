import type { Collection, Entry } from '@headwater/sdk';
import { queryOptions } from '@tanstack/react-query';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';
import { formatNumber } from '../shared/formats.ts';
import { pagedQuery } from '../shared/paged-query.ts';
import type { TableState } from './table-state.ts';

export const collectionsQuery = () =>
  queryOptions({
    queryKey: ['collections'],
    queryFn: ({ signal }) => headwater.listCollections({ pageSize: 100 }, { signal }).all(),
  });

export const componentsQuery = () =>
  queryOptions({
    queryKey: ['components'],
    queryFn: ({ signal }) => headwater.listComponents({ signal }).then(({ components }) => components),
  });

/** The number of entries of each collection. */
export const entryCountsQuery = () =>
  queryOptions({
    queryKey: ['entry counts'],
    queryFn: async ({ signal }) => {
      const { counts } = await headwater.countEntries({ signal });
      return new Map(counts.map(({ collectionId, entries }) => [collectionId, entries]));
    },
  });

/** The service counts up to this many. */
const MAX_COUNT = 10_000;

export const formatCount = (count: number) => `${formatNumber(count)}${count === MAX_COUNT ? '+' : ''}`;

export const collectionQuery = (collectionId: string) =>
  queryOptions({
    queryKey: ['collection', collectionId],
    queryFn: ({ signal }) => headwater.getCollection({ collectionId }, { signal }),
  });

/** @param columns the fields whose values are returned */
export const entriesQuery = (collectionId: string, { sort, q, where }: TableState, columns: readonly string[]) =>
  pagedQuery(
    ['entries', collectionId, sort, q, where, columns],
    (pageToken, signal) =>
      headwater.listEntries(
        {
          ...{ collectionId, pageToken, sort, q },
          ...(where && { where: JSON.stringify(where) }),
          ...(columns.length > 0 && { select: columns.join(',') }),
        },
        { signal },
      ),
    ({ entries }) => entries,
  );

/** Entries in the order that people gave them; of a tree those at the top, with those below them. */
export const treeQuery = (collectionId: string, isTree: boolean) =>
  pagedQuery(
    ['entries', collectionId, 'tree', isTree],
    (pageToken, signal) =>
      headwater.listEntries(
        { collectionId, pageToken, sort: 'position:asc', ...(isTree && { tree: true, depth: TREE_DEPTH }) },
        { signal },
      ),
    ({ entries }) => entries,
  );

const TREE_DEPTH = 10;

export const singletonQuery = (collectionId: string) =>
  queryOptions({
    queryKey: ['singleton', collectionId],
    queryFn: ({ signal }) => headwater.getSingleton({ collectionId }, { signal }),
  });

export const entryQuery = (collectionId: string, entryId: string) =>
  queryOptions({
    queryKey: ['entry', collectionId, entryId],
    queryFn: ({ signal }) => headwater.getEntry({ collectionId, entryId, includeDeleted: true }, { signal }),
    // A refetch would replace the values of a form while somebody edits them.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

export type UsagePage = Awaited<ReturnType<typeof headwater.listEntryUsages>>;

/** The first entries that reference an entry. */
export const usagesQuery = (collectionId: string, entryId: string) =>
  queryOptions({
    queryKey: ['usages', collectionId, entryId],
    queryFn: async ({ signal }) =>
      await headwater.listEntryUsages({ collectionId, entryId, includeDeleted: true, pageSize: 20 }, { signal }),
    staleTime: 0,
  });

export const versionsQuery = (collectionId: string, entryId: string) => ({
  ...pagedQuery(
    ['versions', collectionId, entryId],
    (pageToken, signal) =>
      headwater.listEntryVersions({ collectionId, entryId, includeDeleted: true, pageToken }, { signal }),
    ({ versions }) => versions,
  ),
  staleTime: 0,
});

export const versionQuery = (collectionId: string, entryId: string, version: number) =>
  queryOptions({
    queryKey: ['version', collectionId, entryId, version],
    queryFn: ({ signal }) =>
      headwater.getEntryVersion({ collectionId, entryId, version: String(version), includeDeleted: true }, { signal }),
  });

export const deletedEntriesQuery = (collectionId: string) => ({
  ...pagedQuery(
    ['trash', collectionId],
    (pageToken, signal) => headwater.listDeletedEntries({ collectionId, pageToken }, { signal }),
    ({ entries }) => entries,
  ),
  staleTime: 0,
});

export const deletedCollectionsQuery = () => ({
  ...pagedQuery(
    ['trash'],
    (pageToken, signal) => headwater.listDeletedCollections({ pageToken }, { signal }),
    ({ collections }) => collections,
  ),
  staleTime: 0,
});

/** After a collection changed; without one, after several did. */
export function invalidateCollections(changed?: Collection): void {
  if (changed) queryClient.setQueryData(['collection', changed.id], changed);
  else void queryClient.invalidateQueries({ queryKey: ['collection'] });
  void queryClient.invalidateQueries({ queryKey: ['collections'] });
  void queryClient.invalidateQueries({ queryKey: ['entry counts'] });
  void queryClient.invalidateQueries({ queryKey: ['trash'], exact: true });
  void queryClient.invalidateQueries({ queryKey: changed ? ['entries', changed.id] : ['entries'] });
}

/** After an entry changed; without one, after several did. */
export function invalidateEntries(collectionId: string, changed?: Entry): void {
  if (changed) queryClient.setQueryData(['entry', collectionId, changed.id], changed);
  void queryClient.invalidateQueries({ queryKey: ['entries', collectionId] });
  void queryClient.invalidateQueries({ queryKey: ['entry counts'] });
  void queryClient.invalidateQueries({ queryKey: ['trash', collectionId] });
  void queryClient.invalidateQueries({ queryKey: ['entry title'] });
  void queryClient.invalidateQueries({ queryKey: ['usages'] });
}

export function invalidateVersions(collectionId: string, entryId: string): void {
  void queryClient.invalidateQueries({ queryKey: ['versions', collectionId, entryId] });
}

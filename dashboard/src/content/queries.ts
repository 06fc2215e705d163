import type { Collection, Entry } from '@headwater/sdk';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';
import { filterOf, type TableState } from './table-state.ts';

export const collectionsQuery = () =>
  queryOptions({
    queryKey: ['collections'],
    queryFn: ({ signal }) => headwater.listCollections({ pageSize: 100 }, { signal }).all(),
  });

export const collectionQuery = (collectionId: string) =>
  queryOptions({
    queryKey: ['collection', collectionId],
    queryFn: ({ signal }) => headwater.getCollection({ collectionId }, { signal }),
  });

export const entriesQuery = (collection: Collection, state: TableState) =>
  infiniteQueryOptions({
    queryKey: ['entries', collection.id, state],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) =>
      headwater.listEntries(
        {
          collectionId: collection.id,
          pageSize: 50,
          pageToken: pageParam,
          sort: state.sort,
          q: state.q,
          filter: filterOf(state.filters ?? []),
        },
        { signal },
      ),
    getNextPageParam: (page) => page.nextPageToken ?? undefined,
  });

export const entryQuery = (collectionId: string, entryId: string) =>
  queryOptions({
    queryKey: ['entry', collectionId, entryId],
    queryFn: ({ signal }) => headwater.getEntry({ collectionId, entryId, includeDeleted: true }, { signal }),
    // A form is not to change under the hands of whoever fills it in.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

export const versionsQuery = (collectionId: string, entryId: string) =>
  infiniteQueryOptions({
    queryKey: ['versions', collectionId, entryId],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) =>
      headwater.listEntryVersions({ collectionId, entryId, includeDeleted: true, pageToken: pageParam }, { signal }),
    getNextPageParam: (page) => page.nextPageToken ?? undefined,
    staleTime: 0,
  });

export const versionQuery = (collectionId: string, entryId: string, version: number) =>
  queryOptions({
    queryKey: ['version', collectionId, entryId, version],
    queryFn: ({ signal }) =>
      headwater.getEntryVersion({ collectionId, entryId, version: String(version), includeDeleted: true }, { signal }),
  });

export const deletedEntriesQuery = (collectionId: string) =>
  infiniteQueryOptions({
    queryKey: ['trash', collectionId],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) =>
      headwater.listDeletedEntries({ collectionId, pageToken: pageParam }, { signal }),
    getNextPageParam: (page) => page.nextPageToken ?? undefined,
    staleTime: 0,
  });

export const deletedCollectionsQuery = () =>
  infiniteQueryOptions({
    queryKey: ['trash'],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => headwater.listDeletedCollections({ pageToken: pageParam }, { signal }),
    getNextPageParam: (page) => page.nextPageToken ?? undefined,
    staleTime: 0,
  });

/** What a change of a collection makes old. */
export function forgetCollections(collection?: Collection): void {
  if (collection) queryClient.setQueryData(['collection', collection.id], collection);
  else void queryClient.invalidateQueries({ queryKey: ['collection'] });
  void queryClient.invalidateQueries({ queryKey: ['collections'] });
  void queryClient.invalidateQueries({ queryKey: ['trash'], exact: true });
  void queryClient.invalidateQueries({ queryKey: collection ? ['entries', collection.id] : ['entries'] });
}

/** What a change of an entry makes old. */
export function forgetEntries(collectionId: string, entry?: Entry): void {
  if (entry) queryClient.setQueryData(['entry', collectionId, entry.id], entry);
  void queryClient.invalidateQueries({ queryKey: ['entries', collectionId] });
  void queryClient.invalidateQueries({ queryKey: ['trash', collectionId] });
}

/** Somebody else made a version of an entry. */
export function forgetVersions(collectionId: string, entryId: string): void {
  void queryClient.invalidateQueries({ queryKey: ['versions', collectionId, entryId] });
}

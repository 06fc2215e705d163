import type { Import, Job } from '@headwater/sdk';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';

const POLL_MS = 700;

export const isUnderWay = ({ status }: Import) =>
  status === 'rehearsing' || status === 'importing' || status === 'undoing';

export const isJobUnderWay = ({ status }: Job) => status === 'queued' || status === 'running';

export const importQuery = (collectionId: string, importId: string) =>
  queryOptions({
    queryKey: ['import', collectionId, importId],
    queryFn: ({ signal }) => headwater.getImport({ collectionId, importId }, { signal }),
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? POLL_MS : false),
  });

export const importsQuery = (collectionId: string) =>
  infiniteQueryOptions({
    queryKey: ['imports', collectionId],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) =>
      headwater.listImports({ collectionId, pageSize: 10, pageToken: pageParam }, { signal }),
    getNextPageParam: (page) => page.nextPageToken ?? undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ imports }) => imports.some(isUnderWay)) ? POLL_MS : false,
  });

/** Exports of entries of all collections: the last ones. */
export const exportsQuery = () =>
  queryOptions({
    queryKey: ['jobs', 'export_entries'],
    queryFn: async ({ signal }) =>
      (await headwater.listJobs({ type: 'export_entries', pageSize: 50 }, { signal })).jobs,
    refetchInterval: ({ state }) => (state.data?.some(isJobUnderWay) ? POLL_MS : false),
  });

/** Takes up what a step of an import has answered. */
export function keepImport(answer: Import): void {
  queryClient.setQueryData(['import', answer.collectionId, answer.id], answer);
  void queryClient.invalidateQueries({ queryKey: ['imports', answer.collectionId] });
}

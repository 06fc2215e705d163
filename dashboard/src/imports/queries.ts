import type { Import, Job } from '@headwater/sdk';
import { queryOptions } from '@tanstack/react-query';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';
import { pagedQuery } from '../shared/paged-query.ts';

const POLL_MS = 700;

export const isRunning = ({ status }: Import): boolean =>
  status === 'dry_running' || status === 'importing' || status === 'undoing';

export const isJobRunning = ({ status }: Job): boolean => status === 'queued' || status === 'running';

export const importQuery = (collectionId: string, importId: string) =>
  queryOptions({
    queryKey: ['import', collectionId, importId],
    queryFn: ({ signal }) => headwater.getImport({ collectionId, importId }, { signal }),
    refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? POLL_MS : false),
  });

export const importsQuery = (collectionId: string) =>
  pagedQuery(
    ['imports', collectionId],
    (pageToken, signal) => headwater.listImports({ collectionId, pageSize: 10, pageToken }, { signal }),
    ({ imports }) => imports,
    (imports) => (imports.some(isRunning) ? POLL_MS : false),
  );

/** The latest exports of entries, of all collections. */
export const exportsQuery = () =>
  queryOptions({
    queryKey: ['jobs', 'export_entries'],
    queryFn: async ({ signal }) =>
      (await headwater.listJobs({ type: 'export_entries', pageSize: 50 }, { signal })).jobs,
    refetchInterval: ({ state }) => (state.data?.some(isJobRunning) ? POLL_MS : false),
  });

/** After a step of an import started. */
export function cacheImport(changed: Import): void {
  queryClient.setQueryData(['import', changed.collectionId, changed.id], changed);
  void queryClient.invalidateQueries({ queryKey: ['imports', changed.collectionId] });
}

import { queryOptions } from '@tanstack/react-query';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';

const POLL_MS = 5_000;
const PROGRESS_MS = 1_000;

export const warehousesQuery = () =>
  queryOptions({
    queryKey: ['warehouses'],
    queryFn: ({ signal }) => headwater.listWarehouses({ pageSize: 100 }, { signal }).all(),
    refetchInterval: POLL_MS,
  });

/** An export that was started here, until it ends. */
export const exportQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['job', jobId],
    queryFn: ({ signal }) => headwater.getJob({ id: jobId }, { signal }),
    refetchInterval: ({ state }) => (state.data?.finishedAt ? false : PROGRESS_MS),
  });

export const refreshWarehouses = () => queryClient.invalidateQueries({ queryKey: ['warehouses'] });

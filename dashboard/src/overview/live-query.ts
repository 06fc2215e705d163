import { queryOptions } from '@tanstack/react-query';
import { headwater } from '../service/session.ts';

/** Current visitors and the latest visits and events. Polls only while it is shown. */
export const liveQuery = () =>
  queryOptions({
    queryKey: ['live'],
    queryFn: ({ signal }) => headwater.getLive({ signal }),
    refetchInterval: 4_000,
  });

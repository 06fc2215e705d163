import { queryOptions } from '@tanstack/react-query';
import { MINUTE } from '../../../server/src/shared/units.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';

const POLL_MS = MINUTE;

/** All alerts of an account, of which there are few. */
export const alertsQuery = () =>
  queryOptions({
    queryKey: ['alerts'],
    queryFn: async ({ signal }) => (await headwater.listAlerts({ pageSize: 100 }, { signal })).alerts,
    refetchInterval: POLL_MS,
  });

export function invalidateAlerts(): void {
  void queryClient.invalidateQueries({ queryKey: ['alerts'] });
  void queryClient.invalidateQueries({ queryKey: ['attention'] });
}

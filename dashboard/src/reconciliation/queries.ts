import type { Reconciliation } from '@headwater/sdk';
import { queryOptions } from '@tanstack/react-query';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';
import { pagedQuery } from '../shared/paged-query.ts';
import type { Outcome } from './labels.ts';

const POLL_MS = 700;

export const isBusy = ({ status }: Reconciliation) => ['matching', 'applying', 'undoing'].includes(status);

export const reconciliationsQuery = () =>
  pagedQuery(
    ['reconciliations'],
    (pageToken, signal) => headwater.listReconciliations({ pageSize: 20, pageToken }, { signal }),
    ({ reconciliations }) => reconciliations,
    (all) => (all.some(isBusy) ? POLL_MS : false),
  );

export const reconciliationQuery = (reconciliationId: string) =>
  queryOptions({
    queryKey: ['reconciliation', reconciliationId],
    queryFn: ({ signal }) => headwater.getReconciliation({ reconciliationId }, { signal }),
    refetchInterval: ({ state }) => (state.data && isBusy(state.data) ? POLL_MS : false),
  });

/** @param status its lines change with it */
export const linesQuery = (reconciliationId: string, outcome: Outcome, status: string) =>
  pagedQuery(
    ['reconciliation lines', reconciliationId, outcome, status],
    (pageToken, signal) =>
      headwater.listReconciliationLines({ reconciliationId, outcome, pageSize: 50, pageToken }, { signal }),
    ({ lines }) => lines,
  );

export function cacheReconciliation(changed: Reconciliation): void {
  queryClient.setQueryData(reconciliationQuery(changed.id).queryKey, changed);
  void queryClient.invalidateQueries({ queryKey: ['reconciliations'] });
}

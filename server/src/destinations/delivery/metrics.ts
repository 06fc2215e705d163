import type { Deps } from '../../shared/deps.ts';
import type { OutcomeRow } from './queries.ts';

export interface Metrics {
  request(platform: string, result: string): void;
  outcomes(platform: string, rows: readonly OutcomeRow[]): void;
}

/** Counts requests and what became of conversions, by platform. */
export function destinationMetrics({ metrics }: Pick<Deps, 'metrics'>): Metrics {
  const requests = metrics.counter(
    'headwater_destination_requests_total',
    'Requests to ad platforms by what their response says',
    ['platform', 'result'],
  );
  const deliveries = metrics.counter(
    'headwater_destination_deliveries_total',
    'Conversions by their resulting status; queued: to be tried again',
    ['platform', 'status'],
  );
  return {
    request: (platform, result) => requests.labels(platform, result).inc(),
    outcomes(platform, rows) {
      for (const [status, group] of Map.groupBy(rows, (row) => row.status ?? (row.due_at === null ? null : 'queued'))) {
        if (status !== null) deliveries.labels(platform, status).inc(group.length);
      }
    },
  };
}

import type { Metrics } from '../metrics.ts';
import type { Database } from './database.ts';

/** Counts the connections of a pool, together with those of the other cells. */
export function poolMetrics(metrics: Metrics, { pool }: Database): void {
  metrics.gauge('headwater_database_connections', 'Connections of the pools', () => pool.totalCount);
  metrics.gauge('headwater_database_connections_idle', 'Idle connections of the pools', () => pool.idleCount);
  metrics.gauge('headwater_database_waiting', 'Requests waiting for a connection', () => pool.waitingCount);
}

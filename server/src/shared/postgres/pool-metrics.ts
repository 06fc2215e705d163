import type { Metrics } from '../metrics.ts';
import type { Database } from './database.ts';

/** Counts the connections of a pool, together with those of the other cells. */
export function poolMetrics(metrics: Metrics, db: Database): void {
  metrics.gauge('headwater_database_connections', 'Connections of the pools', () => db.connections.open);
  metrics.gauge('headwater_database_connections_idle', 'Idle connections of the pools', () => db.connections.idle);
  metrics.gauge('headwater_database_waiting', 'Requests waiting for a connection', () => db.connections.waiting);
}

import type pg from 'pg';

/** Runs queries: the pool (each query in its own transaction) or the client of one transaction. */
export interface Tx extends Pick<pg.ClientBase, 'query'> {
  /** Whether a node of a Citus cluster has the tables. */
  readonly isDistributed?: boolean;
}

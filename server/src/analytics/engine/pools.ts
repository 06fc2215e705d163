import pg from 'pg';
import { MINUTE } from '../../shared/units.ts';

export interface EngineConnections {
  primary: pg.PoolConfig;
  replica: pg.PoolConfig | undefined;
  /** Whether a node of a Citus cluster has the tables: it has no snapshot that several connections could share. */
  isDistributed?: boolean;
  /** Of the service's `BusyWatch`. */
  busy?: Int32Array;
}

/** Milliseconds. */
const PRIMARY_TIMEOUTS = { connectionTimeoutMillis: 5_000, statement_timeout: 15_000 };
/** The primary needs time as well if the replica fails. */
export const REPLICA_TIMEOUTS = { connectionTimeoutMillis: 1_000, statement_timeout: 5_000 };

export function openPool(connection: pg.PoolConfig, timeouts = PRIMARY_TIMEOUTS): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    ...timeouts,
    types: TYPES,
    application_name: 'headwater-reports',
    max: 4,
    idleTimeoutMillis: MINUTE,
  });
  pool.on('error', () => {});
  return pool;
}

/** Like the service's pool, reads int8 as a number: session numbers and versions are safe integers. */
const TYPES: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')) as never,
};

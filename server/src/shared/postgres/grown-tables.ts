import type { Logger } from '../log.ts';
import { type Worker, workerLoop } from '../worker-loop.ts';
import type { Database } from './database.ts';
import { statement } from './statement.ts';
import type { Tx } from './tx.ts';

const CHECK_INTERVAL_MS = 2_000;

/**
 * Whether a table has four times the rows that PostgreSQL counted last. Below a thousand every plan is fast. Rows that are not committed do not count:
 * PostgreSQL would count their pages without them, and then take the table for empty.
 */
const HAS_GROWN = `c.relkind = 'r' and c.relnamespace = (select oid from pg_namespace where nspname = current_schema())
  and pg_stat_get_live_tuples(c.oid) >= 4 * greatest(c.reltuples, 250)`;

const listGrownTables = statement('tables.list_grown', {}).returns<{ name: string }>(
  `select format('%I', c.relname) as name from pg_class c where ${HAS_GROWN}`,
);

/**
 * Analyzes tables that have grown fourfold, so that connections replace the plans of their statements. A plan that was made while a table was empty
 * may read all rows of an account to find one, as all indexes of an empty table cost the same. Autovacuum runs once a minute, and an import stores
 * tens of thousands of rows in that time.
 */
export function analyzeGrownTables({ db, log }: { db: Database; log: Logger }): Worker {
  const run = async () => {
    // Citus keeps the rows on other servers.
    if (db.isDistributed) return;
    for (const { name } of await listGrownTables(db)) await db.query(`analyze (skip_locked) ${name}`);
  };
  return workerLoop({ name: 'analyze tables that have grown', log, everyMs: CHECK_INTERVAL_MS, run });
}

/** Analyzes tables that have grown for a transaction that processes many rows, and makes new plans for its statements. */
export async function planAnew(tx: Tx): Promise<void> {
  const names = (await listGrownTables(tx)).map(({ name }) => name);
  if (names.length > 0) await tx.query(`analyze (skip_locked) ${names}; set local plan_cache_mode = force_custom_plan`);
}

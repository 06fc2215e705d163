import type { Database } from '../../shared/postgres/database.ts';

/** Up to this many rows are counted; of more, PostgreSQL's statistics name the accounts that have most. */
const MAX_COUNTED = 200_000;

/** Visits and events, or other rows, of the accounts of a cell that have most of them, by account; those of large cells are estimates. */
export async function findLargestAccounts(db: Database, tables = ['visits', 'events']): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const table of tables) {
    for (const { account_id, count } of await countRows(db, table)) {
      found.set(account_id, (found.get(account_id) ?? 0) + count);
    }
  }
  return found;
}

async function countRows(db: Database, table: string): Promise<{ account_id: string; count: number }[]> {
  const { rows: known } = await db.query('select reltuples::float as rows from pg_class where oid = $1::regclass', [
    table,
  ]);
  if (known[0].rows > MAX_COUNTED) {
    const { rows } = await db.query(
      `select unnest(most_common_vals::text::uuid[]) as account_id, round(unnest(most_common_freqs) * $2)::bigint as count
       from pg_stats where schemaname = current_schema() and tablename = $1 and attname = 'account_id'`,
      [table, known[0].rows],
    );
    return rows;
  }
  const { rows } = await db.query(
    `select account_id, count(*) from (select account_id from ${table} limit ${MAX_COUNTED}) t group by account_id`,
  );
  return rows;
}

import pg from 'pg';
import type { Column, Source } from './datasets.ts';

/** The rows to export. */
export interface Selection {
  accountId: string;
  source: Source;
  columns: Column[];
  from: string | null;
  to: string | null;
}

/**
 * For this connection alone. A page is small against the sessions of an account: those of its rows are looked up by the
 * index, never read whole for each page.
 */
export const PREPARE = `set application_name = 'headwater-export';
  set enable_hashjoin = off; set enable_mergejoin = off; set jit = off; set max_parallel_workers_per_gather = 0`;

interface KeyRow {
  key: string;
}

/** The first or last key of the account. */
export async function findEnd(client: pg.ClientBase, { accountId, source }: Selection, order: 'asc' | 'desc') {
  const { rows } = await client.query<KeyRow>(
    `select t.${source.key}::text as key from ${source.table} t where t.account_id = $1
     order by t.${source.key} ${order} limit 1`,
    [accountId],
  );
  return rows[0]?.key;
}

/** The key `size` rows after `after`, or undefined where fewer are left up to `last`. From the index alone. */
export async function findPageEnd(
  client: pg.ClientBase,
  { accountId, source }: Selection,
  after: string,
  last: string,
  size: number,
) {
  const { rows } = await client.query<KeyRow>(
    `select t.${source.key}::text as key from ${source.table} t
     where t.account_id = $1 and t.${source.key} > $2 and t.${source.key} <= $3
     order by t.${source.key} offset $4 limit 1`,
    [accountId, after, last, size - 1],
  );
  return rows[0]?.key;
}

/** The rows after one key, up to another. COPY takes no parameters, so the values stand in the text. */
export function selectPage({ accountId, source, columns, from, to }: Selection, after: string, end: string): string {
  const quote = pg.escapeLiteral;
  const key = `t.${source.key}`;
  const conditions = [`t.account_id = ${quote(accountId)}`, `${key} > ${quote(after)}`, `${key} <= ${quote(end)}`];
  if (from !== null) conditions.push(`t.${source.time} >= ${quote(from)}`);
  if (to !== null) conditions.push(`t.${source.time} < ${quote(to)}`);
  return `select ${columns.map((column) => column.sql).join(', ')} from ${source.table} t ${source.joins}
    where ${conditions.join(' and ')} order by ${key}`;
}

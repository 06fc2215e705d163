import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { newRowsCondition } from '../../analytics/index.ts';
import { BY_INDEX } from '../../shared/postgres/database.ts';
import { isLockTimeout } from '../../shared/postgres/database-errors.ts';
import { sendTogether } from '../../shared/postgres/driver/message.ts';
import { isCopied, keepsRows, type MovedTable, quoted } from './tables.ts';
import { PASS_TRIGGERS, passing, type WatchState } from './watch.ts';

/** Both sides of a move, by connections that nothing else uses. */
export interface Sides {
  from: { name: string; client: pg.ClientBase };
  to: { name: string; client: pg.ClientBase };
}

/** Rows that an aggregation run has seen, and rows that it must not see before the switch. */
export const AGGREGATED = 0;

const ANALYZE_LOCK_MS = 2_000;

/** Rows are compared as text. */
const SAME_TEXTS = [
  "set local timezone = 'UTC'",
  "set local datestyle = 'ISO, MDY'",
  "set local intervalstyle = 'postgres'",
  "set local bytea_output = 'hex'",
  'set local extra_float_digits = 1',
];

const selected = ({ name, columns }: MovedTable, accountId: string) =>
  `select ${columns.join(', ')} from ${quoted(name)} t where t.account_id = '${accountId}'`;

async function copyRows(from: pg.ClientBase, to: pg.ClientBase, sql: string, into: string): Promise<void> {
  await pipeline(
    from.query(copyTo(`copy (${sql}) to stdout (format binary)`)),
    to.query(copyFrom(`copy ${into} from stdin (format binary)`)),
  );
}

/** Copies an account from one snapshot in one transaction, and compares the result. Rows of an earlier attempt are deleted before. */
export async function copyAccount(sides: Sides, accountId: string, tables: readonly MovedTable[]): Promise<void> {
  const { from, to } = sides;
  const copied: MovedTable[] = [];
  await inBoth(sides, accountId, async () => {
    for (const table of tables) {
      if (table.isLate || !isCopied(from.name, table)) continue;
      if ((await copyTable(sides, accountId, table)) > 0) copied.push(table);
    }
    // Changes that were recorded before the snapshot are in it.
    await from.client.query('delete from moved_changes where account_id = $1', [accountId]);
  });
  // Otherwise the planner takes these rows for few, and compares each with each key that changes.
  await to.client.query(`set lock_timeout = ${ANALYZE_LOCK_MS}`);
  for (const { name } of copied) await to.client.query(`analyze ${quoted(name)}`).catch(ignoreLockTimeout);
  await to.client.query('set lock_timeout = 0');
}

/** A vacuum, which has the lock, also updates what the planner knows. */
function ignoreLockTimeout(error: unknown): void {
  if (!isLockTimeout(error)) throw error;
}

/**
 * Runs `work` in a transaction on each side, that of the old cell on one snapshot. It ends last: if it fails, its changes are applied
 * again. A process that carried out the move, and does not know that another one has finished it, changes nothing.
 */
export async function inBoth<T>({ from, to }: Sides, accountId: string, work: () => Promise<T>): Promise<T> {
  const begin = (client: pg.ClientBase, text: string) =>
    sendTogether(
      client,
      [text, ...PASS_TRIGGERS, ...SAME_TEXTS].map((each) => ({ text: each })),
    );
  try {
    await Promise.all([begin(from.client, 'begin isolation level repeatable read'), begin(to.client, 'begin')]);
    const { rowCount } = await to.client.query(
      "select from moving_accounts where account_id = $1 and state in ('arriving', 'fenced') for share",
      [accountId],
    );
    if (rowCount === 0) throw new Error('another process has finished the move');
    const result = await work();
    await to.client.query('commit');
    await from.client.query('commit');
    return result;
  } catch (error) {
    await to.client.query('rollback').catch(() => {});
    await from.client.query('rollback').catch(() => {});
    throw error;
  }
}

/** Replaces the rows of a table. Those of the other cell that stay there are added to. */
export async function copyTable(sides: Sides, accountId: string, table: MovedTable): Promise<number> {
  const { from, to } = sides;
  const { name, columns } = table;
  const isMerged = keepsRows(to.name, table);
  const source = selected(table, accountId);
  if (isMerged) {
    await to.client.query(`create temporary table merged_rows on commit drop as ${source} limit 0`);
    await copyRows(from.client, to.client, source, `merged_rows (${columns.join(', ')})`);
    await to.client.query(
      `insert into ${quoted(name)} (${columns.join(', ')}) select ${columns.join(', ')} from merged_rows on conflict do nothing`,
    );
    await to.client.query('drop table merged_rows');
    return 0;
  }
  await to.client.query(`delete from ${quoted(name)} where account_id = $1`, [accountId]);
  await copyRows(from.client, to.client, withInsertedId(table, source), intoTable(table));
  return compare(sides, table, source, source);
}

export const intoTable = ({ name, columns, hasInsertedId }: MovedTable) =>
  `${quoted(name)} (${columns.join(', ')}${hasInsertedId ? ', inserted_xid' : ''})`;

const withInsertedId = ({ hasInsertedId }: MovedTable, source: string) =>
  hasInsertedId ? `select rows.*, ${AGGREGATED}::bigint from (${source}) rows` : source;

/** @throws Error if the rows differ */
async function compare({ from, to }: Sides, table: MovedTable, source: string, target: string): Promise<number> {
  const digest = async (client: pg.ClientBase, sql: string): Promise<{ rows: number; digest: string }> => {
    const { rows } = await client.query(
      `select count(*)::int as rows, coalesce(sum(hashtextextended(row(t.*)::text, 0)::numeric), 0)::text as digest
       from (${sql}) t`,
    );
    return rows[0];
  };
  const [expected, copied] = await Promise.all([digest(from.client, source), digest(to.client, target)]);
  if (expected.rows !== copied.rows || expected.digest !== copied.digest) {
    throw new Error(
      `the copy of ${table.name} (${copied.rows} rows) differs from the original (${expected.rows} rows)`,
    );
  }
  return copied.rows;
}

const DELETE_BATCH = 5_000;

/**
 * Deletes the rows of an account in short transactions: first those that workers look for.
 * @param state of the account there: nothing is deleted in any other
 */
export async function deleteAccountRows(
  { name: cell, client }: Sides['from'],
  accountId: string,
  tables: readonly MovedTable[],
  state: WatchState,
): Promise<void> {
  for (const table of tables.toSorted((a, b) => Number(b.isLate) - Number(a.isLate))) {
    if (keepsRows(cell, table)) continue;
    const name = quoted(table.name);
    for (let count = DELETE_BATCH; count === DELETE_BATCH; ) {
      const { rowCount } = await passing(client, () =>
        client.query(
          `delete from ${name} t using (
             select tableoid, ctid from ${name} where account_id = $1 limit ${DELETE_BATCH} for update) d
           where t.tableoid = d.tableoid and t.ctid = d.ctid and t.account_id = $1
             and exists (select from moving_accounts where account_id = $1 and state = $2)`,
          [accountId, state],
        ),
      );
      count = rowCount ?? 0;
    }
  }
  await client.query('delete from moved_changes where account_id = $1', [accountId]);
}

/** Undoes what a switch that did not happen has done too early: workers would act on these rows, and aggregation runs count them. */
export async function undoLast({ to }: Sides, accountId: string, tables: readonly MovedTable[]): Promise<void> {
  await deleteAccountRows(
    to,
    accountId,
    tables.filter(({ isLate }) => isLate),
    'arriving',
  );
  const isNew = await newRowsCondition(to.client);
  const marked = tables.filter(({ hasInsertedId }) => hasInsertedId);
  await passing(to.client, async () => {
    await to.client.query(BY_INDEX);
    const statements = marked.map(({ name }) => ({
      // Not by the index of the key, which has all rows of the account.
      text: `update ${quoted(name)} set inserted_xid = ${AGGREGATED} where (account_id = $1) is true and ${isNew}`,
      values: [accountId],
    }));
    await sendTogether(to.client, statements);
  });
}

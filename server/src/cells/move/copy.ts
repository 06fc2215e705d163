import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { newRowsCondition } from '../../analytics/index.ts';
import { isCopied, keepsRows, type MovedTable, quoted } from './tables.ts';
import { passing, passTriggers, type WatchState } from './watch.ts';

/** Both sides of a move, by connections that nothing else uses. */
export interface Sides {
  from: { name: string; client: pg.ClientBase };
  to: { name: string; client: pg.ClientBase };
}

/** Rows that an aggregation run has seen, and rows that it must not see before the switch. */
const AGGREGATED = 0;

const selected = ({ name, columns }: MovedTable, accountId: string) =>
  `select ${columns.join(', ')} from ${quoted(name)} t where t.account_id = '${accountId}'`;

async function copyRows(from: pg.ClientBase, to: pg.ClientBase, sql: string, into: string): Promise<void> {
  await pipeline(
    from.query(copyTo(`copy (${sql}) to stdout (format binary)`)),
    to.query(copyFrom(`copy ${into} from stdin (format binary)`)),
  );
}

/**
 * Copies an account from one snapshot in one transaction, and compares the result. Rows of an earlier attempt are deleted before.
 * @returns the number of rows
 */
export async function copyAccount(sides: Sides, accountId: string, tables: readonly MovedTable[]): Promise<number> {
  const { from } = sides;
  let rows = 0;
  await inBoth(sides, accountId, async () => {
    for (const table of tables) {
      if (!table.isLate && isCopied(from.name, table)) rows += await copyTable(sides, accountId, table);
    }
    // Changes that were recorded before the snapshot are in it.
    await from.client.query('delete from moved_changes where account_id = $1', [accountId]);
  });
  return rows;
}

/**
 * Runs `work` in a transaction on each side, that of the old cell on one snapshot. It ends last: if it fails, its changes are applied
 * again. A process that carried out the move, and does not know that another one has finished it, changes nothing.
 */
async function inBoth<T>({ from, to }: Sides, accountId: string, work: () => Promise<T>): Promise<T> {
  await from.client.query('begin isolation level repeatable read');
  try {
    await to.client.query('begin');
    for (const { client } of [from, to]) await passTriggers(client);
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
async function copyTable(sides: Sides, accountId: string, table: MovedTable): Promise<number> {
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

const intoTable = ({ name, columns, hasInsertedId }: MovedTable) =>
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

export interface FollowOptions {
  /** Changes are fenced: also copies the tables whose rows workers act on, and lets aggregation runs see what is new. */
  isLast?: boolean;
}

/**
 * Applies the changes since the last snapshot: the rows with the recorded keys become what they are in a new one, which is
 * compared. Whatever this does may be repeated.
 * @returns how many keys were recorded
 */
export function followChanges(
  sides: Sides,
  accountId: string,
  tables: readonly MovedTable[],
  { isLast = false }: FollowOptions = {},
): Promise<number> {
  const { from, to } = sides;
  return inBoth(sides, accountId, async () => {
    for (const { client } of [from, to]) {
      // Whatever the planner expects of a new copy, rows are found by their key.
      await client.query('set local enable_seqscan = off');
      await client.query('create temporary table moved_keys (table_name text, key jsonb) on commit drop');
    }
    const { rowCount } = await from.client.query(
      `with taken as (delete from moved_changes where account_id = $1 returning table_name, key)
       insert into moved_keys select distinct table_name, key from taken`,
      [accountId],
    );
    if (rowCount !== 0) {
      await copyRows(from.client, to.client, 'select table_name, key from moved_keys', 'moved_keys');
      const { rows } = await from.client.query<{ name: string }>('select distinct table_name as name from moved_keys');
      const changed = new Set(rows.map(({ name }) => name));
      for (const table of tables) {
        if (changed.has(table.name) && !table.isLate && isCopied(from.name, table)) {
          await applyChanges(sides, accountId, table);
        }
      }
    }
    if (isLast) {
      for (const table of tables) if (table.isLate) await copyTable(sides, accountId, table);
      for (const table of tables) if (table.hasInsertedId) await markNewRows(sides, accountId, table);
    }
    return rowCount ?? 0;
  });
}

const named = (alias: string, columns: readonly string[]) => columns.map((column) => `${alias}.${column}`).join(', ');
const sameKey = ({ key }: MovedTable, a: string, b: string) =>
  key.map(({ column }) => `${a}.${column} = ${b}.${column}`).join(' and ');

/** The recorded keys of a table, in columns: with an index and statistics, because the planner knows nothing of a new copy. */
async function readKeys(client: pg.ClientBase, { name, key }: MovedTable): Promise<void> {
  const columns = key.map(({ column, type }, i) => `(key->>${i})::${type} as ${column}`).join(', ');
  await client.query(
    `create temporary table changed_keys on commit drop as
     select distinct ${columns} from moved_keys where table_name = '${name}'`,
  );
  await index(client, 'changed_keys', key);
}

async function index(client: pg.ClientBase, name: string, key: MovedTable['key']): Promise<void> {
  await client.query(`create index on ${name} (${key.map(({ column }) => column).join(', ')})`);
  await client.query(`analyze ${name}`);
}

async function applyChanges(sides: Sides, accountId: string, table: MovedTable): Promise<void> {
  const { from, to } = sides;
  const { name, columns, key } = table;
  for (const { client } of [from, to]) await readKeys(client, table);
  const changed = `select ${named('t', columns)} from changed_keys k join ${quoted(name)} t on ${sameKey(table, 't', 'k')}`;
  await to.client.query(`create temporary table changed_rows on commit drop as ${selected(table, accountId)} limit 0`);
  await copyRows(from.client, to.client, changed, `changed_rows (${columns.join(', ')})`);
  await index(to.client, 'changed_rows', key);
  const rowOf = (alias: string) => `row(${named(alias, columns)})::text`;
  const keyColumns = key.map(({ column }) => column);
  // Rows that are equal stay: inserting them again would let aggregation count them twice.
  await to.client.query(
    `create temporary table outdated_keys on commit drop as
     select ${named('t', keyColumns)} from changed_keys k join ${quoted(name)} t on ${sameKey(table, 't', 'k')}
     ${keepsRows(to.name, table) ? '' : 'left'} join changed_rows c on ${sameKey(table, 'c', 'k')}
     where ${rowOf('c')} <> ${rowOf('t')}`,
  );
  await to.client.query(`delete from ${quoted(name)} t using outdated_keys k where ${sameKey(table, 't', 'k')}`);
  const added = `select ${named('c', columns)} from changed_rows c`;
  await to.client.query(
    `insert into ${intoTable(table)} ${withInsertedId(table, added)} on conflict (${keyColumns.join(', ')}) do nothing`,
  );
  if (!keepsRows(to.name, table)) await compare(sides, table, changed, changed);
  await to.client.query('drop table changed_rows, outdated_keys');
  for (const { client } of [from, to]) await client.query('drop table changed_keys');
}

/** Rows that no aggregation run of the old cell has seen count as inserted now. */
async function markNewRows({ from, to }: Sides, accountId: string, table: MovedTable): Promise<void> {
  const { name, key } = table;
  const columns = key.map(({ column }) => column).join(', ');
  await to.client.query(
    `create temporary table new_rows on commit drop as select ${columns} from ${quoted(name)} limit 0`,
  );
  const isNew = await newRowsCondition(from.client);
  await copyRows(
    from.client,
    to.client,
    `select ${columns} from ${quoted(name)} where account_id = '${accountId}' and ${isNew}`,
    'new_rows',
  );
  await index(to.client, 'new_rows', key);
  await to.client.query(
    `update ${quoted(name)} t set inserted_xid = pg_current_xact_id()::text::bigint from new_rows n
     where ${sameKey(table, 't', 'n')}`,
  );
  await to.client.query('drop table new_rows');
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

/** What a switch that did not happen has copied too early. */
export function deleteLateRows({ to }: Sides, accountId: string, tables: readonly MovedTable[]): Promise<void> {
  return deleteAccountRows(
    to,
    accountId,
    tables.filter(({ isLate }) => isLate),
    'arriving',
  );
}

import type pg from 'pg';
import { newRowsCondition } from '../../analytics/index.ts';
import { BY_INDEX } from '../../shared/postgres/database.ts';
import { sendTogether } from '../../shared/postgres/driver/message.ts';
import { AGGREGATED, copyTable, inBoth, intoTable, type Sides } from './copy.ts';
import { isCopied, keepsRows, type MovedTable, quoted } from './tables.ts';

/** Keys of a table: the values of each column, as text. */
type Keys = string[][];

/** How many keys are applied at a time. The first ones tell how large the rows are. */
const FIRST_KEYS = 250;
const MAX_KEYS = 5_000;
const BATCH_BYTES = 4_000_000;

interface FollowOptions {
  /** Changes are fenced: also copies the tables whose rows workers act on, and lets aggregation runs see what is new. */
  isLast?: boolean;
}

/**
 * Applies the changes since the last snapshot: the rows with the recorded keys become what they are in a new one, which is
 * compared. Whatever this does may be repeated. Requests wait for the last round, so statements are sent together: a message
 * to each side for all tables.
 */
export function followChanges(
  sides: Sides,
  accountId: string,
  tables: readonly MovedTable[],
  { isLast = false }: FollowOptions = {},
): Promise<void> {
  const { from, to } = sides;
  const followed = tables.filter((table) => !table.isLate && isCopied(from.name, table));
  return inBoth(sides, accountId, async () => {
    // Whatever the planner expects of a new copy, rows are found by their key.
    await Promise.all([from, to].map(({ client }) => client.query(BY_INDEX)));
    const fetchKeys = await openKeys(from.client, accountId, followed, 'changed_keys');
    for (let size = FIRST_KEYS, isFirst = true; ; isFirst = false) {
      const { changed, isEnd } = await fetchKeys(size);
      if (isFirst && !isEnd) await deleteChanged(sides, accountId, followed);
      const bytes = await applyChanges(sides, accountId, changed);
      if (isEnd) break;
      const fitting = (size * BATCH_BYTES) / Math.max(bytes, 1);
      size = Math.ceil(Math.min(fitting, 8 * size, MAX_KEYS));
    }
    // Those of the snapshot.
    await from.client.query('delete from moved_changes where account_id = $1', [accountId]);
    if (isLast) {
      await copyLateTables(
        sides,
        accountId,
        tables.filter(({ isLate }) => isLate),
      );
      await markNewRows(
        sides,
        accountId,
        tables.filter(({ hasInsertedId }) => hasInsertedId),
      );
    }
  });
}

/** Opens a cursor for the recorded keys. @returns what fetches the next ones, by table */
async function openKeys(client: pg.ClientBase, accountId: string, tables: readonly MovedTable[], cursor: string) {
  await client.query(
    `declare ${cursor} no scroll cursor for
     select table_name, array(select jsonb_array_elements_text(key)) as key
     from (select distinct table_name, key from moved_changes where account_id = '${accountId}') c order by table_name`,
  );
  return async (size: number) => {
    const { rows } = await client.query<{ table_name: string; key: string[] }>(`fetch ${size} from ${cursor}`);
    const found = Object.groupBy(rows, (row) => row.table_name);
    const changed = tables.flatMap((table) => {
      const keys = found[table.name]?.map(({ key }) => key);
      return keys ? [{ table, keys: byColumn(table, keys) }] : [];
    });
    return { changed, isEnd: rows.length < size };
  };
}

/** With several batches, a row of one may have a unique value that a row of a later one had before. */
async function deleteChanged({ from, to }: Sides, accountId: string, tables: readonly MovedTable[]): Promise<void> {
  const replaced = tables.filter((table) => !keepsRows(to.name, table));
  const fetchKeys = await openKeys(from.client, accountId, replaced, 'replaced_keys');
  for (let isLast = false; !isLast; ) {
    const { changed, isEnd } = await fetchKeys(MAX_KEYS);
    await sendTogether(
      to.client,
      changed.map(({ table, keys }) => deletion(table, keys, accountId)),
    );
    isLast = isEnd;
  }
}

const byColumn = ({ key }: MovedTable, keys: readonly string[][]): Keys =>
  key.map((_, i) => keys.map((each) => each[i] as string));

/** Keys as a table `k`, whose values are the first parameters of a statement. */
const keysOf = ({ key }: MovedTable) => `unnest(${parametersOf(key)}) k (${columnsOf(key)})`;
/** As `keysOf`, with the number of each, from 1. */
const numberedKeysOf = ({ key }: MovedTable) => `unnest(${parametersOf(key)}) with ordinality k (${columnsOf(key)}, n)`;
/** As `keysOf`, with the row of the other side, the next parameter. */
const keysAndRowsOf = ({ key }: MovedTable) =>
  `unnest(${parametersOf(key)}, $${key.length + 1}::jsonb[]) k (${columnsOf(key)}, r)`;
const parametersOf = (key: MovedTable['key']) => key.map(({ type }, i) => `$${i + 1}::${type}[]`).join(', ');
const columnsOf = (key: MovedTable['key']) => key.map(({ column }) => column).join(', ');
const hasKey = ({ key }: MovedTable, accountId: string) =>
  [`t.account_id = '${accountId}'`, ...key.map(({ column }) => `t.${column} = k.${column}`)].join(' and ');

const keyOf = ({ key }: MovedTable) => `array[${key.map(({ column }) => `t.${column}::text`).join(', ')}]`;

/** A row as a list of texts, which says everything about it, and how to read it. */
const textsOf = ({ columns }: MovedTable) =>
  `to_jsonb(array[${columns.map((column) => `t.${column}::text`).join(', ')}])`;
const valuesOf = ({ types }: MovedTable) => types.map((type, i) => `(r->>${i})::${type}`).join(', ');

const deletion = (table: MovedTable, keys: Keys, accountId: string) => ({
  text: `delete from ${quoted(table.name)} t using ${keysOf(table)} where ${hasKey(table, accountId)}`,
  values: keys,
});

interface ChangedRows {
  table: MovedTable;
  keys: Keys;
}

/** @returns the size of the rows */
async function applyChanges({ from, to }: Sides, accountId: string, changed: readonly ChangedRows[]): Promise<number> {
  const found = await sendTogether(
    from.client,
    changed.map(({ table, keys }) => ({
      text: `select k.n::integer as number, ${textsOf(table)}::text as row
             from ${numberedKeysOf(table)} join ${quoted(table.name)} t on ${hasKey(table, accountId)}`,
      values: keys,
    })),
  );
  const batches = changed.map((change, i) => {
    const rows: (string | null)[] = (change.keys[0] ?? []).map(() => null);
    for (const { number, row } of found[i]?.rows ?? []) rows[number - 1] = row;
    return { ...change, rows, existing: rows.filter((row) => row !== null) };
  });
  // Rows that are equal stay: inserting them again would let aggregation count them twice.
  const outdated = await sendTogether(
    to.client,
    batches.map(({ table, keys, rows }) => ({
      text: `select ${keyOf(table)} as key
             from ${keysAndRowsOf(table)} join ${quoted(table.name)} t on ${hasKey(table, accountId)}
             where ${keepsRows(to.name, table) ? 'k.r <>' : 'k.r is distinct from'} ${textsOf(table)}`,
      values: [...keys, rows],
    })),
  );
  const deletes = batches.flatMap(({ table }, i) => {
    const keys: string[][] = outdated[i]?.rows.map(({ key }) => key) ?? [];
    if (keys.length === 0) return [];
    return [deletion(table, byColumn(table, keys), accountId)];
  });
  const inserts = batches.flatMap(({ table, existing }) => {
    if (existing.length === 0) return [];
    const text = `insert into ${intoTable(table)}
      select ${valuesOf(table)}${table.hasInsertedId ? `, ${AGGREGATED}` : ''} from unnest($1::jsonb[]) r
      on conflict (${table.key.map(({ column }) => column).join(', ')}) do nothing`;
    return [{ text, values: [existing] }];
  });
  const comparisons = batches.map(({ table, keys, rows }) => ({
    text: `select count(*)::int as found, (count(*) filter (where k.r = ${textsOf(table)}))::int as equal
           from ${keysAndRowsOf(table)} join ${quoted(table.name)} t on ${hasKey(table, accountId)}`,
    values: [...keys, rows],
  }));
  const compared = (await sendTogether(to.client, [...deletes, ...inserts, ...comparisons])).slice(-batches.length);
  for (const [i, { table, existing }] of batches.entries()) {
    const count = existing.length;
    const { found: there, equal } = compared[i]?.rows[0] ?? {};
    if (!keepsRows(to.name, table) && (there !== count || equal !== count)) {
      throw new Error(
        `${count} changed rows of ${table.name} differ from the originals (${there} rows, ${equal} equal)`,
      );
    }
  }
  return batches.reduce((sum, { existing }) => sum + existing.join('').length, 0);
}

/** Most of these tables are empty. */
async function copyLateTables(sides: Sides, accountId: string, tables: readonly MovedTable[]): Promise<void> {
  const { from, to } = sides;
  const ofAccount = (table: MovedTable) => `from ${quoted(table.name)} where account_id = $1`;
  const each = (text: (table: MovedTable) => string) =>
    tables.map((table) => ({ text: text(table), values: [accountId] }));
  const [found] = await Promise.all([
    sendTogether(
      from.client,
      each((table) => `select 1 ${ofAccount(table)} limit 1`),
    ),
    sendTogether(
      to.client,
      each((table) => `delete ${ofAccount(table)}`),
    ),
  ]);
  for (const [i, table] of tables.entries()) if (found[i]?.rowCount) await copyTable(sides, accountId, table);
}

/** Rows that no aggregation run of the old cell has seen count as inserted now. */
async function markNewRows({ from, to }: Sides, accountId: string, tables: readonly MovedTable[]): Promise<void> {
  const isNew = await newRowsCondition(from.client);
  const found = await sendTogether(
    from.client,
    tables.map((table) => ({
      // Not by the index of the key, which has all rows of the account.
      text: `select ${keyOf(table)} as key from ${quoted(table.name)} t
             where (account_id = '${accountId}') is true and ${isNew}`,
    })),
  );
  const updates = tables.flatMap((table, i) => {
    const keys: string[][] = found[i]?.rows.map(({ key }) => key) ?? [];
    return Array.from({ length: Math.ceil(keys.length / MAX_KEYS) }, (_, n) => ({
      text: `update ${quoted(table.name)} t set inserted_xid = pg_current_xact_id()::text::bigint
             from ${keysOf(table)} where ${hasKey(table, accountId)}`,
      values: byColumn(table, keys.slice(n * MAX_KEYS, (n + 1) * MAX_KEYS)),
    }));
  });
  await sendTogether(to.client, updates);
}

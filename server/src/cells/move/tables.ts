import type pg from 'pg';
import { MAIN } from '../../shared/main-cell.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { sendTogether } from '../../shared/postgres/driver/message.ts';

/** What triggers do with the rows of a table during a move; see `watch.ts`. */
type TableRole = 'rows' | 'queue' | 'derived' | 'shared';

export interface MovedTable {
  name: string;
  /** Quoted, without generated ones and those whose values only its own database understands. */
  columns: string[];
  /** Of these columns. */
  types: string[];
  /** The columns of the primary key, without those that its index only includes, quoted, and their types. */
  key: { column: string; type: string }[];
  /** Whether its rows have the id of the transaction that inserted them, by which aggregation runs find new ones. */
  hasInsertedId: boolean;
  role: TableRole;
  /** Copied at the end, while changes are fenced: workers of the new cell would act on its rows before. */
  isLate: boolean;
}

/** Workers take rows of many accounts from these. */
const QUEUES = ['outbox', 'jobs', 'webhook_queue', 'destination_queue'];

/** The control database has rows of its own in these, and keeps them. */
const SHARED = ['audit_log', 'idempotency_keys'];

const LATE = [
  'outbox',
  'jobs',
  'destination_queue',
  // Its worker deletes files, before the rows.
  'orphaned_blobs',
  'field_backfills',
  'analytics_changed_sessions',
  'analytics_deletions',
];

/** Made from other rows, and made again in the new cell. */
const DERIVED = /^analytics_|^experiment_(series|sums|visitors)$/;

/** The bookkeeping of moves. */
const OWN = ['moving_accounts', 'moved_changes'];

const TABLES = `
  select c.relname as name, copied.columns, copied.types,
    exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'inserted_xid' and not a.attisdropped)
      as "hasInsertedId",
    (select json_agg(json_build_object('column', quote_ident(a.attname), 'type', format_type(a.atttypid, a.atttypmod))
       order by array_position(i.indkey::int2[], a.attnum))
     from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any((i.indkey::int2[])[0:i.indnkeyatts - 1])
     where i.indrelid = c.oid and i.indisprimary) as key
  from pg_class c, lateral (
    select array_agg(quote_ident(a.attname) order by a.attnum) as columns,
      array_agg(format_type(a.atttypid, a.atttypmod) order by a.attnum) as types
    from pg_attribute a
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      and a.attname <> 'inserted_xid') copied
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and c.relname <> all($1)
    and exists (select from pg_attribute k where k.attrelid = c.oid and k.attname = 'account_id' and not k.attisdropped)
  order by c.relname`;

/**
 * The tables with rows of accounts, by what the catalog says, so that none is forgotten.
 * @param cell a database without the tables of control
 */
export async function listTables(cell: Tx): Promise<MovedTable[]> {
  const { rows } = await cell.query<Omit<MovedTable, 'role' | 'isLate'>>(TABLES, [OWN]);
  return rows.map((table) => ({ ...table, role: roleOf(table.name), isLate: LATE.includes(table.name) }));
}

function roleOf(name: string): TableRole {
  if (QUEUES.includes(name)) return 'queue';
  if (SHARED.includes(name)) return 'shared';
  return DERIVED.test(name) ? 'derived' : 'rows';
}

/** Whether a cell keeps the rows of a table, whatever account moves: the main one, of tables that control also writes. */
export const keepsRows = (cell: string, { role }: MovedTable) => cell === MAIN && role === 'shared';

/** Whether a table is copied out of a cell: the audit log of the main one stays, and is listed together with the new one. */
export const isCopied = (from: string, table: MovedTable) => from !== MAIN || table.name !== 'audit_log';

/** Names come from the catalog or the code. */
export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

const PARTITIONS = `
  select p.relname as parent, c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound
  from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
  where p.relnamespace = current_schema()::regnamespace and p.relkind = 'p' and c.relkind = 'r' order by c.relname`;

/** Creates the partitions that the other database has. */
export async function copyPartitions(from: Tx, to: Tx): Promise<void> {
  const read = async (tx: Tx) => (await tx.query<{ parent: string; name: string; bound: string }>(PARTITIONS)).rows;
  const [given, existing] = await Promise.all([read(from), read(to)]);
  const known = new Set(existing.map(({ name }) => name));
  for (const { parent, name, bound } of given) {
    if (known.has(name)) continue;
    await to.query(`create table if not exists ${quoted(name)} (like ${quoted(parent)} including all)`);
    await to.query(`alter table ${quoted(parent)} attach partition ${quoted(name)} ${bound}`);
  }
}

/** Beyond what the other database draws meanwhile. */
const SEQUENCE_MARGIN = 1_000;

/**
 * Lets sequences continue after those of the other database, so that what is recorded next comes after what was moved: numbers
 * of sessions, the order of arrival of conversions, changes in the outbox.
 */
export async function raiseSequences(from: Tx, to: pg.ClientBase): Promise<void> {
  const { rows } = await from.query<{ name: string; value: string }>(
    `select sequencename as name, last_value::text as value from pg_sequences
     where schemaname = current_schema() and last_value is not null`,
  );
  const statements = rows.map(({ name, value }) => ({
    text: `select setval($1::regclass, $2::bigint + ${SEQUENCE_MARGIN}) from ${quoted(name)} where last_value <= $2::bigint`,
    values: [quoted(name), value],
  }));
  await sendTogether(to, statements);
}

import type { Tx } from '../shared/postgres/database.ts';

/** A table as it is backed up. */
export interface TableDescription {
  name: string;
  columns: string[];
}

export interface DatabaseDescription {
  postgres: number;
  migrations: { name: string; checksum: string }[];
  /** A table comes after the tables that it refers to. */
  tables: TableDescription[];
  partitions: { parent: string; name: string; bound: string }[];
  sequences: { name: string; value: string; isCalled: boolean }[];
}

/** The version of the schema is restored by running its migrations, not from rows. */
const NOT_COPIED = ['migrations'];

const TABLES = `
  select c.relname as name, array_agg(quote_ident(a.attname) order by a.attnum) as columns,
    (select coalesce(array_agg(f.relname), '{}') from pg_constraint k join pg_class f on f.oid = k.confrelid
      where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid)::text[] as refers_to
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and c.relpersistence = 'p'
  group by c.oid, c.relname order by c.relname`;

const PARTITIONS = `
  select p.relname as parent, c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound
  from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
  order by p.relname, c.relname`;

/** Describes the tables of the database in a transaction, whose snapshot the rows are copied in. */
export async function describeDatabase(tx: Tx): Promise<DatabaseDescription> {
  const { rows: version } = await tx.query("select current_setting('server_version_num')::int as number");
  const { rows: migrations } = await tx.query('select name, checksum from migrations order by name');
  const { rows: tables } = await tx.query(TABLES);
  const { rows: partitions } = await tx.query(PARTITIONS);
  const { rows: names } = await tx.query(
    "select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'S' order by 1",
  );
  const sequences: DatabaseDescription['sequences'] = [];
  for (const { name } of names) {
    const { rows } = await tx.query(`select last_value::text as value, is_called as "isCalled" from ${quote(name)}`);
    sequences.push({ name, ...rows[0] });
  }
  return {
    postgres: version[0].number,
    migrations,
    tables: inOrderOfReference(tables).map(({ name, columns }) => ({ name, columns })),
    partitions,
    sequences,
  };
}

type Referring = TableDescription & { refers_to: string[] };

function inOrderOfReference(tables: Referring[]): TableDescription[] {
  const ordered = new Map<string, TableDescription>();
  const add = (table: Referring | undefined) => {
    if (!table || ordered.has(table.name) || NOT_COPIED.includes(table.name)) return;
    for (const name of table.refers_to) add(tables.find((each) => each.name === name));
    ordered.set(table.name, table);
  };
  for (const table of tables) add(table);
  return [...ordered.values()];
}

export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

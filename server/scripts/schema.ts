/**
 * Writes `server/schema.sql`, the schema that all migrations make. With `--check`, it says instead whether the file is as they are, and
 * which statements do not fit the schema.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase } from '../src/shared/postgres/database.ts';
import { startEmbeddedPostgres } from '../src/shared/postgres/embedded.ts';
import { migrate } from '../src/shared/postgres/migrate.ts';
import { checkStatements } from './check-statements.ts';

const FILE = join(import.meta.dirname, '../schema.sql');

/** Each gives the text of the things of one kind, in the order in which they stand; what an extension owns is its own. */
const KINDS = [
  `select format('create extension %I;', extname) as text
   from pg_extension where extname <> 'plpgsql' order by extname`,

  `select format('create type %I as enum (%s);', typname,
     string_agg(quote_literal(enumlabel), ', ' order by enumsortorder)) as text
   from pg_type join pg_enum on enumtypid = pg_type.oid
   where typnamespace = 'public'::regnamespace and ${notOfExtension('pg_type')}
   group by pg_type.oid, typname order by typname`,

  `select format('create sequence %I increment %s cache %s;', relname, seqincrement, seqcache) as text
   from pg_class join pg_sequence on seqrelid = pg_class.oid
   where relnamespace = 'public'::regnamespace and ${notOfExtension('pg_class')} order by relname`,

  `select pg_get_functiondef(pg_proc.oid) || ';' as text
   from pg_proc
   where pronamespace = 'public'::regnamespace and prokind in ('f', 'p') and ${notOfExtension('pg_proc')}
   order by proname, pg_get_function_identity_arguments(pg_proc.oid)`,

  `with members as (
     select attrelid as of, 0 as kind, attnum as at,
       format('  %I %s', attname, format_type(atttypid, atttypmod))
         || case when attcollation <> typcollation then format(' collate %I', collname) else '' end
         || case attcompression when 'l' then ' compression lz4' when 'p' then ' compression pglz' else '' end
         || case when attnotnull then ' not null' else '' end
         || case when attgenerated = 's' then format(' generated always as (%s) stored', pg_get_expr(adbin, adrelid))
                 when adbin is not null then ' default ' || pg_get_expr(adbin, adrelid)
                 else '' end as text
     from pg_attribute
       join pg_type on pg_type.oid = atttypid
       left join pg_collation on pg_collation.oid = attcollation
       left join pg_attrdef on adrelid = attrelid and adnum = attnum
     where attnum > 0 and not attisdropped
     union all
     select conrelid, 1, row_number() over (partition by conrelid order by contype <> 'p', conname),
       case when contype = 'p' then '  ' else format('  constraint %I ', conname) end || pg_get_constraintdef(oid)
     from pg_constraint where contype in ('p', 'u', 'f', 'c', 'x')),
   indexes as (
     select indrelid as of, string_agg(E'\\n' || pg_get_indexdef(indexrelid) || ';', '' order by relname) as text
     from pg_index join pg_class on pg_class.oid = indexrelid
     where not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x'))
     group by indrelid),
   triggers as (
     select tgrelid as of, string_agg(E'\\n' || pg_get_triggerdef(oid) || ';', '' order by tgname) as text
     from pg_trigger where not tgisinternal group by tgrelid)
   select format(E'create %stable %I (\\n%s\\n)%s%s;%s%s',
     case when relpersistence = 'u' then 'unlogged ' else '' end,
     relname,
     (select string_agg(text, E',\\n' order by kind, at) from members where of = pg_class.oid),
     ' partition by ' || pg_get_partkeydef(oid),
     ' with (' || array_to_string(reloptions, ', ') || ')',
     (select text from indexes where of = pg_class.oid),
     (select text from triggers where of = pg_class.oid)) as text
   from pg_class
   where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and ${notOfExtension('pg_class')}
   order by relname`,

  `select format(E'create view %I as\\n%s', relname, pg_get_viewdef(pg_class.oid)) as text
   from pg_class
   where relnamespace = 'public'::regnamespace and relkind in ('v', 'm') and ${notOfExtension('pg_class')}
   order by relname`,
];

function notOfExtension(catalog: string): string {
  return `not exists (select from pg_depend where classid = '${catalog}'::regclass and objid = ${catalog}.oid and deptype = 'e')`;
}

async function dump(db: Database): Promise<string> {
  const sections: string[] = [];
  for (const kind of KINDS) {
    const { rows } = await db.query<{ text: string }>(kind);
    sections.push(...rows.map(({ text }) => text.trim()));
  }
  return `-- Written by npm run schema, out of the migrations. Not read by the service.\n\n${sections.join('\n\n')}\n`;
}

const isCheck = process.argv.includes('--check');
const faults: string[] = [];
const dataDir = mkdtempSync(join(tmpdir(), 'headwater-schema-'));
const server = await startEmbeddedPostgres({
  dataDir,
  log: (level, message) => level === 'info' || console.error(message),
  settings: { fsync: 'off', shared_buffers: '32MB' },
});
let text: string;
try {
  const db = openDatabase(server.connection, 2, () => {});
  await migrate(db);
  text = await dump(db);
  if (isCheck) faults.push(...(await checkStatements(db)));
  await db.close();
} finally {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

if (!isCheck) {
  writeFileSync(FILE, text);
} else if (readFileSync(FILE, 'utf8') !== text) {
  faults.push('server/schema.sql is not as the migrations are: run npm run schema');
}
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);

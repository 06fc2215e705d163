import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newDataDir } from '../test/service-process.ts';

const ROOT = join(import.meta.dirname, '../..');

/** As a version may: it expands every table that the old version reads and writes. */
const MIGRATION = `
do $$
declare name text;
begin
  for name in
    select relname from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition and relname <> 'migrations'
    order by relname
  loop
    execute format('alter table %I add column next_version text', name);
  end loop;
end $$;
create table next_version (account_id uuid not null, id uuid not null, primary key (account_id, id));
`;

/** A copy of the service that is a version newer: it has another migration. Returns its folder. */
export function nextVersion(): string {
  const folder = newDataDir();
  mkdirSync(join(folder, 'server'));
  for (const path of ['languages', 'server/src', 'server/migrations', 'server/package.json']) {
    cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  }
  writeFileSync(join(folder, 'server/migrations/999999-next-version.sql'), MIGRATION);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

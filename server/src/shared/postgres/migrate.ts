import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from './database.ts';

const FOLDER = join(import.meta.dirname, '../../../migrations');

/** Any number that nobody else locks: services that start at once queue behind it. */
const LOCK = 7_205_611_394_117;

/**
 * Brings the database to the newest schema: each file of `server/migrations` once, in order, each in a transaction that
 * also writes down its number. Forward only; a shipped file that was edited since stops the start.
 * @returns the names of the migrations that ran
 */
export async function migrate(db: Database): Promise<string[]> {
  const files = readdirSync(FOLDER)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  return db.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [LOCK]);
    const { rows: version } = await tx.query("select current_setting('server_version_num')::int as number");
    if (version[0].number < 150_000) throw new Error('PostgreSQL 15 or newer is needed');
    await tx.query(
      `create table if not exists migrations (
         name text primary key, checksum text not null, applied_at timestamptz(3) not null default now())`,
    );
    const { rows } = await tx.query('select name, checksum from migrations');
    const applied = new Map(rows.map((row) => [row.name, row.checksum]));
    const ran: string[] = [];
    for (const name of files) {
      const sql = readFileSync(join(FOLDER, name), 'utf8');
      const checksum = createHash('sha256').update(sql).digest('hex');
      const known = applied.get(name);
      if (known !== undefined && known !== checksum) throw new Error(`the migration ${name} was changed after it ran`);
      if (known !== undefined) continue;
      await tx.query(sql);
      await tx.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum]);
      ran.push(name);
    }
    const newer = [...applied.keys()].filter((name) => !files.includes(name));
    if (newer.length > 0) throw new Error(`the database is of a newer version of the service (${newer.join(', ')})`);
    return ran;
  });
}

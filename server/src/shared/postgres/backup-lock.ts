import type { Tx } from './database.ts';
import { statement } from './statement.ts';

/** An arbitrary number: a backup holds this advisory lock, as a session, from before its snapshot until its files are copied. */
export const BACKUP_LOCK = 7_205_611_394_121;

const countBackups = statement('backup.count_running', {}).returns<{ count: number }>(
  `select count(*) from pg_locks
   where locktype = 'advisory' and objsubid = 1 and (classid::bigint << 32 | objid::bigint) = ${BACKUP_LOCK}
     and database = (select oid from pg_database where datname = current_database())`,
);

/**
 * The committed deletions that `select` reads, or none while a backup is running. None is missing in a backup's snapshot: the
 * lock is taken before that, and looked for after they are read.
 */
export async function unlessBackup<T>(tx: Tx, select: Promise<T[]>): Promise<T[]> {
  const rows = await select;
  if (rows.length === 0) return rows;
  const [{ count } = { count: 0 }] = await countBackups(tx);
  return count === 0 ? rows : [];
}

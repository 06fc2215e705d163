/** An arbitrary number: a backup holds this advisory lock, as a session, from before its snapshot until its files are copied. */
export const BACKUP_LOCK = 7_205_611_394_121;

/**
 * A condition that is false while a backup is running. A statement that selects committed deletions under this condition
 * never gets one that the backup's snapshot does not contain, because the lock is taken before the snapshot.
 */
export const noBackupIsRunning = `(select not exists (
  select from pg_locks where locktype = 'advisory' and objsubid = 1 and (classid::bigint << 32 | objid::bigint) = ${BACKUP_LOCK}
    and database = (select oid from pg_database where datname = current_database())))`;

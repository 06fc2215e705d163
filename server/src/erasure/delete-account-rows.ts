import type { Database } from '../shared/postgres/database.ts';

/** Their worker deletes the blobs, and then the rows. */
const KEPT = ['orphaned_blobs'];

/** By what the catalog says, so that no table is forgotten. */
const TABLES = `
  select quote_ident(c.relname) as name
  from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and c.relname <> all($1)
    and exists (select from pg_attribute k where k.attrelid = c.oid and k.attname = 'account_id' and not k.attisdropped)
  order by c.relname`;

const BATCH = 5_000;

/** Deletes every row of an account, in short transactions. */
export async function deleteAccountRows(db: Database, accountId: string, signal: AbortSignal): Promise<void> {
  const { rows: tables } = await db.query<{ name: string }>(TABLES, [KEPT]);
  for (const { name } of tables) {
    for (let count = BATCH; count === BATCH; ) {
      signal.throwIfAborted();
      count = await db.transaction(async (tx) => {
        // The audit log of an account is deleted with it: its trigger allows that to retention.
        await tx.query("set local headwater.apply_audit_retention = 'on'");
        const { rowCount } = await tx.query(
          `delete from ${name} t using (
             select tableoid, ctid from ${name} where account_id = $1 limit ${BATCH} for update skip locked) d
           where t.tableoid = d.tableoid and t.ctid = d.ctid and t.account_id = $1`,
          [accountId],
        );
        return rowCount ?? 0;
      });
    }
  }
}

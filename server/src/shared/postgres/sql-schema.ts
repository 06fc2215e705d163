import type { Tx } from './tx.ts';

/** An expression: the schema with the views of `POST /v1/sql`, beside that of the tables. */
export const SQL_SCHEMA =
  "case current_schema() when 'public' then 'headwater_sql' else left(current_schema(), 59) || '_sql' end";

/** An arbitrary number: what changes the schema of a database waits behind this lock, for each schema of its tables. */
const LOCK = 7_205_611_394_117;

export async function lockMigrations(tx: Tx): Promise<void> {
  await tx.query("select pg_advisory_xact_lock($1::bigint + hashtext(coalesce(current_schema(), '')))", [LOCK]);
}

export async function dropSqlSchema(tx: Tx): Promise<void> {
  const { rows } = await tx.query<{ name: string }>(
    `select nspname::text as name from pg_namespace where nspname = ${SQL_SCHEMA}`,
  );
  for (const { name } of rows) await tx.query(`drop schema "${name}" cascade`);
}

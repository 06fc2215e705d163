import { BY_INDEX, type Database } from '../../shared/postgres/database.ts';
import { newRowsCondition } from './source-queries.ts';

/** For how many seconds the oldest visit or event has waited that is not in reports yet, by the clock of the database. */
export function readLag(db: Database): Promise<number> {
  return db.transaction(async (tx) => {
    // The new rows are at the end of the tables, which statistics do not know yet.
    await tx.query(BY_INDEX);
    const isNew = await newRowsCondition(tx);
    const oldest = (table: string) => `(select min(received_at) from ${table} where ${isNew})`;
    const { rows } = await tx.query(
      `select greatest(0, extract(epoch from now() - least(${oldest('visits')}, ${oldest('events')})))::float as seconds`,
    );
    return rows[0]?.seconds ?? 0;
  });
}

import pg from 'pg';
import { copyRows } from '../shared/postgres/copy-rows.ts';
import type { Format } from './contract.ts';
import { CsvEncoder } from './csv.ts';
import type { WrittenFile } from './file-job.ts';
import { HashedFile } from './hashed-file.ts';
import { NdjsonEncoder } from './ndjson.ts';
import { ParquetEncoder } from './parquet.ts';
import { findEnd, findPageEnd, PREPARE, type Selection, selectPage } from './queries.ts';

/** All that an export needs to know; it can be sent to a thread. */
export interface ExportPlan extends Selection {
  connection: pg.PoolConfig;
  format: Format;
  path: string;
  /** Rows that one transaction reads over. */
  pageSize: number;
}

const ENCODERS = { csv: CsvEncoder, ndjson: NdjsonEncoder, parquet: ParquetEncoder };

/**
 * Writes the rows of a selection to a file, which is on disk when this returns.
 *
 * Page by page along the key, each in a short transaction of its own, up to the last key there was at the start: a row
 * that is there from start to end is written once, whatever is recorded or deleted meanwhile. Files are written by
 * blocking calls, which is what keeps memory flat (rows are taken from the socket only as fast as they are written) and
 * why this has a thread to itself.
 */
export async function writeExport(plan: ExportPlan, report: (progress: number) => void): Promise<WrittenFile> {
  const client = new pg.Client(plan.connection);
  await client.connect();
  const file = new HashedFile(plan.path);
  try {
    await client.query(PREPARE);
    const encoder = new ENCODERS[plan.format](plan.columns, (bytes) => file.write(bytes));
    const first = await findEnd(client, plan, 'asc');
    const last = await findEnd(client, plan, 'desc');
    let rows = 0;
    let after = plan.source.beforeAll;
    while (first !== undefined && last !== undefined && after !== last) {
      const end = (await findPageEnd(client, plan, after, last, plan.pageSize)) ?? last;
      const page = selectPage(plan, after, end, end === last);
      rows += await copyRows(client, page, plan.columns.length, (row) => encoder.add(row));
      after = end;
      report(progressOf(first, after, last));
    }
    encoder.finish();
    return { rows, ...file.sync() };
  } finally {
    file.close();
    await client.end();
  }
}

/** How far a key is from the first to the last: keys follow time, a UUIDv7 by its first 48 bits. */
function progressOf(first: string, at: string, last: string): number {
  const place = (key: string) =>
    key.length === 36 ? Number.parseInt(key.replace('-', '').slice(0, 12), 16) : Number(key);
  const whole = place(last) - place(first);
  return whole > 0 ? (place(at) - place(first)) / whole : 1;
}

import pg from 'pg';
import { copyRows } from '../shared/postgres/copy-rows.ts';
import { sessionIds } from '../shared/session-ids.ts';
import type { ExportParams } from './contract.ts';
import { DATASETS } from './datasets/index.ts';
import type { WrittenFile } from './file-job.ts';
import { FORMATS } from './formats/index.ts';
import { HashedFile } from './hashed-file.ts';
import { findBounds, findPage, PREPARE, type Selection, selectPage } from './queries.ts';

/** Everything an export needs, as plain data that can be sent to a thread. */
export interface ExportPlan extends ExportParams {
  connection: pg.PoolConfig;
  /** Of the instance. */
  secret: Uint8Array;
  accountId: string;
  path: string;
  /** Rows that one transaction reads. */
  pageSize: number;
}

/**
 * Writes the rows of a dataset to a file and flushes it to disk.
 *
 * It reads page by page along the key, each page in its own short transaction, up to the last key at the start. A row that
 * exists throughout is written exactly once, whatever is inserted or deleted meanwhile. Files are written by blocking calls,
 * so rows leave the socket only as fast as they are written and memory stays flat. This is why an export runs in a thread.
 */
export async function writeExport(plan: ExportPlan, report: (progress: number) => void): Promise<WrittenFile> {
  const selection = selectionOf(plan);
  const client = new pg.Client(plan.connection);
  await client.connect();
  const file = new HashedFile(plan.path);
  try {
    await client.query(PREPARE);
    const { columns, dataset } = selection;
    const encoder = await FORMATS[plan.format].createEncoder(
      columns,
      (bytes) => file.write(bytes),
      sessionIds(plan.secret),
    );
    const bounds = await findBounds(client, selection);
    let rows = 0;
    for (let after = dataset.keyMinimum; bounds && after !== bounds.last; ) {
      const page = await findPage(client, selection, after, bounds.last, plan.pageSize);
      rows += await copyRows(client, selectPage(selection, page), columns.length, (row) => encoder.add(row));
      after = page.end;
      report(progressOf(bounds.first, after, bounds.last));
    }
    encoder.finish();
    return { rows, ...file.sync() };
  } finally {
    file.close();
    await client.end();
  }
}

function selectionOf({ accountId, dataset: name, fields, from, to }: ExportPlan): Selection {
  const dataset = DATASETS[name];
  const columns = fields.flatMap((field) => dataset.columns.find((column) => column.name === field) ?? []);
  return { accountId, dataset, columns, from, to };
}

/** Estimates progress from the keys, which follow time; a UUIDv7 by its first 48 bits. */
function progressOf(first: string, at: string, last: string): number {
  const position = (key: string) =>
    key.length === 36 ? Number.parseInt(key.replace('-', '').slice(0, 12), 16) : Number(key);
  const total = position(last) - position(first);
  return total > 0 ? (position(at) - position(first)) / total : 1;
}

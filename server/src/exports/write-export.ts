import pg from 'pg';
import { BYTE_ORDER_MARK } from '../shared/csv.ts';
import { copyRows } from '../shared/postgres/driver/copy-rows.ts';
import { sessionIdsOf } from '../shared/session-ids.ts';
import type { ExportParams } from './contract.ts';
import { DATASETS } from './datasets/index.ts';
import type { WrittenFile } from './file-job.ts';
import { FORMATS } from './formats/index.ts';
import { HashedFile } from './hashed-file.ts';
import { findBounds, findPage, PREPARE, type Selection, selectPage } from './queries.ts';

/** Everything an export needs, as plain data that can be sent to a thread. */
export interface ExportPlan extends ExportParams {
  connection: pg.PoolConfig;
  /** Of the ids of sessions. */
  sessionKey: Uint8Array;
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
  const clients: pg.Client[] = [];
  const file = new HashedFile(plan.path);
  try {
    const client = await connect(plan, clients);
    const { columns, dataset } = selection;
    if (plan.bom) file.write(Buffer.from(BYTE_ORDER_MARK));
    const encoder = await FORMATS[plan.format].createEncoder(
      columns,
      (bytes) => file.write(bytes),
      sessionIdsOf(plan.sessionKey),
    );
    const bounds = await findBounds(client, selection);
    /** Its rows are passed on from `start` at the earliest. */
    const readPage = (reader: Promise<pg.Client>, after: string, last: string, start?: Promise<void>) => {
      const page = reader.then((it) => findPage(it, selection, after, last, plan.pageSize));
      const rows = Promise.all([reader, page]).then(([it, found]) =>
        copyRows(it, selectPage(selection, found), columns.length, (row) => encoder.add(row), start),
      );
      // It may fail while the page before it is written.
      rows.catch(() => {});
      return { reader, page, rows };
    };
    let rows = 0;
    let current = bounds && readPage(Promise.resolve(client), dataset.keyMinimum, bounds.last);
    let spare: Promise<pg.Client> | undefined;
    while (bounds && current) {
      const { end, isLast } = await current.page;
      const { promise: written, resolve } = Promise.withResolvers<void>();
      // While a page is written, another connection finds and sorts the next one.
      const next = isLast ? undefined : readPage(spare ?? connect(plan, clients), end, bounds.last, written);
      rows += await current.rows;
      resolve();
      report(progressOf(bounds.first, end, bounds.last));
      spare = current.reader;
      current = next;
    }
    encoder.finish();
    return { rows, ...file.sync() };
  } finally {
    file.close();
    await Promise.all(clients.map((client) => client.end()));
  }
}

/** @param clients those to end, also when connecting fails */
async function connect({ connection }: ExportPlan, clients: pg.Client[]): Promise<pg.Client> {
  const client = new pg.Client(connection);
  clients.push(client);
  await client.connect();
  await client.query(PREPARE);
  return client;
}

function selectionOf({ accountId, dataset: name, fields, from, to, asKnownOn }: ExportPlan): Selection {
  const dataset = DATASETS[name];
  const columns = fields.flatMap((field) => dataset.columns.find((column) => column.name === field) ?? []);
  return { accountId, dataset, columns, from, to, asKnownOn: asKnownOn ?? null };
}

/** Estimates progress from the keys, which follow time; a UUIDv7 by its first 48 bits. */
function progressOf(first: string, at: string, last: string): number {
  const position = (key: string) =>
    key.length === 36 ? Number.parseInt(key.replace('-', '').slice(0, 12), 16) : Number(key);
  const total = position(last) - position(first);
  return total > 0 ? (position(at) - position(first)) / total : 1;
}

import type pg from 'pg';
import type { RoleAccess } from '../../accounts/index.ts';
import {
  type Collection,
  countEntries,
  type ReadEntry,
  readEntries,
  serializeValues,
  typeOf,
  uncachedView,
  type Values,
} from '../../content/index.ts';
import { HashedFile, type WrittenFile } from '../../exports/index.ts';
import { BYTE_ORDER_MARK, csvLine } from '../../shared/csv.ts';
import { publicId } from '../../shared/ids.ts';
import { openDatabase } from '../../shared/postgres/database.ts';
import { isoTime } from '../../shared/time.ts';
import { cellText } from '../cells.ts';
import type { EntriesExport } from '../contract.ts';
import { cellField, entryColumns, type SystemColumn, systemColumn, valueAt } from '../entry-columns.ts';

/** The `params` of an `export_entries` job. */
export interface EntriesExportParams {
  collectionId: string;
  format: EntriesExport['format'];
  /** null: all. */
  fields: string[] | null;
  bom?: boolean;
  /** `state`, `sort`, `q`, `where` and `filter[…][…]` as in the query string of a listing. */
  listing: Record<string, string | string[]> & { state?: 'draft' | 'published' };
}

/** Everything an export needs, as plain data that can be sent to a thread. */
export interface EntriesExportPlan {
  connection: pg.PoolConfig;
  accountId: string;
  /** UUID. */
  collectionId: string;
  params: EntriesExportParams;
  path: string;
  publicUrl: string;
  /** What the role of who started it allows; absent: everything. */
  access?: RoleAccess;
}

const BLOCK_CHARACTERS = 65_536;

/** Writes the entries of a listing to a file and flushes it to disk. Blocks, so it runs in a thread. */
export async function writeEntries(plan: EntriesExportPlan, report: (progress: number) => void): Promise<WrittenFile> {
  const { accountId, collectionId, params, publicUrl } = plan;
  const db = openDatabase(plan.connection, 2, () => {});
  const file = new HashedFile(plan.path);
  let block = '';
  const write = (text: string) => {
    block += text;
    if (block.length >= BLOCK_CHARACTERS) flush();
  };
  const flush = () => {
    file.write(Buffer.from(block));
    block = '';
  };
  try {
    const [all] = await countEntries(db, { account_id: accountId, collection_id: collectionId, limit: null });
    let rows = 0;
    let encode: Encode | undefined;
    for await (const { collection, entries } of readEntries(
      db,
      uncachedView(plan.access),
      accountId,
      collectionId,
      params.listing,
    )) {
      if (!encode) {
        const encoder =
          params.format === 'csv' ? csvEncoder(collection, params.fields) : ndjsonEncoder(collection, params.fields);
        encode = encoder.encode;
        write((params.bom ? BYTE_ORDER_MARK : '') + encoder.head);
      }
      const stored = entries.map(({ values }) => values);
      const serialized = await serializeValues(db, accountId, collection, stored, publicUrl);
      for (const [i, entry] of entries.entries()) write(encode(entry, serialized[i] ?? {}));
      rows += entries.length;
      report(rows / Math.max(1, all?.count ?? 0));
    }
    flush();
    return { rows, ...file.sync() };
  } finally {
    file.close();
    await db.close();
  }
}

/** Formats an entry. @param serialized its values as in API responses */
type Encode = (entry: ReadEntry, serialized: Values) => string;

interface CsvColumn {
  name: string;
  cell: Encode;
}

/** One column per field, in order. An asset has a second column with its URL, which imports ignore. */
export function csvColumns(collection: Collection): CsvColumn[] {
  const system = (name: SystemColumn, cell: Encode) => ({ name: systemColumn(collection, name), cell });
  const fields = entryColumns(collection).flatMap((column): CsvColumn[] => {
    const own = { name: column.name, cell: ({ values }: ReadEntry) => cellText(column, valueAt(values, column)) };
    if (typeOf(cellField(column)).structure !== 'asset') return [own];
    return [own, { name: `${column.name}.url`, cell: (_entry, serialized) => urlText(valueAt(serialized, column)) }];
  });
  const publishing = [
    system('publishedVersion', ({ publishedVersion }) => String(publishedVersion ?? '')),
    system('publishedAt', ({ publishedAt }) => (publishedAt ? isoTime(publishedAt) : '')),
  ];
  return [
    system('id', ({ id }) => publicId('ent', id)),
    ...fields,
    system('createdAt', ({ createdAt }) => isoTime(createdAt)),
    system('updatedAt', ({ updatedAt }) => isoTime(updatedAt)),
    ...(collection.publishing ? publishing : []),
  ];
}

/** @param fields exactly these columns, in this order; null: all */
function csvEncoder(collection: Collection, fields: string[] | null): { head: string; encode: Encode } {
  const all = csvColumns(collection);
  const columns = fields?.flatMap((field) => all.find(({ name }) => name === field) ?? []) ?? all;
  return {
    head: csvLine(columns.map(({ name }) => name)),
    encode: (entry, serialized) => csvLine(columns.map(({ cell }) => cell(entry, serialized))),
  };
}

function urlText(serialized: unknown): string {
  const urlOf = (asset: unknown) => (asset as { url: string }).url;
  if (Array.isArray(serialized)) return JSON.stringify(serialized.map(urlOf));
  return serialized === undefined ? '' : urlOf(serialized);
}

/** Entries as in API responses, with the selected fields only. */
function ndjsonEncoder({ publishing }: Collection, fields: string[] | null): { head: string; encode: Encode } {
  return {
    head: '',
    encode: ({ id, createdAt, updatedAt, publishedVersion, publishedAt }, serialized) => {
      const values = fields === null ? serialized : pick(serialized, fields);
      const published = { publishedVersion, publishedAt: publishedAt && isoTime(publishedAt) };
      const times = { createdAt: isoTime(createdAt), updatedAt: isoTime(updatedAt), ...(publishing && published) };
      return `${JSON.stringify({ id: publicId('ent', id), values, ...times })}\n`;
    },
  };
}

function pick(values: Values, fields: string[]): Values {
  const picked: Values = {};
  for (const name of fields) {
    const [id = '', nested] = name.split('.');
    if (!Object.hasOwn(values, id)) continue;
    if (nested === undefined) picked[id] = values[id];
    else if (Object.hasOwn(values[id] as Values, nested)) {
      picked[id] = { ...(picked[id] as Values | undefined), [nested]: (values[id] as Values)[nested] };
    }
  }
  return picked;
}

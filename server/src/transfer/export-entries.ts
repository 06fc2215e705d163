import type pg from 'pg';
import {
  answerValues,
  type Collection,
  countEntries,
  type ReadEntry,
  readEntries,
  type Values,
} from '../content/index.ts';
import { HashedFile, type WrittenFile } from '../exports/index.ts';
import { csvLine } from '../shared/csv.ts';
import { publicId } from '../shared/ids.ts';
import { openDatabase } from '../shared/postgres/database.ts';
import { isoTime } from '../shared/time.ts';
import { cellText } from './cell-text.ts';
import type { EXPORT_FORMATS } from './contract.ts';
import { systemName, type Target, targetsOf, typedBy, valueAt } from './targets.ts';

/** What an export of entries is asked for, as its job stores and answers it. */
export interface EntriesExportParams {
  collectionId: string;
  format: (typeof EXPORT_FORMATS)[number];
  /** null: all. */
  fields: string[] | null;
  /** `sort`, `q` and `filter[…][…]`, as the listing takes them. */
  listing: Record<string, string | string[]>;
}

/** All that the export needs to know; it can be sent to a thread. */
export interface EntriesExportPlan {
  connection: pg.PoolConfig;
  accountId: string;
  /** UUID. */
  collectionId: string;
  params: EntriesExportParams;
  path: string;
  publicUrl: string;
}

const BLOCK = 65_536;

/** Writes the entries of a listing to a file, which is on disk when this returns. For a thread of its own. */
export async function writeEntries(plan: EntriesExportPlan, report: (progress: number) => void): Promise<WrittenFile> {
  const { accountId, collectionId, params, publicUrl } = plan;
  const db = openDatabase(plan.connection, 2, () => {});
  const file = new HashedFile(plan.path);
  let waiting = '';
  const write = (text: string, now = false) => {
    waiting += text;
    if (!now && waiting.length < BLOCK) return;
    file.write(Buffer.from(waiting));
    waiting = '';
  };
  try {
    const [all] = await countEntries(db, accountId, collectionId, null);
    let rows = 0;
    let encode: Encode | undefined;
    for await (const { collection, entries } of readEntries(db, accountId, collectionId, params.listing)) {
      if (!encode) {
        const encoder = params.format === 'csv' ? csvEncoder(collection, params.fields) : ndjsonEncoder(params.fields);
        encode = encoder.encode;
        write(encoder.head);
      }
      const stored = entries.map(({ values }) => values);
      const answered = await answerValues(db, accountId, collection, stored, publicUrl);
      for (const [i, entry] of entries.entries()) write(encode(entry, answered[i] ?? {}));
      rows += entries.length;
      report(rows / Math.max(1, all?.count ?? 0));
    }
    write('', true);
    return { rows, ...file.sync() };
  } finally {
    file.close();
    await db.close();
  }
}

type Encode = (entry: ReadEntry, answered: Values) => string;

/** Columns in the order of the fields; an asset has a second one with its address, which an import passes over. */
function csvEncoder(collection: Collection, fields: string[] | null): { head: string; encode: Encode } {
  const chosen = choose(targetsOf(collection), fields);
  const name = (each: 'id' | 'createdAt' | 'updatedAt') => systemName(collection, each);
  const isAsset = (target: Target) => typedBy(target).type === 'asset';
  const names = chosen.flatMap((target) => (isAsset(target) ? [target.name, `${target.name}.url`] : [target.name]));
  const head = csvLine([name('id'), ...names, name('createdAt'), name('updatedAt')]);
  return {
    head,
    encode: ({ id, values, createdAt, updatedAt }, answered) =>
      csvLine([
        publicId('ent', id),
        ...chosen.flatMap((target) => {
          const cell = cellText(target, valueAt(values, target));
          return isAsset(target) ? [cell, urlText(valueAt(answered, target))] : [cell];
        }),
        isoTime(createdAt),
        isoTime(updatedAt),
      ]),
  };
}

function urlText(answered: unknown): string {
  const urlOf = (asset: unknown) => (asset as { url: string }).url;
  if (Array.isArray(answered)) return JSON.stringify(answered.map(urlOf));
  return answered === undefined ? '' : urlOf(answered);
}

function choose(targets: Target[], fields: string[] | null): Target[] {
  if (fields === null) return targets;
  return fields.flatMap((field) => targets.find(({ name }) => name === field) ?? []);
}

/** Entries as the API answers them, with the chosen fields alone. */
function ndjsonEncoder(fields: string[] | null): { head: string; encode: Encode } {
  return {
    head: '',
    encode: ({ id, createdAt, updatedAt }, answered) => {
      const values = fields === null ? answered : pick(answered, fields);
      const entry = { id: publicId('ent', id), values, createdAt: isoTime(createdAt), updatedAt: isoTime(updatedAt) };
      return `${JSON.stringify(entry)}\n`;
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

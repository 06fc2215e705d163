import { createHash } from 'node:crypto';
import { createReadStream, openAsBlob } from 'node:fs';
import { basename, extname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@headwater/sdk';
import { ConfigError } from '../shared/config.ts';
import { silent } from './progress.ts';
import { checkFile } from './source.ts';

interface CsvOptions {
  /** The id or name of a collection. */
  collection: string;
  /** Updates the entries with the same value of this field. */
  key: string | undefined;
  /** Checks every row and writes nothing. */
  dryRun: boolean;
}

export interface CsvReport {
  collection: string;
  rows: number;
  created: number;
  updated: number;
  unchanged: number;
  /** The first 100. */
  failed: { id: string; reason: string }[];
  /** A CSV with one line per row. */
  results: string | null;
  notes: { note: string; count: number }[];
}

type Import = Awaited<ReturnType<Client['getImport']>>;

const POLL_MS = 250;

/**
 * Imports a CSV into a collection whose fields its headings name. The service knows an import by the content of its file: run again with
 * the same content, whatever the file is called and wherever it is, an interrupted import continues, and a finished one is only reported.
 * @throws ConfigError for a file or collection that cannot be used
 */
export async function importCsv(from: string, options: CsvOptions, client: Client, tell = silent): Promise<CsvReport> {
  const path = resolve(from);
  checkFile(path);
  const collections = await client.listCollections().all();
  const named = collections.filter(({ id, name }) => id === options.collection || name === options.collection);
  const [collection] = named;
  if (!collection || named.length > 1) {
    throw new ConfigError(
      `--collection must be the id or the name of one collection, not "${options.collection}": ${collections
        .map(({ id, name }) => `${name} (${id})`)
        .join(', ')}`,
    );
  }
  const content = await digestOf(path, options.key);
  let state = await find(client, collection.id, content);
  if (!state) {
    const file = new File([await openAsBlob(path)], nameWith(basename(path), content));
    state = await client.uploadImport({ collectionId: collection.id }, { file });
  }
  const stage = { client, ids: { collectionId: collection.id, importId: state.id } };
  const mapping = mappingOf(state, options.key);
  if (state.stage !== 'import' || options.dryRun) {
    if (state.stage !== 'import') state = await finish(stage, await client.dryRunImport(stage.ids, mapping), tell);
    if (options.dryRun) return report(collection.name, state, state.dryRun);
    state = await client.startImport(stage.ids, null);
  } else if (state.status === 'stopped') {
    state = await client.startImport(stage.ids, null);
  } else if (state.status !== 'importing') {
    const done = report(collection.name, state, state.imported);
    const note = `An earlier run imported this file (${done.created} created, ${done.updated} updated): nothing was done now.`;
    return { ...done, created: 0, updated: 0, notes: [{ note, count: 1 }, ...done.notes] };
  }
  state = await finish(stage, state, tell);
  return report(collection.name, state, state.imported);
}

/** The import of this content, unless it was undone or has expired. */
async function find(client: Client, collectionId: string, content: string): Promise<Import | undefined> {
  for await (const each of client.listImports({ collectionId, pageSize: 100 })) {
    if (each.name.includes(`(${content})`) && each.stage !== 'undo') return each;
  }
  return undefined;
}

/** The name of an import is all that the service keeps of what its file was. */
function nameWith(name: string, content: string): string {
  const end = extname(name).slice(0, 10);
  return `${name.slice(0, name.length - end.length).slice(0, 200)} (${content})${end}`;
}

async function digestOf(path: string, key = ''): Promise<string> {
  const hash = createHash('sha256').update(`${key}\n`);
  for await (const part of createReadStream(path)) hash.update(part);
  return hash.digest('hex').slice(0, 12);
}

/** Waits for the end of a stage. @throws ConfigError if it stopped */
async function finish(
  { client, ids }: { client: Client; ids: { collectionId: string; importId: string } },
  started: Import,
  tell = silent,
): Promise<Import> {
  let state = started;
  while (state.status === 'dry_running' || state.status === 'importing') {
    await sleep(POLL_MS);
    state = await client.getImport(ids);
    tell(
      state.status === 'importing' ? 'Percent imported' : 'Percent checked',
      Math.round((state.job?.progress ?? 0) * 100),
      100,
    );
  }
  if (state.status !== 'stopped') return state;
  const reason = state.job?.error?.detail ?? 'it was canceled';
  throw new ConfigError(`The import stopped: ${reason} Run the command again to continue.`);
}

function mappingOf({ columns }: Import, key: string | undefined) {
  const idColumn = columns.findIndex(({ suggestedField }) => suggestedField === '_id');
  const mapped = columns.map(({ suggestedField }) =>
    suggestedField === null || suggestedField === '_id' ? null : { field: suggestedField },
  );
  if (mapped.every((column) => column === null)) {
    const names = columns.map(({ name }) => name).join(', ');
    throw new ConfigError(`No column matches a field of the collection: ${names}`);
  }
  return {
    columns: mapped,
    ...(key !== undefined && { keyField: key }),
    ...(key === undefined && idColumn >= 0 && { idColumn }),
  };
}

function report(collection: string, { columns }: Import, counts: Import['imported']): CsvReport {
  const {
    rows = 0,
    created = 0,
    updated = 0,
    unchanged = 0,
    failed = 0,
    errors = [],
    resultsUrl = null,
  } = counts ?? {};
  const notes = columns
    .filter(({ suggestedField }) => suggestedField === null)
    .map(({ name }) => ({ note: `The column "${name}" matches no field and was skipped.`, count: rows }));
  if (failed > errors.length)
    notes.push({ note: `${failed} rows failed. The results list all of them.`, count: failed });
  return {
    ...{ collection, rows, created, updated, unchanged, notes },
    failed: errors.map(({ row, field, detail }) => ({
      id: `row ${row}`,
      reason: field ? `${field}: ${detail}` : detail,
    })),
    results: resultsUrl,
  };
}

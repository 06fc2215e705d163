/** Commands that bring content and visits of other systems, through the API. */
import { existsSync, openAsBlob, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Client, isHeadwaterError } from '@headwater/sdk';
import { readContentful } from './contentful.ts';
import { convertValues, type Known } from './convert-values.ts';
import { addFields, addLocales, createCollection } from './create-collections.ts';
import { readDirectus } from './directus.ts';
import { readPayload } from './payload.ts';
import { silent } from './progress.ts';
import { entryKey, type Source, type SourceAsset, type SourceEntry, withoutUnknown } from './source.ts';
import { readStrapi } from './strapi.ts';
import { batchesOf, type EntryOperation, writeEntries } from './write-entries.ts';

export { type CsvReport, importCsv } from './csv.ts';
export { progressLine } from './progress.ts';
export { importVisits, TRACKING_SOURCES, visitReport } from './tracking/import-visits.ts';

/** Each reads the export of another system. */
export const SOURCES = {
  contentful: readContentful,
  directus: readDirectus,
  payload: readPayload,
  strapi: readStrapi,
} satisfies Record<string, (path: string) => Source>;

export interface ImportReport {
  collections: number;
  entries: number;
  files: number;
  /** What was there from an earlier run. */
  skipped: number;
  failed: { id: string; reason: string }[];
  /** What has no counterpart, and how often it occurred. */
  notes: { note: string; count: number }[];
}

/** What has been created so far, by the ids of the other system. */
interface Progress {
  collections: Record<string, string>;
  assets: Record<string, string>;
  entries: Record<string, string>;
  /** What is still to be done: fields of a collection, references of an entry, its publication and what its draft has. */
  open?: Record<string, true>;
}

const CONCURRENCY = 4;
/** How many entries are created between two writes of the progress file. */
const SAVE_EVERY = 50;

/**
 * Creates the content of an export in an account. What was created is noted in `<path>.headwater.json`: when the import is
 * interrupted or some of it failed, running it again continues.
 */
export async function importContent(
  name: keyof typeof SOURCES,
  path: string,
  client: Client,
  tell = silent,
): Promise<ImportReport> {
  const read: Source = SOURCES[name](resolve(path));
  const ids = new Set(read.collections.map(({ id }) => id));
  const collections = read.collections.map((each) => ({
    ...each,
    fields: withoutUnknown(each.fields, ids, read.notes),
  }));
  const source: Source = { ...read, collections };
  const { progress, save } = openProgress(`${resolve(path).replace(/\/$/, '')}.headwater.json`);
  const report: ImportReport = { collections: 0, entries: 0, files: 0, skipped: 0, failed: [], notes: [] };

  /** Creates what is not there yet; a refusal is reported, and the rest goes on. */
  async function create(made: Record<string, string>, id: string, work: () => Promise<string>): Promise<boolean> {
    if (made[id] !== undefined) {
      report.skipped++;
      return false;
    }
    try {
      made[id] = await work();
      return true;
    } catch (error) {
      if (!isHeadwaterError(error) || error.status === 401 || error.status === 0) throw error;
      const faults = error.errors.map(({ pointer, detail }) => `${pointer ?? ''} ${detail}`.trim());
      report.failed.push({ id, reason: faults.join(' ') || error.message });
      return false;
    }
  }

  progress.open ??= {};
  const { open } = progress;
  try {
    const defaultLocale = await addLocales(client, source);
    const known: Known = { ...progress, defaultLocale };
    for (const collection of source.collections) {
      const isNew = await create(progress.collections, collection.id, () => createCollection(client, collection));
      if (!isNew) continue;
      report.collections++;
      open[`fields ${collection.id}`] = true;
    }
    for (const collection of source.collections) {
      if (!open[`fields ${collection.id}`]) continue;
      const done: Record<string, string> = {};
      await create(done, collection.id, async () => {
        await addFields(client, collection, progress.collections);
        return collection.id;
      });
      if (done[collection.id]) delete open[`fields ${collection.id}`];
    }
    save();
    await inParallel(source.assets, async (asset) => {
      const isNew = await create(progress.assets, asset.id, () => upload(client, asset));
      if (isNew && ++report.files % SAVE_EVERY === 0) save();
      tell('Files (the service accepts 10 uploads a second)', report.files + report.skipped, source.assets.length);
    });
    await importEntries(client, source, { progress, open, known, save, report, tell });
  } finally {
    save();
  }
  const isRepeated = report.skipped > 0 && report.collections + report.entries + report.files === 0;
  if (isRepeated) source.notes.add('An earlier run had imported this: nothing was created now.');
  return { ...report, notes: source.notes.list() };
}

interface EntryImport {
  progress: Progress;
  open: Record<string, true>;
  known: Known;
  save(): void;
  report: ImportReport;
  tell: typeof silent;
}

/** Creates entries, then sets references to entries that were created after them, publishes, and writes what drafts have since. */
async function importEntries(
  client: Client,
  source: Source,
  { progress, open, known, save, report, tell }: EntryImport,
) {
  const types = new Map(source.collections.map((each) => [each.id, each]));
  const fieldsOf = ({ collectionId }: SourceEntry) => types.get(collectionId)?.fields ?? [];
  const keyOf = ({ collectionId, id }: SourceEntry) => entryKey(collectionId, id);
  const run = async (
    what: string,
    operationOf: (entry: SourceEntry, key: string) => EntryOperation | undefined,
    onWritten: (key: string, id: string) => void,
  ) => {
    let seen = 0;
    for (const batch of batchesOf(source.entries)) {
      const operations = batch.flatMap((entry) => operationOf(entry, keyOf(entry)) ?? []);
      if (operations.length > 0) {
        const { written, failed } = await writeEntries(client, operations);
        for (const { key, id } of written) onWritten(key, id);
        report.failed.push(...failed.map(({ key, reason }) => ({ id: key, reason })));
        save();
      }
      seen += batch.length;
      tell(what, seen, source.entries.length);
    }
  };
  const byKey = new Map(source.entries.map((entry) => [keyOf(entry), entry]));
  await run(
    'Entries',
    (entry, key) => {
      const collectionId = progress.collections[entry.collectionId];
      if (!types.has(entry.collectionId) || collectionId === undefined) {
        source.notes.add('Entries of collections that could not be created were left out.');
        return undefined;
      }
      if (progress.entries[key] !== undefined) {
        report.skipped++;
        return undefined;
      }
      const { values } = convertValues(fieldsOf(entry), entry.values, known);
      return { key, op: 'create', collectionId, values };
    },
    (key, id) => {
      progress.entries[key] = id;
      report.entries++;
      const entry = byKey.get(key);
      if (!entry) return;
      // Entries of the same batch did not exist either.
      open[`references ${key}`] = true;
      if (entry.isPublished) open[`publish ${key}`] = true;
      if (entry.draft) open[`draft ${key}`] = true;
    },
  );
  const later = (step: string, op: 'update' | 'publish', valuesOf: (entry: SourceEntry) => object | undefined) =>
    run(
      step === 'references' ? 'References' : step === 'publish' ? 'Published' : 'Drafts',
      (entry, key) => {
        const id = progress.entries[key];
        if (!open[`${step} ${key}`] || id === undefined) return undefined;
        const values = valuesOf(entry);
        if (op === 'update' && (!values || Object.keys(values).length === 0)) {
          delete open[`${step} ${key}`];
          return undefined;
        }
        const collectionId = progress.collections[entry.collectionId] ?? '';
        return { key, op, collectionId, id, ...(op === 'update' && { values: { ...values } }) };
      },
      (key) => delete open[`${step} ${key}`],
    );
  await later('references', 'update', (entry) => {
    const names = referencesOf(fieldsOf(entry), entry.values);
    if (names.length === 0) return undefined;
    const { values, unresolved } = convertValues(fieldsOf(entry), entry.values, known);
    for (const _ of unresolved) source.notes.add('References to entries that were not imported were left out.');
    const own = names.map((name) => (name.endsWith(`@${known.defaultLocale}`) ? (name.split('@')[0] ?? name) : name));
    return Object.fromEntries(own.flatMap((name) => (name in values ? [[name, values[name]]] : [])));
  });
  await later('publish', 'publish', () => undefined);
  await later('draft', 'update', (entry) => convertValues(fieldsOf(entry), entry.draft ?? {}, known).values);
}

/** The names of values with references in them. */
function referencesOf(fields: Source['collections'][number]['fields'], values: SourceEntry['values']): string[] {
  const has = (all: typeof fields): boolean =>
    all.some(({ collections, fields: inner, blocks }) =>
      Boolean(collections || (inner && has(inner)) || blocks?.some((block) => has(block.fields))),
    );
  const names = new Set(fields.filter((field) => has([field])).map(({ id }) => id));
  return Object.keys(values).filter((name) => names.has(name.split('@')[0] ?? ''));
}

async function upload(client: Client, { path, name, alt, title, caption }: SourceAsset): Promise<string> {
  const { assetId } = await client.uploadFile({ file: new File([await openAsBlob(path)], name) });
  const texts = { ...(alt && { alt }), ...(title && { title }), ...(caption && { caption }) };
  if (Object.keys(texts).length > 0) await client.updateFile({ assetId }, texts);
  return assetId;
}

function openProgress(file: string): { progress: Progress; save(): void } {
  const progress: Progress = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : { collections: {}, assets: {}, entries: {} };
  const save = () => {
    writeFileSync(`${file}.new`, JSON.stringify(progress));
    renameSync(`${file}.new`, file);
  };
  return { progress, save };
}

async function inParallel<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const workers = Array.from({ length: CONCURRENCY }, async () => {
    for (const item of queue) await work(item);
  });
  for (const done of await Promise.allSettled(workers)) if (done.status === 'rejected') throw done.reason;
}

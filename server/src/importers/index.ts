import { createHash } from 'node:crypto';
import { existsSync, openAsBlob, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Client, isHeadwaterError } from '@headwater/sdk';
import { readContentful } from './contentful.ts';

import { readDirectus } from './directus.ts';
import type { Source, SourceCollection, SourceEntry } from './source.ts';
import { readStrapi } from './strapi.ts';
import { importTracking, type TrackingReport } from './tracking/import-tracking.ts';
import { readPlausible } from './tracking/plausible.ts';
import { readUmami } from './tracking/umami.ts';

export { type CsvReport, importCsv } from './csv.ts';

/** Each reads the export of another system. */
export const SOURCES = {
  contentful: readContentful,
  directus: readDirectus,
  strapi: readStrapi,
} satisfies Record<string, (path: string) => Source>;

/** Each reads the visits and events of another system. */
export const TRACKING_SOURCES = ['plausible', 'umami'] as const;

/**
 * Records the visits and events of another system in an account.
 * @param from the file of an export or the URL of a database
 * @param website the website in Umami
 */
export function importVisits(
  name: (typeof TRACKING_SOURCES)[number],
  from: string,
  website: string | undefined,
  client: Client,
  token: string,
): Promise<TrackingReport> {
  if (name === 'plausible') {
    return importTracking(readPlausible(resolve(from)), `${resolve(from)}.headwater.json`, client, token);
  }
  const progress = resolve(`umami-${website ?? 'website'}.headwater.json`);
  return importTracking(readUmami(from, website), progress, client, token);
}

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
}

const CONCURRENCY = 4;
/** How many entries are created between two writes of the progress file. */
const SAVE_EVERY = 50;

/**
 * Creates the content of an export in an account. What was created is noted in `<path>.headwater.json`: when the import is
 * interrupted or some of it failed, running it again continues.
 */
export async function importContent(name: keyof typeof SOURCES, path: string, client: Client): Promise<ImportReport> {
  const source = SOURCES[name](resolve(path));
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

  try {
    for (const collection of source.collections) {
      const isNew = await create(progress.collections, collection.id, () => createCollection(client, collection));
      if (isNew) report.collections++;
    }
    save();
    await inParallel(source.assets, async ({ id, path: file, name: fileName }) => {
      const isNew = await create(progress.assets, id, async () => {
        const body = { file: new File([await openAsBlob(file)], fileName) };
        return (await client.uploadFile(body)).assetId;
      });
      if (isNew && ++report.files % SAVE_EVERY === 0) save();
    });
    const types = new Map(source.collections.map((each) => [each.id, each]));
    await inParallel(source.entries, async (entry) => {
      const collection = types.get(entry.collectionId);
      const collectionId = progress.collections[entry.collectionId];
      if (!collection || collectionId === undefined) {
        source.notes.add('Entries of collections that could not be created were left out.');
        return;
      }
      const isNew = await create(progress.entries, `${entry.collectionId}/${entry.id}`, async () => {
        const values = withAssets(entry, collection, progress.assets);
        // An entry whose response was lost is not created twice.
        const idempotencyKey = createHash('sha256').update(`${collectionId}\n${entry.id}`).digest('hex');
        return (await client.createEntry({ collectionId }, { values }, { idempotencyKey })).id;
      });
      if (isNew && ++report.entries % SAVE_EVERY === 0) save();
    });
  } finally {
    save();
  }
  return { ...report, notes: source.notes.list() };
}

async function createCollection(client: Client, collection: SourceCollection): Promise<string> {
  const { name, description, fields, displayFieldId } = collection;
  // A field that points nowhere would be refused.
  const display = fields.find((field) => field.id === displayFieldId && field.type === 'text' && !field.repeated);
  const body = { name, fields, ...(description && { description }), ...(display && { displayFieldId: display.id }) };
  return (await client.createCollection(body)).id;
}

/** Replaces the assets' ids by those of the uploaded files; an asset that is missing is left out. */
function withAssets({ values }: SourceEntry, { fields }: SourceCollection, assets: Record<string, string>) {
  const result = { ...values };
  const toAsset = (id: unknown) => (assets[String(id)] === undefined ? [] : [{ assetId: assets[String(id)] }]);
  for (const { id, type, repeated } of fields) {
    if (type !== 'asset' || result[id] === undefined) continue;
    const found = repeated ? (result[id] as unknown[]).flatMap(toAsset) : toAsset(result[id])[0];
    if (found === undefined) delete result[id];
    else result[id] = found;
  }
  return result;
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

import { resolve } from 'node:path';
import type { Client } from '@headwater/sdk';
import { readContentful } from './contentful.ts';
import type { Known } from './convert-values.ts';
import { readDirectus } from './directus.ts';
import { addLocales, importCollections, type TargetCollection } from './import-collections.ts';
import { type ExistingEntries, importEntries, readExisting, refuseOtherSite } from './import-entries.ts';
import { FILES_COLLECTION, importFiles } from './import-files.ts';
import { rulesThatHold } from './kept-rules.ts';
import { readPayload } from './payload.ts';
import { silent } from './progress.ts';
import { keepPublishedOn } from './published-on.ts';
import type { ImportReport } from './report.ts';
import { type Source, withoutUnknown } from './source.ts';
import { readStrapi } from './strapi.ts';

/** Each reads the export of another system. */
export const SOURCES = {
  contentful: readContentful,
  directus: readDirectus,
  payload: readPayload,
  strapi: readStrapi,
} satisfies Record<string, (path: string) => Source>;

const LABELS = { contentful: 'Contentful', directus: 'Directus', payload: 'Payload', strapi: 'Strapi' };

export interface ImportOptions {
  /** Tells exports of the same system apart: those of several sites in one account. */
  source?: string | undefined;
  /** Reports what would be done. */
  dryRun?: boolean | undefined;
}

/**
 * Creates the content of an export in an account. What was created has its identity in the other system stored with it: an import that was
 * interrupted continues when it is run again, from any machine, creates nothing twice, and updates what changed in the export since.
 */
export async function importContent(
  name: keyof typeof SOURCES,
  path: string,
  client: Client,
  tell = silent,
  { source: sourceName, dryRun = false }: ImportOptions = {},
): Promise<ImportReport> {
  const read = keepPublishedOn(SOURCES[name](resolve(path)));
  const { notes } = read;
  const ids = new Set(read.collections.map(({ id }) => id));
  const collections = rulesThatHold(read).map((each) => ({
    ...each,
    fields: withoutUnknown(each.fields, ids, notes, each.id),
  }));
  const source: Source = { ...read, collections };
  const space = sourceName ?? read.space;
  const origin = space === undefined ? name : `${name}/${space}`;
  const report: ImportReport = {
    ...{ collections: 0, entries: 0, files: 0, updated: 0, skipped: 0 },
    failed: [],
    notes: [],
    ...(dryRun && { dryRun }),
  };
  const about = { origin, system: LABELS[name], dryRun, notes, report };
  let existing: ExistingEntries = new Map();
  const check = async (found: ReadonlyMap<string, TargetCollection>) => {
    existing = await readExisting(client, collections, found);
    refuseOtherSite(source, existing, LABELS[name]);
    known.defaultLocale = await addLocales(client, source, dryRun);
  };
  const known: Known = {
    assets: new Map(),
    assetUrls: new Map(source.assets.flatMap(({ id, urls = [] }) => urls.map((url) => [url, id]))),
    entries: new Map(),
    defaultLocale: undefined,
  };
  const targets = await importCollections(client, collections, { ...about, check });
  report.collections = [...targets.values()].filter(({ isNew }) => isNew).length;
  if (source.assets.length > 0) {
    const files = await importCollections(client, [FILES_COLLECTION], { ...about, origin: 'headwater' });
    const target = files.get(FILES_COLLECTION.id);
    if (target) await importFiles(client, source.assets, target, origin, { known, report, notes, dryRun, tell });
  }
  await importEntries(client, source, { targets, existing, known, report, dryRun, tell });
  if (report.skipped > 0 && report.collections + report.entries + report.files + report.updated === 0) {
    notes.add('An earlier run imported what is unchanged into this account.', { count: report.skipped, unit: 'item' });
  }
  return { ...report, notes: notes.list() };
}

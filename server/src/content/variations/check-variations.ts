import type { FastifyRequest } from 'fastify';
import { ApiError, badRequest, escapePointer, type Fault } from '../../shared/errors.ts';
import { parseId } from '../../shared/ids.ts';
import { readJson } from '../../shared/json.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { SchemaView } from '../collections/collection.ts';
import { type Collection, isActive } from '../collections/collection.ts';
import { acceptValues } from '../entries/accept-values.ts';
import { checkChangedValues, checkPublishedValues, type Values } from '../entries/check-values.ts';
import { lockEntries, type WritableEntryRow } from '../entries/queries.ts';
import { presentLocales } from '../locales/published-locales.ts';
import { findReturnedPublished } from '../publishing/queries.ts';
import { requireAction } from '../roles/permitted.ts';

/** An entry that an experiment is about. */
export interface VariedEntry {
  pointer: string;
  collectionId: string;
  entryId: string;
  /** What each variant replaces, with the pointer of the values. */
  variants: readonly { pointer: string; values: Values }[];
}

/**
 * The faults of the values of variants: each is checked as a change of the entry that is published at once would be.
 * @param isServed whether the values become public: the entries must be published, and the caller may publish them
 * @throws ApiError 400 `area_insufficient`, or as `requireAction`
 */
export async function findVariationFaults(
  tx: Tx,
  cache: SchemaView,
  { accountId, ...caller }: FastifyRequest['caller'],
  entries: readonly VariedEntry[],
  isServed: boolean,
): Promise<Fault[]> {
  const isLimited = 'area' in caller && caller.area === 'analytics';
  if (isLimited && entries.some(({ variants }) => variants.length > 0)) {
    throw badRequest(
      'area_insufficient',
      'Your access to this account is limited to analytics: you may not set `values`.',
    );
  }
  const faults: Fault[] = [];
  for (const entry of entries) {
    const check = async (collection: Collection) => entryFaults(tx, accountId, collection, entry, isServed);
    const found = await cache.use(tx, accountId, entry.collectionId, check).catch((error: unknown) => {
      if (!(error instanceof ApiError && error.status === 404)) throw error;
      return [{ pointer: `${entry.pointer}/collectionId`, code: 'collection_unknown', detail: error.message }];
    });
    faults.push(...found);
  }
  return faults;
}

async function entryFaults(
  tx: Tx,
  account_id: string,
  collection: Collection,
  { pointer, entryId, variants }: VariedEntry,
  isServed: boolean,
): Promise<Fault[]> {
  const id = parseId('ent', entryId);
  const [entry] = id === undefined ? [] : await lockEntries(tx, account_id, collection, [id]);
  if (!entry || !isActive(entry)) {
    const detail = 'There is no entry with this ID in this collection.';
    return [{ pointer: `${pointer}/entryId`, code: 'entry_unknown', detail }];
  }
  if (variants.length === 0) return [];
  if (!collection.publishing || !collection.row.public) {
    const detail = `The collection "${collection.row.name}" is not public, so nobody would be shown the values of variants. Set \`publishing\` and \`public\` of the collection first.`;
    return [{ pointer: `${pointer}/collectionId`, code: 'collection_not_public', detail }];
  }
  const faults: Fault[] = [];
  if (isServed) {
    await requireAction(tx, account_id, collection, 'publish', [entry.id]);
    const published = await findReturnedPublished(tx, { account_id, collection_id: collection.id, id: entry.id });
    const detail = 'The entry is not published, so nobody would be shown the values of variants. Publish it first.';
    if (!published[0]) faults.push({ pointer: `${pointer}/entryId`, code: 'entry_not_published', detail });
  }
  for (const each of variants) faults.push(...(await valueFaults(tx, account_id, collection, entry, each)));
  return faults;
}

async function valueFaults(
  tx: Tx,
  accountId: string,
  collection: Collection,
  entry: WritableEntryRow,
  { pointer, values }: VariedEntry['variants'][number],
): Promise<Fault[]> {
  const at = (fault: Fault) => ({ ...fault, pointer: fault.pointer.replace(/^\/values/, pointer) });
  const unsuited = Object.keys(values).flatMap((name): Fault[] => {
    const field = collection.byId.get(name);
    if (!field) return [];
    const place = `${pointer}/${escapePointer(name)}`;
    if (field.private) {
      const detail = `The field "${field.label}" is private, so no visitor sees it. Variants change public fields.`;
      return [{ pointer: place, code: 'field_private', detail }];
    }
    if (field.format === 'slug' || field.unique) {
      const detail = `The field "${field.label}" identifies the entry. Variants change other fields.`;
      return [{ pointer: place, code: 'field_identifies', detail }];
    }
    return [];
  });
  const checked = checkChangedValues(collection, values, readJson(entry.values));
  try {
    const all = await acceptValues(tx, accountId, checked);
    const locales = collection.locales ? presentLocales(collection, collection.locales, all) : undefined;
    const missing = checkPublishedValues(collection, all, locales).faults;
    const own = missing.filter((fault) => Object.hasOwn(values, fault.pointer.split('/')[2] ?? ''));
    return [...unsuited, ...own.map(at)];
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 400)) throw error;
    return [...unsuited, ...error.errors.map(at)];
  }
}

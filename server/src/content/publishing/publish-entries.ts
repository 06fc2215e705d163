import { type Fault, invalid, notFound, refuse } from '../../shared/errors.ts';
import { parseId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { type Collection, isActive } from '../collections/collection.ts';
import { STALE } from '../collections/collection-cache.ts';
import { acceptValues } from '../entries/accept-values.ts';
import { checkPublishedValues } from '../entries/check-values.ts';
import type { Entry } from '../entries/contract.ts';
import { lockEntries, type WritableEntryRow } from '../entries/queries.ts';
import { recordUses } from '../entries/record-uses.ts';
import { serializeEntry, serializeValues } from '../entries/serialize-entry.ts';
import { changeable, type EntryPath, lockEntry } from '../entries/update-entry.ts';
import type { CachedWriteContext } from '../entries/write-context.ts';
import { updateEntries } from '../entries/write-entries.ts';
import { publishedOf } from './published-of.ts';
import { findPublishedRows, movePublished } from './queries.ts';
import { deletePublished, writePublished } from './write-published.ts';

/**
 * Publishes the current version of an entry, whose values must then follow every rule of their fields.
 * @throws ApiError 404; 400 `publishing_disabled`, `version_conflict`, `value_taken`, or with every fault of the values
 */
export function publishEntry(
  tx: Tx,
  context: CachedWriteContext,
  path: EntryPath,
  version: number | undefined,
): Promise<Entry> {
  return useLocked(tx, context, path, version, (collection, entry) => publish(tx, context, collection, [entry]));
}

/** @throws ApiError 404; 400 `publishing_disabled`, `version_conflict` */
export function unpublishEntry(
  tx: Tx,
  context: CachedWriteContext,
  path: EntryPath,
  version: number | undefined,
): Promise<Entry> {
  return useLocked(tx, context, path, version, (collection, entry) => unpublish(tx, context, collection, [entry]));
}

/**
 * Gives an entry the values that are published, as a new version, which is then the published one.
 * @throws ApiError 404; 400 `publishing_disabled`, `version_conflict`, `not_published`
 */
export function discardDraft(
  tx: Tx,
  context: CachedWriteContext,
  path: EntryPath,
  version: number | undefined,
): Promise<Entry> {
  const account_id = context.author.accountId;
  return useLocked(tx, context, path, version, async (collection, entry) => {
    const [published] = await findPublishedRows(tx, { account_id, ids: [entry.id] });
    if (!published) {
      const detail = 'The entry is not published, so there is no version to return to.';
      throw invalid([{ pointer: '', code: 'not_published', detail }]);
    }
    if (published.version === entry.version) return unchanged(tx, context, collection, [entry]);
    const restored = { before: entry, values: JSON.parse(published.values), status: entry.status };
    const written = await updateEntries(tx, context, collection, [{ ...restored, restoredFrom: published.version }]);
    return Promise.all(
      written.map(async ({ id, version, entry: returned }) => {
        await movePublished(tx, { account_id, id, version });
        return { ...returned, publishedVersion: version };
      }),
    );
  });
}

/**
 * Publishes or unpublishes entries of a collection, all or none.
 * @throws ApiError 404; 400 with every fault of every entry
 */
export function changeSeveral(
  tx: Tx,
  context: CachedWriteContext,
  collectionId: string,
  entryIds: readonly string[],
  change: 'publish' | 'unpublish',
): Promise<Entry[]> {
  const { accountId: account_id } = context.author;
  return context.cache.use(tx, account_id, collectionId, async (collection) => {
    publishedOf(collection, '');
    const ids = entryIds.map((id) => parseId('ent', id));
    const known = ids.filter((id) => id !== undefined);
    const locked = await lockEntries(tx, { account_id, collection_id: collection.id, ids: known });
    if (locked[0] && locked[0].collection_version !== collection.version) return STALE;
    const byId = new Map(locked.filter(isActive).map((entry) => [entry.id, entry]));
    const faults: Fault[] = [];
    const entries = new Map<string, WritableEntryRow>();
    for (const [i, id] of ids.entries()) {
      const entry = byId.get(id ?? '');
      const detail = 'There is no such entry in this collection.';
      if (!entry) faults.push({ pointer: `/entryIds/${i}`, code: 'entry_unknown', detail });
      else entries.set(entry.id, entry);
    }
    refuse(faults);
    const pointer = (entryId: string) => `/entryIds/${ids.indexOf(entryId)}`;
    const all = [...entries.values()];
    const changed = await (change === 'publish'
      ? publish(tx, context, collection, all, pointer)
      : unpublish(tx, context, collection, all));
    const results = new Map(changed.map((entry) => [entry.id, entry]));
    return entryIds.flatMap((id) => results.get(id) ?? []);
  });
}

/** Runs an operation with a locked, active entry of a collection with publishing. */
function useLocked(
  tx: Tx,
  context: CachedWriteContext,
  path: EntryPath,
  version: number | undefined,
  operation: (collection: Collection, entry: WritableEntryRow) => Promise<Entry[]>,
): Promise<Entry> {
  const { accountId } = context.author;
  return context.cache.use(tx, accountId, path.collectionId, async (collection) => {
    const entry = changeable(await lockEntry(tx, accountId, collection.id, path.entryId), { version });
    if (entry.collection_version !== collection.version) return STALE;
    publishedOf(collection, '');
    const [changed] = await operation(collection, entry);
    if (!changed) throw notFound('entry');
    return changed;
  });
}

/** @param pointerTo the member of the request that names an entry (UUID); one entry needs none */
async function publish(
  tx: Tx,
  context: CachedWriteContext,
  collection: Collection,
  entries: readonly WritableEntryRow[],
  pointerTo: (entryId: string) => string = () => '',
): Promise<Entry[]> {
  const { accountId } = context.author;
  const faults: Fault[] = [];
  const assets: { pointer: string; assetId: string }[] = [];
  for (const { id, values } of entries) {
    const checked = checkPublishedValues(collection, JSON.parse(values));
    const within = <Item extends { pointer: string }>(item: Item) => ({
      ...item,
      pointer: pointerTo(id) + item.pointer,
    });
    faults.push(...checked.faults.map(within));
    assets.push(...checked.assets.map(within));
  }
  await acceptValues(tx, accountId, { ...NO_VALUES, faults: faults.slice(0, MAX_FAULTS), assets });
  const published = await writePublished(
    tx,
    context,
    collection,
    entries,
    (fieldId, id) => `${pointerTo(id)}/values/${fieldId}`,
  );
  await recordPublishedUses(tx, context, collection, entries);
  return published;
}

const MAX_FAULTS = 1_000;
// The entries that a draft references may be deleted since, and are left out then.
const NO_VALUES = { values: {}, references: [], slugs: [] };

async function unpublish(
  tx: Tx,
  context: CachedWriteContext,
  collection: Collection,
  entries: readonly WritableEntryRow[],
): Promise<Entry[]> {
  const [published, others] = [true, false].map((isPublished) =>
    entries.filter((entry) => (entry.published_version != null) === isPublished),
  ) as [WritableEntryRow[], WritableEntryRow[]];
  const changed = published.length === 0 ? [] : await deletePublished(tx, context, collection, published);
  await recordPublishedUses(tx, context, collection, published);
  return [...changed, ...(await unchanged(tx, context, collection, others))];
}

async function recordPublishedUses(
  tx: Tx,
  { author, now }: CachedWriteContext,
  collection: Collection,
  entries: readonly WritableEntryRow[],
): Promise<void> {
  const uses = entries.map(({ id, status, values }) => ({ id, status, values: JSON.parse(values) }));
  await recordUses(tx, author.accountId, collection, uses, now);
}

async function unchanged(
  tx: Tx,
  { author, publicUrl }: CachedWriteContext,
  collection: Collection,
  entries: readonly WritableEntryRow[],
): Promise<Entry[]> {
  const stored = entries.map(({ values }) => JSON.parse(values));
  const serialized = await serializeValues(tx, author.accountId, collection, stored, publicUrl);
  return entries.map((entry, i) => serializeEntry(collection, entry, serialized[i] ?? {}));
}

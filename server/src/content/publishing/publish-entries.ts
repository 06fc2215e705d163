import { type Action, notGranted } from '../../accounts/index.ts';
import { ApiError, type Fault, invalid, notFound, refuse } from '../../shared/errors.ts';
import { parseId } from '../../shared/ids.ts';
import { readJson } from '../../shared/json.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { mapInTurns } from '../../shared/turns.ts';
import { type Collection, isActive, stateView } from '../collections/collection.ts';
import { STALE } from '../collections/stale.ts';
import { unapprovedFaults } from '../editorial/reviews.ts';
import { acceptValues } from '../entries/accept-values.ts';
import { checkPublishedValues, type SentAsset, type Values } from '../entries/check-values.ts';
import type { Entry } from '../entries/contract.ts';
import { lockEntries, type WritableEntryRow } from '../entries/queries.ts';
import { recordUses } from '../entries/record-uses.ts';
import { serializeEntry, serializeValues } from '../entries/serialize-entry.ts';
import { changeable, type EntryPath, lockEntry, versionConflict } from '../entries/update-entry.ts';
import type { CachedWriteContext } from '../entries/write-context.ts';
import { updateEntries } from '../entries/write-entries.ts';
import { chosenLocales, publishedLocalesOf, storedLocalesOf, withPublished } from '../locales/published-locales.ts';
import { requireClearance } from '../publish-hooks/clearance.ts';
import { narrowValues, wholeOf } from '../roles/collection-access.ts';
import { requireAction } from '../roles/permitted.ts';
import { choosePublished, chooseUnpublished, type LocalizedRow } from './choose-locales.ts';
import { publishedOf } from './published-of.ts';
import { findPublishedRows, movePublished, type PublishedRow } from './queries.ts';
import { asEntry, deletePublished, writePublished } from './write-published.ts';

/**
 * Publishes the current version of an entry, whose values must then follow every rule of their fields.
 * @throws ApiError 404; 400 `publishing_disabled`, `version_conflict`, `value_taken`, or with every fault of the values
 */
export function publishEntry(
  tx: Tx,
  context: CachedWriteContext,
  path: EntryPath,
  { version, locales }: SentPublishing,
): Promise<Entry> {
  return useLocked(tx, context, path, version, (collection, entry) =>
    publish(tx, context, collection, [{ ...entry, locales: chosenLocales(collection, locales) }]),
  );
}

/** @throws ApiError 404; 400 `publishing_disabled`, `version_conflict` */
export function unpublishEntry(
  tx: Tx,
  context: CachedWriteContext,
  path: EntryPath,
  { version, locales }: SentPublishing,
): Promise<Entry> {
  return useLocked(tx, context, path, version, async (collection, entry) => {
    const chosen = [{ ...entry, locales: chosenLocales(collection, locales) }];
    return unpublish(tx, context, collection, chosen);
  });
}

/** Body of a request that publishes or unpublishes an entry. */
interface SentPublishing {
  version?: number;
  locales?: string[];
}

/**
 * Gives an entry the values that are published, as a new version, which is then the published one.
 * @throws ApiError 404; 400 `publishing_disabled`, `version_conflict`, `not_published`
 */
export function discardDraft(
  tx: Tx,
  context: CachedWriteContext,
  path: EntryPath,
  { version }: SentPublishing,
): Promise<Entry> {
  const account_id = context.author.accountId;
  return useLocked(
    tx,
    context,
    path,
    version,
    async (view, entry) => {
      const collection = wholeOf(view);
      const [published] = await findPublishedRows(tx, { account_id, ids: [entry.id] });
      if (!published) {
        const detail = 'The entry is not published, so there is no version to return to.';
        throw invalid([{ pointer: '', code: 'not_published', detail }]);
      }
      if (published.version === entry.version && !collection.locales)
        return unchanged(tx, context, collection, [entry]);
      const { values, locales } = publishedDraft(collection, entry, published);
      if (JSON.stringify(values) === entry.values) return unchanged(tx, context, collection, [entry]);
      const restored = { before: entry, values, status: entry.status };
      const written = await updateEntries(tx, context, view, [{ ...restored, restoredFrom: published.version }]);
      return Promise.all(
        written.map(async ({ id, version, entry: returned }) => {
          const moved = locales && Object.fromEntries(locales.map((locale) => [locale, version]));
          await movePublished(tx, { account_id, id, version, locales: moved ? JSON.stringify(moved) : null });
          const row = { published_version: version, published_locales: moved };
          const publishedLocales = collection.locales && publishedLocalesOf(collection.locales, row);
          return { ...returned, publishedVersion: version, ...(publishedLocales && { publishedLocales }) };
        }),
      );
    },
    'update',
  );
}

/** The draft with what is published of it, and the locales that are. */
function publishedDraft({ locales, ...collection }: Collection, entry: WritableEntryRow, published: PublishedRow) {
  const values: Values = readJson(published.values);
  if (locales === null) return { values, locales: undefined };
  const row = asEntry(published);
  const draft = withPublished({ locales, ...collection }, locales, readJson(entry.values), { values, row });
  return { values: draft, locales: Object.keys(storedLocalesOf(locales, row)) };
}

/**
 * Publishes or unpublishes entries of a collection, all or none.
 * @throws ApiError 404; 400 with every fault of every entry
 */
export function changeSeveral(
  tx: Tx,
  context: CachedWriteContext,
  collectionId: string,
  { entryIds, locales: sent }: { entryIds: readonly string[]; locales?: string[] },
  action: EntryPublication['action'],
): Promise<Entry[]> {
  return context.cache.use(tx, context.author.accountId, collectionId, async (collection) => {
    const locales = chosenLocales(collection, sent);
    const changes = entryIds.map((id, i) => ({ id: parseId('ent', id), action, locales, pointer: `/entryIds/${i}` }));
    const changed = await changeEntries(tx, context, collection, changes);
    if (changed === STALE) return STALE;
    const results = new Map(changed.map((entry) => [entry.id, entry]));
    return entryIds.flatMap((id) => results.get(id) ?? []);
  });
}

/** An entry that is published or unpublished with others. */
interface EntryPublication {
  /** UUID; undefined: the request names none. */
  id: string | undefined;
  action: 'publish' | 'unpublish';
  /** The version to publish and its values as JSON text, if it is not the current one. */
  pinned?: { version: number; values: string } | undefined;
  /** The version that the entry must have. */
  version?: number | undefined;
  /** The locales to publish or unpublish; all by default. */
  locales?: readonly string[] | undefined;
  /** The member of the request that names the entry. */
  pointer: string;
  /** Within it, what names the entry, if it also says something else. */
  name?: string | undefined;
}

/**
 * Publishes and unpublishes entries of a collection, all or none. What is unpublished releases its unique values first.
 * @throws ApiError 400 with every fault of every entry
 */
export async function changeEntries(
  tx: Tx,
  context: CachedWriteContext,
  collection: Collection,
  changes: readonly EntryPublication[],
): Promise<Entry[] | typeof STALE> {
  publishedOf(collection, '');
  const ids = changes.flatMap(({ id }) => id ?? []);
  const locked = await lockEntries(tx, context.author.accountId, collection, ids);
  if (locked[0] && locked[0].collection_version !== collection.version) return STALE;
  const drafts = new Map(locked.filter(isActive).map((entry) => [entry.id, entry]));
  const faults: Fault[] = [];
  const pointers = new Map<string, string>();
  const chosen: Record<EntryPublication['action'], LocalizedRow[]> = { publish: [], unpublish: [] };
  for (const { id = '', action, pinned, version, locales, pointer, name = '' } of changes) {
    const entry = drafts.get(id);
    const detail = 'There is no entry with this ID in this collection.';
    const conflict = entry && versionConflict(entry, version);
    if (conflict) faults.push({ ...conflict, pointer: pointer + conflict.pointer });
    if (!entry) faults.push({ pointer: pointer + name, code: 'entry_unknown', detail });
    else if (!pointers.has(id)) chosen[action].push({ ...entry, ...pinned, locales, current_version: entry.version });
    if (entry && !pointers.has(id)) pointers.set(id, pointer);
  }
  const pointerTo = (id: string) => pointers.get(id) ?? '';
  await requireAction(tx, context.author.accountId, collection, 'publish', [...pointers.keys()]);
  const unpublished = await unpublish(tx, context, collection, chosen.unpublish);
  const published = await publish(tx, context, collection, chosen.publish, { pointerTo, faults, drafts });
  return [...unpublished, ...published].map((entry) => narrowValues(collection, entry));
}

/** Runs an operation with a locked, active entry of a collection with publishing. */
function useLocked(
  tx: Tx,
  context: CachedWriteContext,
  path: EntryPath,
  version: number | undefined,
  operation: (collection: Collection, entry: WritableEntryRow) => Promise<Entry[]>,
  action: Action = 'publish',
): Promise<Entry> {
  const { accountId } = context.author;
  return context.cache.use(tx, accountId, path.collectionId, async (collection) => {
    const entry = changeable(await lockEntry(tx, accountId, collection, path.entryId), { version });
    if (entry.collection_version !== collection.version) return STALE;
    publishedOf(collection, '');
    await requireAction(tx, accountId, collection, action, [entry.id]);
    const [changed] = await operation(collection, entry);
    if (!changed) throw notFound('entry');
    return narrowValues(collection, changed);
  });
}

/** A role can be limited to some locales. @throws ApiError 400 `role_insufficient` */
function refuseLocales({ access, locales }: Collection, entries: readonly LocalizedRow[]): void {
  const allowed = access?.permissions.publish?.locales;
  if (!allowed || !locales) return;
  const isWithin = entries.every((entry) => entry.locales?.every((locale) => allowed.includes(locale)));
  if (!isWithin) throw notGranted(`it may publish and unpublish only ${allowed.join(', ')}; name these in \`locales\``);
}

/** What is published may be another version than the draft, or some of its locales: it must match the condition, too. */
function requirePublished(tx: Tx, accountId: string, view: Collection, entries: readonly { id: string }[]) {
  const ids = entries.map(({ id }) => id);
  return requireAction(tx, accountId, stateView('published')(view), 'publish', ids);
}

interface Publishing {
  /** The member of the request that names an entry (UUID); one entry needs none. */
  pointerTo?: (entryId: string) => string;
  /** Faults that were found before. */
  faults?: readonly Fault[];
  /** The entries by ID with their current values, if others are published. */
  drafts?: ReadonlyMap<string, WritableEntryRow>;
}

/** @throws ApiError 400 with every fault of every entry; what was written is then rolled back with the transaction */
async function publish(
  tx: Tx,
  context: CachedWriteContext,
  view: Collection,
  entries: readonly LocalizedRow[],
  { pointerTo = () => '', faults: earlier = [], drafts }: Publishing = {},
): Promise<Entry[]> {
  const { accountId } = context.author;
  refuseLocales(view, entries);
  const collection = wholeOf(view);
  const faults = [...earlier];
  const values: Fault[] = [];
  const assets: SentAsset[] = [];
  const rows = await choosePublished(tx, accountId, collection, entries);
  await mapInTurns(rows, (entry) => {
    const { changed_locales, changes_shared } = entry;
    const checked = checkPublishedValues(collection, readJson(entry.values), changed_locales, changes_shared);
    const within = <Item extends { pointer: string }>(item: Item) => ({
      ...item,
      pointer: pointerTo(entry.id) + item.pointer,
    });
    values.push(...checked.faults.map(within));
    assets.push(...checked.assets.map(within));
  });
  faults.push(...(await unapprovedFaults(tx, accountId, collection, entries, pointerTo)));
  await faultsInto(faults, acceptValues(tx, accountId, { ...NO_VALUES, faults: values.slice(0, MAX_FAULTS), assets }));
  const pointer = (fieldId: string, id: string) => `${pointerTo(id)}/values/${fieldId}`;
  const published =
    rows.length === 0 ? [] : await faultsInto(faults, writePublished(tx, context, collection, rows, pointer));
  refuse(faults.slice(0, MAX_FAULTS));
  await requireClearance(tx, { ...context, accountId }, collection, rows, pointerTo);
  const current = drafts ? entries.map((entry) => drafts.get(entry.id) ?? entry) : entries;
  await recordPublishedUses(tx, context, collection, current);
  await requirePublished(tx, accountId, view, entries);
  return withDrafts(tx, context, collection, published ?? [], current);
}

/** Of an entry that is published in some locales, the draft is returned: no version has the values that are published. */
async function withDrafts(
  tx: Tx,
  context: CachedWriteContext,
  collection: Collection,
  changed: Entry[],
  drafts: readonly WritableEntryRow[],
): Promise<Entry[]> {
  if (!collection.locales || changed.length === 0) return changed;
  const values = new Map((await unchanged(tx, context, collection, drafts)).map((entry) => [entry.id, entry.values]));
  return changed.map((entry) => ({ ...entry, values: values.get(entry.id) ?? entry.values }));
}

/** The result of a step, or undefined if it was refused, so that the next one can find further faults. */
async function faultsInto<Result>(faults: Fault[], step: Promise<Result>): Promise<Result | undefined> {
  try {
    return await step;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 400) throw error;
    faults.push(...error.errors);
    return undefined;
  }
}

const MAX_FAULTS = 1_000;
// The entries that a draft references may be deleted since, and are left out then.
const NO_VALUES = { values: {}, references: [], slugs: [] };

/** Unpublishes entries, or some of their locales. */
async function unpublish(
  tx: Tx,
  context: CachedWriteContext,
  view: Collection,
  entries: readonly LocalizedRow[],
): Promise<Entry[]> {
  const { accountId } = context.author;
  refuseLocales(view, entries);
  const collection = wholeOf(view);
  const { whole, partial, ...same } = await chooseUnpublished(tx, accountId, collection, entries);
  const removed = whole.length === 0 ? [] : await deletePublished(tx, context, collection, whole);
  const reduced =
    partial.length === 0 ? [] : await writePublished(tx, context, collection, partial, undefined, 'entry.unpublished');
  const isPartial = new Set(partial.map(({ id }) => id));
  const drafts = entries.filter(({ id }) => isPartial.has(id));
  await recordPublishedUses(tx, context, collection, [...whole, ...drafts]);
  if (reduced.length > 0) await requirePublished(tx, accountId, view, partial);
  return [
    ...removed,
    ...(await withDrafts(tx, context, collection, reduced, drafts)),
    ...(await unchanged(tx, context, collection, same.unchanged)),
  ];
}

async function recordPublishedUses(
  tx: Tx,
  { author, now }: CachedWriteContext,
  collection: Collection,
  entries: readonly WritableEntryRow[],
): Promise<void> {
  const uses = entries.map(({ id, status, values }) => ({ id, status, values: readJson(values) }));
  await recordUses(tx, author.accountId, collection, uses, now);
}

async function unchanged(
  tx: Tx,
  { author, publicUrl }: CachedWriteContext,
  collection: Collection,
  entries: readonly WritableEntryRow[],
): Promise<Entry[]> {
  const stored = entries.map(({ values }) => readJson(values));
  const serialized = await serializeValues(tx, author.accountId, collection, stored, publicUrl);
  return entries.map((entry, i) => serializeEntry(collection, entry, serialized[i] ?? {}));
}

import { type Fault, notFound, refuse } from '../../shared/errors.ts';
import { parseId, publicId } from '../../shared/ids.ts';
import type { Database, Tx } from '../../shared/postgres/database.ts';
import { recordVisibility } from '../changes/record-changes.ts';
import type { CollectionChange, Collection as CollectionResponse } from '../contract.ts';
import { templatesOf } from '../entries/computed-values.ts';
import { LIMITS } from '../limits.ts';
import { localesOfCollection } from '../locales/check-locales.ts';
import { shareLockLocales } from '../locales/queries.ts';
import { checkLocalized, checkTranslations, withTranslations } from '../locales/translations.ts';
import { placeExisting } from '../ordering/place-existing.ts';
import { withSystemFields } from '../ordering/system-fields.ts';
import { checkPreviewUrl } from '../previews/preview-url.ts';
import { findAnyPublished } from '../publishing/queries.ts';
import { findCollectionFaults } from '../references/reference-uses.ts';
import { findVariedFaults } from '../variations/varied-faults.ts';
import {
  type Collection,
  type CollectionRow,
  collectionOf,
  type Field,
  isActive,
  isOwn,
  publishedKeyOf,
  serializeCollection,
} from './collection.ts';
import { checkKey } from './collection-keys.ts';
import {
  assignFieldKeys,
  assignTupleKeys,
  checkFieldsSize,
  checkPublic,
  newFieldId,
  resolveReferences,
} from './collection-rules.ts';
import { mergeCollectionSettings } from './collection-settings.ts';
import { refuseDataLoss } from './components/data-loss.ts';
import { loadComponents } from './components/queries.ts';
import { checkFieldRules } from './field-rules.ts';
import { mergeFields } from './merge-fields.ts';
import {
  countEntries,
  countPublished,
  insertMissingPublished,
  insertMissingRows,
  lockCollection,
  requestBackfill,
  updateCollectionRow,
} from './queries.ts';
import { replaceCollectionKeys, updateReferenceFields } from './reference-fields.ts';
import { recompute } from './reindex-entries.ts';
import { checkSlugSources } from './slug-sources.ts';
import { updateUniqueKeys } from './unique-fields.ts';

interface UpdatedCollection {
  collection: Collection;
  /** Whether the index of new fields was left to the worker. */
  needsBackfill: boolean;
}

/** Records a change in its transaction. */
export type RecordChange = (tx: Tx, before: CollectionResponse, after: CollectionResponse) => Promise<void>;

/** Up to this many index rows are written within the request; more are left to the worker. */
export const MAX_ROWS_IN_REQUEST = 20_000;

/**
 * Changes, deletes (`status: "deleted"`) or restores a collection. Waits for other changes of the collection and for
 * entries that are being written to it.
 * @throws ApiError 404 if the collection is deleted, unless it is restored; 400 with every fault
 */
export async function updateCollection(
  db: Database,
  accountId: string,
  collectionId: string,
  sent: CollectionChange,
  now: number,
  maxRowsInRequest = MAX_ROWS_IN_REQUEST,
  record: RecordChange = async () => {},
): Promise<UpdatedCollection> {
  const id = parseId('col', collectionId);
  if (id === undefined) throw notFound('collection');
  return db.transaction(async (tx) => {
    // Before the collection, as whoever changes the locales locks both.
    const [stored] = await shareLockLocales(tx, { account_id: accountId });
    const components = sent.fields ? await loadComponents(tx, accountId) : undefined;
    const [before] = await lockCollection(tx, { account_id: accountId, id });
    if (!before || !(isActive(before) || sent.status === 'active')) throw notFound('collection');
    const locales = localesOfCollection(before.locales, stored?.settings ?? null);
    const faults: Fault[] = [];
    const own = mergeFields(before.fields.filter(isOwn), sent.fields ?? [], {
      newId: newFieldId,
      faults,
      ...(components && { components }),
    });
    const referencesBefore = { displayFieldId: before.display_field_id, defaultSort: before.default_sort };
    const references = resolveReferences(own, sent, referencesBefore, faults);
    checkSlugSources(own, sent.fields ?? [], faults);
    checkLocalized(sent.fields ?? [], locales, faults);
    const settings = mergeCollectionSettings(own, before.settings, sent, faults);
    const translated = withTranslations(own, before.fields, locales);
    const fields = withSystemFields(translated, before.fields, settings, publicId('col', id));
    checkTranslations(fields, faults);
    checkFieldsSize(fields, faults);
    checkFieldRules(own, faults);
    const getsOrder = settings?.ordering !== undefined && before.settings?.ordering === undefined;
    if (getsOrder) await refuseMany(tx, accountId, id, faults);
    if (settings?.singleton && !before.settings?.singleton) await refuseSecond(tx, accountId, id, faults);
    const { publishing = before.publishing, public: isPublic = before.public } = sent;
    const previewUrl = sent.previewUrl === undefined ? before.preview_url : sent.previewUrl;
    if (sent.previewUrl !== undefined) checkPreviewUrl(sent.previewUrl, faults);
    checkPublic(publishing, isPublic, faults);
    if (before.publishing && !publishing) await refusePublished(tx, accountId, id, faults);
    if (sent.status === 'deleted') faults.push(...(await findCollectionFaults(tx, accountId, id)));
    faults.push(...(await findVariedFaults(tx, accountId, { id, fields: own }, sent.status === 'deleted')));
    const status = sent.status ?? before.status;
    const key = sent.key === undefined ? before.key : sent.key;
    const getsKey = status === 'active' && (key !== before.key || before.status !== status);
    if (key !== null && getsKey) await checkKey(tx, accountId, id, key, faults);
    refuse(faults);
    if (!sent.allowDataLoss)
      await refuseDataLoss(tx, accountId, [{ id, name: before.name, before: before.fields, after: own }]);
    await replaceCollectionKeys(tx, accountId, fields, key === null ? undefined : [key, publicId('col', id)]);
    const needsBackfill = await replaceFieldIndex(
      tx,
      accountId,
      before,
      fields,
      publishing,
      maxRowsInRequest,
      settings,
    );
    const [row] = await updateCollectionRow(tx, {
      account_id: accountId,
      id,
      name: sent.name ?? before.name,
      description: sent.description === undefined ? before.description : sent.description,
      fields: JSON.stringify(fields),
      display_field_id: references.displayFieldId,
      default_sort: references.defaultSort && JSON.stringify(references.defaultSort),
      status,
      publishing,
      public: isPublic,
      preview_url: previewUrl,
      review: sent.review === undefined ? before.review : sent.review,
      locales: before.locales || own.some(({ localized }) => localized) ? JSON.stringify(locales) : null,
      key,
      settings: settings && JSON.stringify(settings),
      now: new Date(now),
    });
    if (!row) throw new Error('a locked collection disappeared');
    await recordVisibility(tx, accountId, before, row, now);
    if (getsOrder) await placeExisting(tx, accountId, row);
    const isRecomputed = templatesOf(fields) !== templatesOf(before.fields);
    const isLeft = isRecomputed && (await recompute(tx, accountId, id, publishing));
    await record(tx, serializeCollection(before), serializeCollection(row));
    return { collection: collectionOf(row), needsBackfill: needsBackfill || isLeft };
  });
}

/**
 * Indexes entries by other fields than before: new ones, restored ones, and those that became unique. Returns whether the worker
 * has to write rows.
 */
export async function replaceFieldIndex(
  tx: Tx,
  accountId: string,
  before: CollectionRow,
  fields: readonly Field[],
  publishing: boolean,
  maxRows: number,
  settings = before.settings,
): Promise<boolean> {
  const { id } = before;
  await assignFieldKeys(tx, fields, publishing);
  await assignTupleKeys(tx, settings);
  await updateReferenceFields(tx, accountId, { id, fields }, before.fields);
  await updateUniqueKeys(tx, accountId, id, before, { fields, settings, publishing });
  return indexNewFields(tx, accountId, id, before.fields, fields, publishing, maxRows);
}

/**
 * Every entry has an index row for each active field, even without a value. Existing entries lack the row of a field that
 * is new or restored. Returns whether the worker has to write them.
 */
async function indexNewFields(
  tx: Tx,
  accountId: string,
  collectionId: string,
  before: readonly Field[],
  after: readonly Field[],
  publishing: boolean,
  maxRows: number,
): Promise<boolean> {
  const activeBefore = new Set(before.filter(isActive).map(({ key }) => key));
  const fields = after.filter((field) => isActive(field) && !activeBefore.has(field.key));
  if (fields.length === 0) return false;
  const collection = { account_id: accountId, collection_id: collectionId };
  const limit = Math.floor(maxRows / fields.length);
  const isFew = ([counted]: { count: number }[]) => (counted?.count ?? 0) <= limit;
  let needsBackfill = false;
  if (isFew(await countEntries(tx, { ...collection, limit: limit + 1 }))) {
    await insertMissingRows(tx, { ...collection, fields });
  } else {
    for (const field of fields) field.pending = true;
    await requestBackfill(tx, { ...collection, fields, published: false });
    needsBackfill = true;
  }
  if (!publishing) return needsBackfill;
  const published = fields.map((field) => ({ key: publishedKeyOf(field) }));
  if (isFew(await countPublished(tx, { ...collection, limit: limit + 1 }))) {
    await insertMissingPublished(tx, { ...collection, fields: published });
    return needsBackfill;
  }
  for (const field of fields) field.publishedPending = true;
  await requestBackfill(tx, { ...collection, fields: published, published: true });
  return true;
}

async function refuseMany(tx: Tx, account_id: string, collection_id: string, faults: Fault[]): Promise<void> {
  const limit = LIMITS.orderedEntries;
  const [counted] = await countEntries(tx, { account_id, collection_id, limit: limit + 1 });
  if ((counted?.count ?? 0) <= limit) return;
  const detail = `Only a collection with at most ${limit} entries can get a manual order.`;
  faults.push({ pointer: '/ordering', code: 'too_many', detail });
}

async function refuseSecond(tx: Tx, account_id: string, collection_id: string, faults: Fault[]): Promise<void> {
  const [counted] = await countEntries(tx, { account_id, collection_id, limit: 2 });
  if ((counted?.count ?? 0) < 2) return;
  const detail = 'The collection has several entries. Delete all but one of them first.';
  faults.push({ pointer: '/singleton', code: 'entries_exist', detail });
}

/** Without drafts, what is published and what is not would be the same. */
async function refusePublished(tx: Tx, account_id: string, collection_id: string, faults: Fault[]): Promise<void> {
  const [published] = await findAnyPublished(tx, { account_id, collection_id });
  if (!published) return;
  const detail = `The entry ${publicId('ent', published.id)} and maybe others are published. Unpublish them first.`;
  faults.push({ pointer: '/publishing', code: 'entries_published', detail });
}

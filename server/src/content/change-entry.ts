import { recordEntryUses } from '../files/index.ts';
import { invalid, notFound } from '../shared/errors.ts';
import { parseId } from '../shared/ids.ts';
import { writeOutbox } from '../shared/outbox.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { acceptValues } from './accept-values.ts';
import { checkChangedValues, type Values } from './check-values.ts';
import { type Collection, isActive, type Status } from './collection.ts';
import type { Entry, EntryChange } from './contract.ts';
import { answerValues, assetIdsOf, entryAnswer } from './entry-answer.ts';
import { changedRows, type IndexRow, type Keys, keysOf, rowsOf, textOf } from './index-entry.ts';
import { STALE } from './known-collections.ts';
import { type EntryRow, lockEntry, updateEntry } from './queries.ts';
import { signatureOf } from './signature.ts';
import type { Change } from './version-queries.ts';
import type { Writing } from './writing.ts';

/** What becomes of an entry. */
export interface Rewrite {
  /** As they are sent; those that are not stay. */
  values: Values;
  status?: Status | undefined;
  /** The version whose values these are. */
  restoredFrom?: number;
}

/**
 * Changes, deletes (`status: "deleted"`) or restores an entry.
 * @throws ApiError 404, for a deleted one, too, unless it is restored; 400 `version_conflict`, or with every fault of the values
 */
export function changeEntry(
  tx: Tx,
  writing: Writing,
  path: { collectionId: string; entryId: string },
  sent: EntryChange,
): Promise<Entry> {
  const { values = {}, status } = sent;
  return rewriteEntry(tx, writing, path, sent, async () => ({ values, status }));
}

/**
 * Changes an entry to what is decided by what it is. `tx` is a transaction: the entry is held from its reading to its commit,
 * so that of two changes with the same `version` one alone succeeds. What it was is kept.
 */
export async function rewriteEntry(
  tx: Tx,
  { known, author, now, publicUrl, keep }: Writing,
  path: { collectionId: string; entryId: string },
  expected: { version?: number; status?: Status },
  decide: (collection: Collection, before: EntryRow, stored: Values) => Promise<Rewrite>,
): Promise<Entry> {
  const { accountId } = author;
  return known.use(tx, accountId, path.collectionId, async (collection) => {
    const id = parseId('ent', path.entryId);
    const [before] = id === undefined ? [] : await lockEntry(tx, accountId, collection.id, id);
    if (!before || !(isActive(before) || expected.status === 'active')) throw notFound('entry');
    if (before.collection_version !== collection.version) return STALE;
    if (expected.version !== undefined && expected.version !== before.version) {
      const detail = `The entry is at version ${before.version} by now.`;
      throw invalid([{ pointer: '/version', code: 'version_conflict', detail }]);
    }
    const stored: Values = JSON.parse(before.values);
    const decided = await decide(collection, before, stored);
    const checked = checkChangedValues(collection, decided.values, stored);
    const values = await acceptValues(tx, accountId, checked);
    const status = decided.status ?? before.status;
    const topic = status === 'deleted' ? 'entry.deleted' : 'entry.updated';
    const keys = keysOf(collection, values);
    const signature = signatureOf(collection.fields, keys);
    const { gone, come, stay } = changedRows(
      indexRows(collection, before.status, before.keys, status),
      indexRows(collection, status, keys, before.status),
    );
    const signed = String(signature) === before.signature ? [] : stay;
    const oldText = isActive(before) ? textOf(collection, stored) : undefined;
    const text = status === 'active' ? textOf(collection, values) : undefined;
    const [after] = await updateEntry(
      tx,
      accountId,
      before.id,
      JSON.stringify(values),
      JSON.stringify(keys),
      status,
      new Date(now),
      gone.map(([fieldKey]) => fieldKey),
      gone.map(([, sortKey]) => sortKey),
      come.map(([fieldKey]) => fieldKey),
      come.map(([, sortKey]) => sortKey),
      text !== oldText,
      text ?? null,
      signature,
      signed.map(([fieldKey]) => fieldKey),
      signed.map(([, sortKey]) => sortKey),
      topic,
      changeOf(before.status, status, decided),
      changedFields(collection, stored, values),
      decided.restoredFrom ?? null,
      author.kind,
      author.id,
      before.version - keep,
    );
    if (!after) throw new Error('the entry went away while it was locked');
    if (collection.hasAssets) {
      const assetIds = assetIdsOf(collection.fields, values);
      const use = { entryId: before.id, collectionId: collection.id, active: status === 'active', assetIds };
      await recordEntryUses(tx, accountId, [use], now);
    }
    const [answered = {}] = await answerValues(tx, accountId, collection, [values], publicUrl);
    const entry = entryAnswer(collection, { ...before, ...after, status }, answered);
    if (after.is_told) {
      await writeOutbox(tx, accountId, topic, [{ resourceId: before.id, sequence: after.version, data: entry }], now);
    }
    return entry;
  });
}

export function changeOf(
  before: Status,
  after: Status,
  { restoredFrom }: Pick<Rewrite, 'restoredFrom'> = {},
): Exclude<Change, 'created'> {
  if (before !== after) return after === 'deleted' ? 'deleted' : 'restored';
  return restoredFrom === undefined ? 'changed' : 'restored';
}

export function changedFields({ fields }: Collection, before: Values, after: Values): string[] {
  const text = (values: Values, id: string) => (Object.hasOwn(values, id) ? JSON.stringify(values[id]) : undefined);
  return fields.flatMap(({ id }) => (text(before, id) === text(after, id) ? [] : id));
}

/** The rows that an entry of this status has. One that goes takes those of deleted fields with it. */
export function indexRows(collection: Collection, status: Status, keys: Keys, otherStatus: Status): IndexRow[] {
  if (status === 'deleted') return [];
  const goes = otherStatus === 'deleted';
  return rowsOf(
    keys,
    goes ? collection.fields : collection.fields.filter((field) => isActive(field) || keys[field.key]),
  );
}

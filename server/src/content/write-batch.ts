import { type EntryUse, recordEntryUses } from '../files/index.ts';
import { uuidTime } from '../shared/ids.ts';
import { writeOutbox } from '../shared/outbox.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { addEntries } from './add-entries.ts';
import { changedFields, changeOf, indexRows } from './change-entry.ts';
import type { Values } from './check-values.ts';
import { type Collection, isActive, type Status } from './collection.ts';
import { answerValues, assetIdsOf, entryAnswer } from './entry-answer.ts';
import { type BatchRow, findSubscriptions, updateEntries } from './entry-batch-queries.ts';
import { changedRows, keysOf, textOf } from './index-entry.ts';
import { signatureOf } from './signature.ts';
import type { Writing } from './writing.ts';

/** By whom, when and with what entries are written. */
export type BatchWriting = Omit<Writing, 'known'>;

/** An entry that is there, held against every other writer, and what it becomes. */
export interface BatchChange {
  before: BatchRow;
  values: Values;
  status: Status;
}

/** An entry that was written. */
export interface WrittenEntry {
  id: string;
  version: number;
}

interface Told extends WrittenEntry {
  status: Status;
  values: Values;
  created_at: Date;
  updated_at: Date;
}

/**
 * Makes many entries whose values were checked, as `createEntry` makes one: with their rows of the index, the files they
 * use, and what is pushed. `tx` is a transaction that holds the collection.
 */
export async function createBatch(
  tx: Tx,
  writing: BatchWriting,
  collection: Collection,
  all: readonly Values[],
): Promise<WrittenEntry[]> {
  const { author, now } = writing;
  if (all.length === 0) return [];
  const ids = await addEntries(
    tx,
    author.accountId,
    collection,
    all.map((values) => ({ values, at: now })),
    author,
  );
  const made = ids.map((id, i): Told => {
    const at = new Date(uuidTime(id));
    return { id, version: 1, status: 'active', values: all[i] ?? {}, created_at: at, updated_at: at };
  });
  await finish(tx, writing, collection, 'entry.created', made);
  return made;
}

/** Changes, deletes or restores many entries of a collection, as `changeEntry` does one. */
export async function changeBatch(
  tx: Tx,
  writing: BatchWriting,
  collection: Collection,
  changes: readonly BatchChange[],
): Promise<WrittenEntry[]> {
  const { author, now, keep } = writing;
  if (changes.length === 0) return [];
  const written = changes.map(({ before, values, status }) => {
    const keys = keysOf(collection, values);
    const signature = String(signatureOf(collection.fields, keys));
    const rows = changedRows(
      indexRows(collection, before.status, before.keys, status),
      indexRows(collection, status, keys, before.status),
    );
    const signed = signature === before.signature ? [] : rows.stay;
    const text = isActive({ status }) ? (textOf(collection, values) ?? null) : null;
    const change = changeOf(before.status, status);
    const fields = changedFields(collection, JSON.parse(before.values), values);
    return {
      id: before.id,
      values,
      keys,
      signature,
      status,
      text,
      change,
      fields,
      gone: rows.gone,
      come: [...rows.come, ...signed],
    };
  });
  const gone = written.flatMap(({ id, gone }) => gone.map((row) => [...row, id]));
  const come = written.flatMap(({ id, signature, come }) => come.map((row) => [...row, id, signature]));
  const rows = await updateEntries(
    tx,
    author.accountId,
    written.map(({ id }) => id),
    written.map(({ values }) => JSON.stringify(values)),
    written.map(({ keys }) => JSON.stringify(keys)),
    written.map(({ signature }) => signature),
    written.map(({ status }) => status),
    written.map(({ text }) => text),
    new Date(now),
    ...[0, 1, 2].map((i) => gone.map((row) => row[i])),
    ...[0, 1, 2, 3].map((i) => come.map((row) => row[i])),
    author.kind,
    author.id,
    written.map(({ change }) => change),
    written.map(({ fields }) => JSON.stringify(fields)),
    keep,
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const changed = changes.map(({ before, values, status }): Told => {
    const row = byId.get(before.id);
    if (!row) throw new Error('an entry went away while it was locked');
    return { ...row, values, status, created_at: before.created_at };
  });
  const deleted = changed.filter(({ status }) => !isActive({ status }));
  const updated = changed.filter(isActive);
  await finish(tx, writing, collection, 'entry.updated', updated);
  await finish(tx, writing, collection, 'entry.deleted', deleted);
  return changed;
}

async function finish(
  tx: Tx,
  { author, now, publicUrl }: BatchWriting,
  collection: Collection,
  topic: 'entry.created' | 'entry.updated' | 'entry.deleted',
  entries: readonly Told[],
): Promise<void> {
  const { accountId } = author;
  if (entries.length === 0) return;
  if (collection.hasAssets) {
    const uses = entries.map(
      ({ id, status, values }): EntryUse => ({
        entryId: id,
        collectionId: collection.id,
        active: isActive({ status }),
        assetIds: assetIdsOf(collection.fields, values),
      }),
    );
    await recordEntryUses(tx, accountId, uses, now);
  }
  const [told] = await findSubscriptions(tx, accountId);
  // What nobody reads is not put together.
  if (!told?.[topic.slice('entry.'.length) as keyof typeof told]) return;
  const answered = await answerValues(
    tx,
    accountId,
    collection,
    entries.map(({ values }) => values),
    publicUrl,
  );
  const items = entries.map((entry, i) => ({
    resourceId: entry.id,
    sequence: entry.version,
    data: entryAnswer(collection, entry, answered[i] ?? {}),
  }));
  await writeOutbox(tx, accountId, topic, items, now);
}

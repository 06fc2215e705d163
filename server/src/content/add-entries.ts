import type { Author } from '../shared/audit.ts';
import { newUuid, uuidTime } from '../shared/ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { isoTime } from '../shared/time.ts';
import type { Values } from './check-values.ts';
import { type Collection, collectionOf, isActive } from './collection.ts';
import { keysOf, rowsOf, textOf } from './index-entry.ts';
import { findCollection, addEntries as write } from './queries.ts';
import { signatureOf } from './signature.ts';

/** An entry whose values are known to be right. */
export interface ReadyEntry {
  values: Values;
  /** When it was made, in milliseconds since 1970; none: now. */
  at?: number;
}

/**
 * Entries written as `createEntry` writes them, but unchecked, told to nobody, and all in one statement. Answers their ids
 * (UUIDs) in their order.
 */
export async function addEntries(
  tx: Tx,
  accountId: string,
  collection: Collection,
  ready: readonly ReadyEntry[],
  author?: Author,
): Promise<string[]> {
  const active = collection.fields.filter(isActive);
  const entries = ready.map(({ values, at = Date.now() }) => {
    const keys = keysOf(collection, values);
    const signature = String(signatureOf(collection.fields, keys));
    const id = newUuid(at);
    return { id, at: isoTime(uuidTime(id)), values, keys, signature, text: textOf(collection, values) ?? null };
  });
  const rows = entries.flatMap(({ id, keys, signature }) => rowsOf(keys, active).map((row) => [...row, id, signature]));
  await write(
    tx,
    accountId,
    collection.id,
    entries.map(({ id }) => id),
    entries.map(({ values }) => JSON.stringify(values)),
    entries.map(({ keys }) => JSON.stringify(keys)),
    entries.map(({ signature }) => signature),
    entries.map(({ text }) => text),
    entries.map(({ at }) => at),
    ...[0, 1, 2, 3].map((i) => rows.map((row) => row[i])),
    author?.kind ?? null,
    author?.id ?? null,
  );
  return entries.map(({ id }) => id);
}

/** The same, by an operator's command, into a collection by its id (UUID). */
export async function addEntriesTo(
  tx: Tx,
  accountId: string,
  collectionId: string,
  ready: readonly ReadyEntry[],
): Promise<void> {
  const [row] = await findCollection(tx, accountId, collectionId);
  if (!row) throw new Error('there is no such collection');
  const author: Author = { accountId, kind: 'command', id: null, address: null };
  await addEntries(tx, accountId, collectionOf(row), ready, author);
}

import type { Author } from '../../shared/audit.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { collectionOf } from '../collections/collection.ts';
import { findCollection } from '../collections/queries.ts';
import { STALE } from '../collections/stale.ts';
import type { Values } from './check-values.ts';
import { insertEntries, type WrittenEntry } from './write-entries.ts';

/** Inserts entries without checking their values, for commands that generate valid ones. */
export async function seedEntries(
  tx: Tx,
  accountId: string,
  collectionId: string,
  entries: readonly { values: Values; createdAt?: number }[],
): Promise<WrittenEntry[]> {
  const [row] = await findCollection(tx, { account_id: accountId, id: collectionId });
  if (!row) throw new Error('the collection does not exist');
  const author: Author = { accountId, type: 'command', id: null, address: null };
  const now = Date.now();
  const newEntries = entries.map(({ values, createdAt = now }) => ({ values, createdAt }));
  const context = { author, now, publicUrl: '', keptVersions: 0 };
  const written = await insertEntries(tx, context, collectionOf(row), newEntries);
  if (written === STALE) throw new Error('the collection changed while entries were inserted');
  return written;
}

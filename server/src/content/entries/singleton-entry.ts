import { notFound } from '../../shared/errors.ts';
import { publicId } from '../../shared/ids.ts';
import { type Database, inTransaction, type Tx } from '../../shared/postgres/database.ts';
import type { Collection } from '../collections/collection.ts';
import { STALE } from '../collections/stale.ts';
import { wholeOf } from '../roles/collection-access.ts';
import { acceptValues } from './accept-values.ts';
import { checkMadeValues } from './check-values.ts';
import { findOnlyEntry, isSingleton, lockSingleton } from './singleton.ts';
import type { CachedWriteContext } from './write-context.ts';
import { insertEntries } from './write-entries.ts';

/**
 * The ID of the entry of a singleton, which is made when it is first read or written.
 * @throws ApiError 404 if the collection is none
 */
export async function singletonEntry(
  db: Database | Tx,
  context: CachedWriteContext,
  collectionId: string,
): Promise<string> {
  const { accountId: account_id } = context.author;
  return context.cache.use(db, account_id, collectionId, async (collection) => {
    if (!isSingleton(collection)) throw notSingleton(collection);
    const scope = { account_id, collection_id: collection.id };
    const [known] = await findOnlyEntry(db, scope);
    if (known) return publicId('ent', known.id);
    return inTransaction(db, async (tx) => {
      await lockSingleton(tx, scope);
      // Another statement, to which the entry that was waited for is visible.
      const [made] = await findOnlyEntry(tx, scope);
      if (made) return publicId('ent', made.id);
      const values = await acceptValues(tx, account_id, checkMadeValues(wholeOf(collection), context));
      const written = await insertEntries(tx, context, wholeOf(collection), [{ values, createdAt: context.now }]);
      return written === STALE ? STALE : (written[0]?.entry.id ?? STALE);
    });
  });
}

const notSingleton = ({ row }: Collection) => {
  const error = notFound('entry');
  error.message = `"${row.name}" is no singleton. Read its entries by their IDs.`;
  return error;
};

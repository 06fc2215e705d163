import { ApiError, refuse } from '../../shared/errors.ts';
import { type Database, inTransaction, type Tx } from '../../shared/postgres/database.ts';
import { STALE } from '../collections/stale.ts';
import { acceptValues, type IsTaken } from './accept-values.ts';
import { checkNewValues, type Values } from './check-values.ts';
import type { Entry } from './contract.ts';
import { findTaken, hasUniqueValues } from './unique-keys.ts';
import type { CachedWriteContext } from './write-context.ts';
import { insertEntries } from './write-entries.ts';

/**
 * Creates an entry in a transaction of its own, or in the given one.
 * @throws ApiError 404 if there is no such active collection, 400 with every fault of the values
 */
export async function createEntry(
  db: Database | Tx,
  context: CachedWriteContext,
  collectionId: string,
  sent: Values,
): Promise<Entry> {
  const { accountId } = context.author;
  return context.cache.use(db, accountId, collectionId, async (collection) => {
    const checked = checkNewValues(collection, sent, context);
    if (hasUniqueValues(collection) && checked.faults.length === 0) {
      // Most refusals need no transaction.
      refuse((await findTaken(db, accountId, collection, [{ id: undefined, values: checked.values }])).flat());
    }
    const create = async (tx: Tx, isTaken?: IsTaken) => {
      const values = await acceptValues(tx, accountId, checked, isTaken);
      const written = await insertEntries(tx, context, collection, [{ values, createdAt: context.now }]);
      return written === STALE ? STALE : (written[0]?.entry ?? STALE);
    };
    const run = (isTaken?: IsTaken) => inTransaction(db, (tx) => create(tx, isTaken));
    if (checked.slugs.length === 0) return run();
    return run().catch((error: unknown) => {
      if (!(error instanceof ApiError && error.code === 'value_taken')) throw error;
      // A concurrent request took the derived slug after the check, and may take the next one.
      return run(() => true);
    });
  });
}

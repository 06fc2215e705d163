import { ApiError, type Fault } from '../../shared/errors.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { Collection } from '../collections/collection.ts';
import type { STALE } from '../collections/stale.ts';
import type { CachedWriteContext } from '../entries/write-context.ts';

interface Item {
  collectionId: string;
  position: number;
}

/**
 * Runs an operation for the items of each collection. Collections come in the order of their IDs, so that two releases never
 * wait for each other. Refused items of a collection are added to `faults`, and the next collection follows.
 */
export async function byCollection<Each extends Item>(
  tx: Tx,
  { cache, author }: CachedWriteContext,
  items: readonly Each[],
  faults: Fault[],
  operation: (collection: Collection, items: Each[]) => Promise<typeof STALE | undefined>,
): Promise<void> {
  const groups = [...Map.groupBy(items, ({ collectionId }) => collectionId)];
  for (const [collectionId, group] of groups.sort(([one], [other]) => (one < other ? -1 : 1))) {
    const before = faults.length;
    try {
      await cache.use(tx, author.accountId, collectionId, (collection) => {
        // Again with a newer copy of the collection.
        faults.length = before;
        return operation(collection, group);
      });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 400) faults.push(...error.errors.map((fault) => within(fault, group[0])));
      else if (error.status === 404) faults.push(...group.map(collectionUnknown));
      else throw error;
    }
  }
}

/** A fault of the whole collection is reported at its first item. */
const within = (fault: Fault, first: Item | undefined): Fault =>
  fault.pointer === '' && first ? { ...fault, pointer: `/items/${first.position}/collectionId` } : fault;

const collectionUnknown = ({ position }: Item): Fault => ({
  pointer: `/items/${position}/collectionId`,
  code: 'collection_unknown',
  detail: 'There is no collection with this ID.',
});

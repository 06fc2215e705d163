import type { Tx } from '../../shared/postgres/database.ts';
import { type CollectionRow, collectionOf, publishedView } from '../collections/collection.ts';
import { rewriteAll } from '../collections/reindex-entries.ts';
import { neighbour } from './place-entries.ts';
import { positionBetween } from './position.ts';
import { POSITION } from './system-fields.ts';

/**
 * Gives entries that lack one a position, oldest first, when their collection gets a manual order. The transaction holds the
 * collection.
 */
export async function placeExisting(tx: Tx, account_id: string, row: CollectionRow): Promise<void> {
  const collection = collectionOf(row);
  const field = collection.byId.get(POSITION);
  if (!field) return;
  let last = await neighbour(tx, account_id, field.key, undefined, 'last');
  const placed = new Map<string, string>();
  await rewriteAll(tx, account_id, collection, false, (id, values) => {
    if (values[POSITION] !== undefined) return false;
    last = positionBetween(last, undefined);
    values[POSITION] = last;
    placed.set(id, last);
    return true;
  });
  if (!row.publishing) return;
  await rewriteAll(tx, account_id, publishedView(collection), true, (id, values) => {
    const position = placed.get(id);
    if (position !== undefined) values[POSITION] = position;
    return position !== undefined;
  });
}

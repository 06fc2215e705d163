import { type EntryUse, recordEntryUses } from '../../files/index.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { Collection, Status } from '../collections/collection.ts';
import { findPublishedRows } from '../publishing/queries.ts';
import type { Values } from './check-values.ts';
import { assetIdsOf } from './serialize-entry.ts';

/** Records which files entries use, in their latest version and in the published one, after both were written. */
export async function recordUses(
  tx: Tx,
  accountId: string,
  collection: Collection,
  entries: readonly { id: string; status: Status; values: Values }[],
  now: number,
): Promise<void> {
  if (!collection.hasAssets || entries.length === 0) return;
  const ids = entries.map(({ id }) => id);
  const published = collection.publishing ? await findPublishedRows(tx, { account_id: accountId, ids }) : [];
  const publishedAssets = new Map(
    published.map((row) => [row.id, assetIdsOf(collection.fields, JSON.parse(row.values))]),
  );
  const uses = entries.map(
    ({ id, status, values }): EntryUse => ({
      entryId: id,
      collectionId: collection.id,
      active: status === 'active',
      assetIds: [...assetIdsOf(collection.fields, values), ...(publishedAssets.get(id) ?? [])],
    }),
  );
  await recordEntryUses(tx, accountId, uses, now);
}

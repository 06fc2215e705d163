import { type EntryUse, recordEntryUses, recordNewUses } from '../../files/index.ts';
import { readJson } from '../../shared/json.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { statement } from '../../shared/postgres/statement.ts';
import type { Collection, Status } from '../collections/collection.ts';
import { findPublishedRows } from '../publishing/queries.ts';
import type { Values } from './check-values.ts';
import { assetIdsOf } from './serialize-entry.ts';

/** Records which files new entries use. */
export async function recordUsesOfNew(
  tx: Tx,
  accountId: string,
  collection: Collection,
  entries: readonly { id: string; values: Values }[],
): Promise<void> {
  if (!collection.hasAssets) return;
  const uses = entries.map(({ id, values }): EntryUse => {
    return { entryId: id, collectionId: collection.id, active: true, assetIds: assetIdsOf(collection.fields, values) };
  });
  await recordNewUses(tx, accountId, uses);
}

const findVaried = statement('content.find_varied', { account_id: 'uuid', ids: 'uuid[]' }).returns<{
  entry_id: string;
  values: Values[];
}>('select entry_id, values from varied_entries where account_id = :account_id and entry_id = any(:ids)');

/** Records which files entries use, in their latest version, in the published one, and in variants of experiments, after all were written. */
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
  const shownAssets = new Map(published.map((row) => [row.id, assetIdsOf(collection.fields, readJson(row.values))]));
  for (const { entry_id, values } of await findVaried(tx, { account_id: accountId, ids })) {
    const own = values.flatMap((each) => assetIdsOf(collection.fields, each));
    shownAssets.set(entry_id, [...(shownAssets.get(entry_id) ?? []), ...own]);
  }
  const uses = entries.map(
    ({ id, status, values }): EntryUse => ({
      entryId: id,
      collectionId: collection.id,
      active: status === 'active',
      assetIds: [...assetIdsOf(collection.fields, values), ...(shownAssets.get(id) ?? [])],
    }),
  );
  await recordEntryUses(tx, accountId, uses, now);
}

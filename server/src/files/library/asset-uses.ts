import { parseId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { lockAssetRows, shareLockAssetRows } from './queries.ts';
import { addUses, deleteUsesOfEntries, markUsed, usesOfEntries, writeUses } from './use-queries.ts';

export interface EntryUse {
  /** UUIDs. */
  entryId: string;
  collectionId: string;
  /** Whether the entry is active. A deleted one still references its files, as it may be restored. */
  active: boolean;
  /** Every `ast_…` in its values. Deleted ones are ignored. */
  assetIds: readonly string[];
}

/** Records which files entries use, in the transaction that writes the entries, with a constant number of statements. */
export async function recordEntryUses(
  tx: Tx,
  account_id: string,
  uses: readonly EntryUse[],
  now: number,
): Promise<void> {
  const before = Map.groupBy(
    await usesOfEntries(tx, { account_id, entry_ids: uses.map(({ entryId }) => entryId) }),
    (use) => use.entry_id,
  );
  const changes = uses.map(({ entryId: entry_id, collectionId: collection_id, active, assetIds }) => {
    const referenced = new Set(assetIds.flatMap((id) => parseId('ast', id) ?? []));
    const recorded = new Map((before.get(entry_id) ?? []).map((use) => [use.asset_id, use.active]));
    return {
      removed: [...recorded.keys()].flatMap((asset_id) => (referenced.has(asset_id) ? [] : [{ asset_id, entry_id }])),
      added: [...referenced].flatMap((asset_id) =>
        recorded.get(asset_id) === active ? [] : [{ asset_id, entry_id, collection_id, active }],
      ),
    };
  });
  const removed = changes.flatMap((change) => change.removed);
  const added = changes.flatMap((change) => change.added);
  if (removed.length === 0 && added.length === 0) return;
  const idsOf = (some: { asset_id: string }[]) => [...new Set(some.map(({ asset_id }) => asset_id))];
  // The lock makes the second of two entries that release a file at once see that it is no longer used.
  const released = removed.length === 0 ? [] : await lockAssetRows(tx, { account_id, ids: idsOf(removed) });
  const used = added.length === 0 ? [] : await shareLockAssetRows(tx, { account_id, ids: idsOf(added) });
  const existing = new Set(used.map(({ id }) => id));
  await writeUses(tx, { account_id, removed, added: added.filter(({ asset_id }) => existing.has(asset_id)) });
  const changed = new Set([...released, ...used.filter((row) => row.unused_since !== null)].map(({ id }) => id));
  if (changed.size > 0) await markUsed(tx, { account_id, asset_ids: [...changed], now: new Date(now) });
}

/** Records which files new entries use, whose transaction has locked these files by an earlier statement. */
export async function recordNewUses(tx: Tx, account_id: string, uses: readonly EntryUse[]): Promise<void> {
  const added = uses.flatMap(({ entryId: entry_id, collectionId: collection_id, assetIds }) =>
    [...new Set(assetIds)].flatMap((id) => {
      const asset_id = parseId('ast', id);
      return asset_id === undefined ? [] : [{ asset_id, entry_id, collection_id }];
    }),
  );
  if (added.length > 0) await addUses(tx, { account_id, added });
}

/** Removes the uses by entries (UUIDs) that are permanently deleted and that the caller has locked. */
export async function deleteEntryUses(
  tx: Tx,
  account_id: string,
  entryIds: readonly string[],
  now: number,
): Promise<void> {
  const uses = await usesOfEntries(tx, { account_id, entry_ids: entryIds });
  if (uses.length === 0) return;
  const released = await lockAssetRows(tx, { account_id, ids: [...new Set(uses.map((use) => use.asset_id))] });
  await deleteUsesOfEntries(tx, { account_id, entry_ids: entryIds });
  await markUsed(tx, { account_id, asset_ids: released.map(({ id }) => id), now: new Date(now) });
}

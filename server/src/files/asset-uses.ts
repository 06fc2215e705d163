import { parseId } from '../shared/ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { deleteUsesOfEntries, holdAssetRows, lockAssets, markUsed, usesOfEntries, writeUses } from './queries.ts';

export interface EntryUse {
  /** UUIDs. */
  entryId: string;
  collectionId: string;
  /** Whether the entry is active: a deleted one names its files still, and may come back. */
  active: boolean;
  /** Every `ast_…` that its values name; one that is gone is left out. */
  assetIds: readonly string[];
}

/** Writes down which files entries use, in the transaction that writes these: by as many statements for one as for many. */
export async function recordEntryUses(
  tx: Tx,
  accountId: string,
  uses: readonly EntryUse[],
  now: number,
): Promise<void> {
  const before = Map.groupBy(
    await usesOfEntries(
      tx,
      accountId,
      uses.map(({ entryId }) => entryId),
    ),
    (use) => use.entry_id,
  );
  const all = uses.map((use) => {
    const named = new Set(use.assetIds.flatMap((id) => parseId('ast', id) ?? []));
    const had = before.get(use.entryId) ?? [];
    const gone = had.flatMap(({ asset_id }) => (named.has(asset_id) ? [] : [{ assetId: asset_id, ...use }]));
    const come = [...named].flatMap((assetId) =>
      had.some((each) => each.asset_id === assetId && each.active === use.active) ? [] : [{ assetId, ...use }],
    );
    return { gone, come };
  });
  const gone = all.flatMap((each) => each.gone);
  const come = all.flatMap((each) => each.come);
  if (gone.length === 0 && come.length === 0) return;
  const assetsOf = (some: typeof gone) => [...new Set(some.map(({ assetId }) => assetId))];
  // Of two entries that let go of a file at once, the second is to see that nobody uses it any more.
  const left = (await lockAssets(tx, accountId, assetsOf(gone))).map((row) => row.id);
  const held = await holdAssetRows(tx, accountId, assetsOf(come));
  const known = new Set(held.map((row) => row.id));
  const used = come.filter(({ assetId }) => known.has(assetId));
  await writeUses(
    tx,
    accountId,
    used.map(({ assetId }) => assetId),
    used.map(({ entryId }) => entryId),
    used.map(({ collectionId }) => collectionId),
    used.map(({ active }) => active),
    gone.map(({ assetId }) => assetId),
    gone.map(({ entryId }) => entryId),
  );
  const toMark = [...left, ...held.filter((row) => row.unused_since !== null).map((row) => row.id)];
  if (toMark.length > 0) await markUsed(tx, accountId, [...new Set(toMark)], new Date(now));
}

/** Writes down that entries (UUIDs), which go for good, use no file any more. Whoever calls it holds the entries. */
export async function releaseAssets(
  tx: Tx,
  accountId: string,
  entryIds: readonly string[],
  now: number,
): Promise<void> {
  const used = new Set((await usesOfEntries(tx, accountId, entryIds)).map((use) => use.asset_id));
  if (used.size === 0) return;
  const left = (await lockAssets(tx, accountId, [...used])).map((row) => row.id);
  await deleteUsesOfEntries(tx, accountId, entryIds);
  await markUsed(tx, accountId, left, new Date(now));
}

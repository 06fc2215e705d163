import { parseId } from '../shared/ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import {
  deleteUsesOfEntries,
  holdAssetRows,
  lockAssets,
  markUsed,
  usesOfEntries,
  usesOfEntry,
  writeUses,
} from './queries.ts';

export interface EntryUse {
  /** UUIDs. */
  entryId: string;
  collectionId: string;
  /** Whether the entry is active: a deleted one names its files still, and may come back. */
  active: boolean;
}

/**
 * Writes down which files an entry uses, in the transaction that writes the entry.
 * @param assetIds every `ast_…` that its values name; one that is gone is left out
 */
export async function recordAssetUses(
  tx: Tx,
  accountId: string,
  { entryId, collectionId, active }: EntryUse,
  assetIds: readonly string[],
  now: number,
): Promise<void> {
  const named = new Set(assetIds.flatMap((id) => parseId('ast', id) ?? []));
  const before = await usesOfEntry(tx, accountId, entryId);
  const gone = before.filter((use) => !named.has(use.asset_id)).map((use) => use.asset_id);
  const come = [...named].filter((id) => !before.some((use) => use.asset_id === id && use.active === active));
  if (gone.length === 0 && come.length === 0) return;
  // Of two entries that let go of a file at once, the second is to see that nobody uses it any more.
  const left = (await lockAssets(tx, accountId, gone)).map((row) => row.id);
  const held = await holdAssetRows(tx, accountId, come);
  const used = held.map((row) => row.id);
  await writeUses(tx, accountId, entryId, collectionId, active, used, gone);
  const toMark = [...left, ...held.filter((row) => row.unused_since !== null).map((row) => row.id)];
  if (toMark.length > 0) await markUsed(tx, accountId, toMark, new Date(now));
}

/** Writes down that entries (UUIDs), which go for good, use no file any more. Whoever calls it holds the entries. */
export async function releaseAssets(
  tx: Tx,
  accountId: string,
  entryIds: readonly string[],
  now: number,
): Promise<void> {
  const used = (await usesOfEntries(tx, accountId, entryIds)).map((use) => use.asset_id);
  if (used.length === 0) return;
  const left = (await lockAssets(tx, accountId, used)).map((row) => row.id);
  await deleteUsesOfEntries(tx, accountId, entryIds);
  await markUsed(tx, accountId, left, new Date(now));
}

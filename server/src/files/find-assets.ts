import { parseId, publicId } from '../shared/ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { assetValue } from './asset-url.ts';
import type { AssetValue } from './contract.ts';
import { findAssetRows, holdAssetRows } from './queries.ts';

/**
 * The assets of an account by their public ids (`ast_…`). What is unknown, malformed or another account's is missing
 * from the map.
 */
export async function findAssets(
  tx: Tx,
  accountId: string,
  assetIds: string[],
  publicUrl: string,
): Promise<Map<string, AssetValue>> {
  const uuids = new Set(assetIds.flatMap((id) => parseId('ast', id) ?? []));
  if (uuids.size === 0) return new Map();
  const rows = await findAssetRows(tx, accountId, [...uuids]);
  return new Map(rows.map((row) => [publicId('ast', row.id), assetValue(row, publicUrl)]));
}

/** Which of these assets the account has. None of them is deleted before the transaction ends. */
export async function holdAssets(tx: Tx, accountId: string, assetIds: string[]): Promise<Set<string>> {
  const uuids = new Set(assetIds.flatMap((id) => parseId('ast', id) ?? []));
  if (uuids.size === 0) return new Set();
  const rows = await holdAssetRows(tx, accountId, [...uuids]);
  return new Set(rows.map((row) => publicId('ast', row.id)));
}

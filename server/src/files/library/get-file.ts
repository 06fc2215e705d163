import { notFound } from '../../shared/errors.ts';
import { parseId, publicId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { AssetWithUses } from '../contract.ts';
import { serializeFile } from './asset-response.ts';
import { type AssetRow, findAssetRows } from './queries.ts';
import { countUses, type FileUse, findUses } from './use-queries.ts';

const MAX_USES = 100;

/** A file and the entries that use it. @param readable of these entries, those that the caller may read @throws ApiError 404 */
export async function getFile(
  tx: Tx,
  account_id: string,
  assetId: string,
  publicUrl: string,
  readable: (uses: readonly FileUse[]) => Promise<readonly FileUse[]>,
): Promise<AssetWithUses> {
  const row = await findFile(tx, account_id, assetId);
  const asset = { account_id, asset_id: row.id };
  const uses = await findUses(tx, { ...asset, max: MAX_USES });
  const count = uses.length < MAX_USES ? uses.length : (await countUses(tx, asset))[0]?.uses;
  return {
    ...serializeFile(row, publicUrl),
    usedByCount: count ?? 0,
    usedBy: (await readable(uses)).map((use) => ({
      collectionId: publicId('col', use.collection_id),
      entryId: publicId('ent', use.entry_id),
      status: use.active ? 'active' : 'deleted',
    })),
  };
}

/** @throws ApiError 404 */
export async function findFile(
  tx: Tx,
  accountId: string,
  assetId: string,
  find: typeof findAssetRows = findAssetRows,
): Promise<AssetRow> {
  const id = parseId('ast', assetId);
  const [row] = id === undefined ? [] : await find(tx, { account_id: accountId, ids: [id] });
  if (!row) throw notFound('file');
  return row;
}

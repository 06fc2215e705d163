import { notFound } from '../shared/errors.ts';
import { parseId, publicId } from '../shared/ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { fileAnswer } from './asset-url.ts';
import type { AssetWithUses } from './contract.ts';
import { type AssetRow, countUses, findAssetRows, findUses } from './queries.ts';

const USES_NAMED = 100;

/** A file and the entries that name it. @throws ApiError 404 */
export async function getFile(tx: Tx, accountId: string, assetId: string, publicUrl: string): Promise<AssetWithUses> {
  const row = await findFile(tx, accountId, assetId);
  const uses = await findUses(tx, accountId, row.id, USES_NAMED);
  const count = uses.length < USES_NAMED ? uses.length : (await countUses(tx, accountId, row.id))[0]?.uses;
  return {
    ...fileAnswer(row, publicUrl),
    usedByCount: count ?? 0,
    usedBy: uses.map((use) => ({
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
  find: (tx: Tx, ...values: unknown[]) => Promise<AssetRow[]> = findAssetRows,
): Promise<AssetRow> {
  const id = parseId('ast', assetId);
  const [row] = id === undefined ? [] : await find(tx, accountId, [id]);
  if (!row) throw notFound('file');
  return row;
}

import type { FastifyRequest } from 'fastify';
import { badRequest } from '../../shared/errors.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { FileDeps } from '../file-deps.ts';
import { deleteBlobsOrWarn } from '../storage/orphaned-blobs.ts';
import { markOrphaned } from '../storage/queries.ts';
import { discardVariants } from '../variants/queries.ts';
import { auditFile } from './audit-file.ts';
import { findFile } from './get-file.ts';
import { type AssetRow, deleteAssetRow, findAssetByContent, lockAssetRows, lockContent } from './queries.ts';
import { countUses } from './use-queries.ts';

/**
 * Deletes a file. With the last asset that has its content, the transaction marks its blobs as orphaned; they are then
 * deleted at once or, if that fails, by the worker.
 * @param force also if an active entry uses it
 * @throws ApiError 404, 400 `file_in_use`
 */
export async function deleteFile(
  deps: FileDeps,
  request: FastifyRequest,
  assetId: string,
  force: boolean,
): Promise<AssetRow> {
  const { accountId } = request.caller;
  const { row, keys } = await deps.db.transaction(async (tx) => {
    // The content is locked before the row, as when an asset is inserted.
    const { sha256 } = await findFile(tx, accountId, assetId);
    await lockContent(tx, { account_id: accountId, sha256 });
    const row = await findFile(tx, accountId, assetId, lockAssetRows);
    const [uses] = await countUses(tx, { account_id: accountId, asset_id: row.id });
    if (uses && uses.active > 0 && !force) {
      const detail = `The file is used by ${uses.active} entries, which GET /v1/files/${assetId} lists.`;
      throw badRequest('file_in_use', `${detail} Send force=true to delete it anyway.`);
    }
    await auditFile(tx, request, 'deleted', { before: row }, deps.clock());
    return { row, keys: await removeAsset(deps, tx, row) };
  });
  await deleteBlobsOrWarn(deps, accountId, keys);
  return row;
}

/** Deletes an asset that is locked, with its content. Returns the keys that this orphaned. */
export async function removeAsset(deps: FileDeps, tx: Tx, row: AssetRow): Promise<string[]> {
  await deleteAssetRow(tx, { account_id: row.account_id, id: row.id });
  return releaseContent(deps, tx, row);
}

/**
 * Orphans the blobs of locked content, and its variants, unless another asset has the same content.
 * @returns the orphaned keys
 */
export async function releaseContent(deps: FileDeps, tx: Tx, row: AssetRow): Promise<string[]> {
  const { account_id, sha256 } = row;
  const [other] = await findAssetByContent(tx, { account_id, sha256 });
  if (other) return [];
  const now = new Date(deps.clock());
  const keys = row.poster_key === null ? [row.storage_key] : [row.storage_key, row.poster_key];
  await markOrphaned(tx, { account_id, keys, delete_after: now });
  const variants = await discardVariants(tx, { account_id, source_keys: keys, now });
  return [...keys, ...variants.map((variant) => variant.storage_key)];
}

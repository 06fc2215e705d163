import type { FastifyRequest } from 'fastify';
import type { Deps } from '../shared/deps.ts';
import { badRequest } from '../shared/errors.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { auditFile } from './audit-file.ts';
import { findFile } from './get-file.ts';
import { type AssetRow, countUses, deleteAssetRow, disown, findTwin, lockAssets, lockContent } from './queries.ts';
import type { Storage } from './storage.ts';
import { clearKeys } from './unowned-files.ts';
import { disownVariants } from './variant-queries.ts';

/**
 * Deletes a file. Its bytes go with the last asset that has them: in the transaction they come to belong to nobody, and
 * then they are removed, now or, where that fails, by the worker.
 * @param force also where an active entry uses it
 * @returns what it was
 * @throws ApiError 404, 400 `file_in_use`
 */
export async function deleteFile(
  deps: Deps,
  storage: Storage,
  request: FastifyRequest,
  assetId: string,
  force: boolean,
): Promise<AssetRow> {
  const { accountId } = request.caller;
  const { row, keys } = await deps.db.transaction(async (tx) => {
    // The content's lock comes first, as it does where an asset is made.
    const { sha256 } = await findFile(tx, accountId, assetId);
    await lockContent(tx, accountId, sha256);
    const row = await findFile(tx, accountId, assetId, lockAssets);
    const [uses] = await countUses(tx, accountId, row.id);
    if (uses && uses.active > 0 && !force) {
      const detail = `The file is used by ${uses.active} of the entries; GET /v1/files/${assetId} names them.`;
      throw badRequest('file_in_use', `${detail} With force=true it is deleted all the same.`);
    }
    await auditFile(tx, request, 'deleted', { before: row }, deps.clock());
    return { row, keys: await removeAsset(deps, tx, row) };
  });
  await clearKeys(deps, storage, accountId, keys).catch((error) =>
    deps.log.warn({ err: error }, 'the bytes of a deleted file are not removed yet'),
  );
  return row;
}

/** Deletes an asset that is locked, with its content. Returns the keys that now belong to nobody. */
export async function removeAsset(deps: Deps, tx: Tx, row: AssetRow): Promise<string[]> {
  await deleteAssetRow(tx, row.account_id, row.id);
  return releaseBytes(deps, tx, row);
}

/**
 * Lets go of the bytes that an asset had, whose content is locked, with the pictures that were made of them.
 * Returns the keys that now belong to nobody.
 */
export async function releaseBytes(deps: Deps, tx: Tx, row: AssetRow): Promise<string[]> {
  const { account_id: accountId } = row;
  const [twin] = await findTwin(tx, accountId, row.sha256);
  if (twin) return [];
  const now = new Date(deps.clock());
  const keys = row.poster_key === null ? [row.storage_key] : [row.storage_key, row.poster_key];
  await disown(tx, accountId, keys, now);
  const variants = await disownVariants(tx, accountId, keys, now);
  return [...keys, ...variants.map((variant) => variant.storage_key)];
}

import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { badRequest } from '../../shared/errors.ts';
import { idempotently } from '../../shared/http/idempotency.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { StoredAsset } from '../contract.ts';
import type { FileDeps } from '../file-deps.ts';
import { serializeFile } from '../library/asset-response.ts';
import { auditFile } from '../library/audit-file.ts';
import { releaseContent } from '../library/delete-file.ts';
import { findFile } from '../library/get-file.ts';
import { type AssetRow, lockAssetRows, lockContent, replaceContent, type StoredFile } from '../library/queries.ts';
import { deleteBlobsOrWarn } from '../storage/orphaned-blobs.ts';
import { renamedFor } from './file-name.ts';
import { storeContent } from './store-file.ts';
import { withUploadedFile } from './upload-file.ts';

/**
 * Replaces an asset's content by the file of a request. Every URL stands for fixed content, so the asset gets a new one,
 * to which the previous ones redirect. Name, alt text and focal point stay. Identical content changes nothing.
 * @throws ApiError 404; 400 `file_type_changed` and for any fault of the request or the file
 */
export async function replaceFile(deps: FileDeps, request: FastifyRequest, assetId: string): Promise<StoredAsset> {
  const { accountId } = request.caller;
  // An unknown asset is refused before the file is read.
  const { type } = await findFile(deps.db, accountId, assetId);
  let replaced: { before: AssetRow; keys: string[] } | undefined;
  const response = await withUploadedFile(deps, request, ({ file, bodyKey }) => {
    if (file.type !== type) {
      const detail = `The new file is ${withArticle(file.type)}, but the asset is ${withArticle(type)}. Upload it as a new file.`;
      throw badRequest('file_type_changed', detail);
    }
    return storeContent(deps, accountId, file, (claim) => {
      const work = async (tx: Tx) => {
        replaced = undefined;
        const { before, after, keys } = await replace(deps, tx, accountId, assetId, file.sha256, claim);
        if (before !== after) {
          replaced = { before, keys };
          await auditFile(tx, request, 'replaced', { before, after }, deps.clock());
        }
        return { ...serializeFile(after, deps.publicUrl()), ...(file.removed && { removed: file.removed }) };
      };
      return idempotently(deps.db, request, accountId, work, bodyKey);
    });
  });
  if (replaced) {
    deps.delivered.invalidate(replaced.before);
    await deleteBlobsOrWarn(deps, accountId, replaced.keys);
  }
  return response;
}

async function replace(
  deps: FileDeps,
  tx: Tx,
  account_id: string,
  assetId: string,
  sha256: Buffer,
  claim: (tx: Tx) => Promise<StoredFile>,
): Promise<{ before: AssetRow; after: AssetRow; keys: string[] }> {
  // Contents are locked before rows, as when an asset is inserted, and always in the same order.
  const known = await findFile(tx, account_id, assetId);
  for (const each of [known.sha256, sha256].sort(Buffer.compare)) await lockContent(tx, { account_id, sha256: each });
  const before = await findFile(tx, account_id, assetId, lockAssetRows);
  // Another request replaced it meanwhile.
  if (!before.sha256.equals(known.sha256)) await lockContent(tx, { account_id, sha256: before.sha256 });
  if (before.sha256.equals(sha256)) return { before, after: before, keys: [] };
  const content = await claim(tx);
  const [after] = await replaceContent(tx, {
    account_id,
    id: before.id,
    url_key: randomUUID(),
    name: renamedFor(before.name, content.media_type),
    updated_at: new Date(Math.max(deps.clock(), before.updated_at.getTime())),
    content: [content],
  });
  if (!after) throw new Error('a locked asset disappeared');
  return { before, after, keys: await releaseContent(deps, tx, before) };
}

const withArticle = (type: string) => (type === 'image' ? 'an image' : `a ${type}`);

import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../shared/deps.ts';
import { badRequest } from '../shared/errors.ts';
import { idempotently } from '../shared/http/idempotency.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { fileAnswer } from './asset-url.ts';
import { auditFile } from './audit-file.ts';
import type { StoredAsset } from './contract.ts';
import { releaseBytes } from './delete-file.ts';
import { renamedFor } from './file-name.ts';
import { findFile } from './get-file.ts';
import type { KnownFiles } from './known-files.ts';
import { type AssetRow, lockAssets, lockContent, replaceStored, type StoredFile } from './queries.ts';
import type { Storage } from './storage.ts';
import { storeBytes } from './store-file.ts';
import { clearKeys } from './unowned-files.ts';
import { withReceivedFile } from './upload-file.ts';

/**
 * Gives an asset the bytes of the file of a request, and with them another address, for every address stands for its bytes
 * for ever; the one that it had leads to the new one. Name, alternative text and focal point stay. The same bytes change
 * nothing.
 * @throws ApiError 404; 400 `file_kind_changed` and for everything that is wrong with the request or the file
 */
export async function replaceFile(
  deps: Deps,
  storage: Storage,
  files: KnownFiles,
  request: FastifyRequest,
  assetId: string,
  idleMs: number,
): Promise<StoredAsset> {
  const { accountId } = request.caller;
  // Before the file is read.
  const { type } = await findFile(deps.db, accountId, assetId);
  let replaced: { before: AssetRow; keys: string[] } | undefined;
  const answer = await withReceivedFile(deps, storage, request, idleMs, ({ id, file, sent }) => {
    if (file.type !== type) {
      const detail = `The file is ${an(file.type)}, and what it is to replace ${an(type)}: upload it as a file of its own.`;
      throw badRequest('file_kind_changed', detail);
    }
    return storeBytes(deps, storage, accountId, id, file, (take) => {
      const work = async (tx: Tx) => {
        replaced = undefined;
        const { before, after, keys } = await replace(deps, tx, accountId, assetId, file, take);
        if (before !== after) {
          replaced = { before, keys };
          await auditFile(tx, request, 'replaced', { before, after }, deps.clock());
        }
        return fileAnswer(after, deps.publicUrl());
      };
      return idempotently(deps.db, request, accountId, work, sent);
    });
  });
  if (replaced) {
    files.forget(replaced.before);
    await clearKeys(deps, storage, accountId, replaced.keys).catch((error) =>
      deps.log.warn({ err: error }, 'the bytes of a replaced file are not removed yet'),
    );
  }
  return answer;
}

async function replace(
  deps: Deps,
  tx: Tx,
  accountId: string,
  assetId: string,
  { sha256 }: Pick<StoredFile, 'sha256'>,
  take: (tx: Tx) => Promise<StoredFile>,
): Promise<{ before: AssetRow; after: AssetRow; keys: string[] }> {
  // The locks of contents come before those of rows, as they do where an asset is made, and always in the same order.
  const known = await findFile(tx, accountId, assetId);
  for (const each of [known.sha256, sha256].sort(Buffer.compare)) await lockContent(tx, accountId, each);
  const before = await findFile(tx, accountId, assetId, lockAssets);
  // Somebody else replaced it meanwhile.
  if (!before.sha256.equals(known.sha256)) await lockContent(tx, accountId, before.sha256);
  if (before.sha256.equals(sha256)) return { before, after: before, keys: [] };
  const stored = await take(tx);
  const after = await replaceStored(
    tx,
    before,
    {
      urlKey: randomUUID(),
      name: renamedFor(before.name, stored.media_type),
      at: new Date(Math.max(deps.clock(), before.updated_at.getTime())),
    },
    stored,
  );
  return { before, after, keys: await releaseBytes(deps, tx, before) };
}

const an = (type: string) => (type === 'image' ? 'an image' : 'a video');

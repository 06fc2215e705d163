import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../shared/deps.ts';
import { idempotencyKey, idempotently } from '../shared/http/idempotency.ts';
import { newUuid } from '../shared/ids.ts';
import { assetValue } from './asset-url.ts';
import type { AssetValue } from './contract.ts';
import { examineFile } from './examine-file.ts';
import { cleanName, servedName } from './file-name.ts';
import { useFilePart } from './file-part.ts';
import { receiveFile } from './receive-file.ts';
import type { Storage } from './storage.ts';
import { storeFile } from './store-file.ts';
import { uploadFolder } from './uploads.ts';

/**
 * Stores the file of an upload and answers its asset: the file is written in a folder of this upload and flushed,
 * examined, and stored.
 * @param idleMs how long the sender may be silent
 * @throws ApiError 400 for everything that is wrong with the request or the file
 */
export async function uploadFile(
  deps: Deps,
  storage: Storage,
  request: FastifyRequest,
  idleMs: number,
): Promise<AssetValue> {
  // One that cannot be used is refused before the file is read.
  idempotencyKey(request);
  const { accountId } = request.caller;
  const id = newUuid(deps.clock());
  const folder = uploadFolder(storage, accountId, id);
  const { limits } = deps.config;
  try {
    await mkdir(folder, { recursive: true });
    const { file, name, sent } = await useFilePart(
      request.raw,
      { idleMs, bytesBefore: limits.videoBytes },
      async (stream, sentName) => {
        const path = join(folder, 'file');
        const received = await receiveFile(stream, path, limits);
        const file = await examineFile(path, received, deps.config);
        const name = cleanName(sentName) || servedName(file.type, file.media_type);
        return { file, name, sent: { sha256: received.sha256.toString('hex'), name } };
      },
    );
    return await storeFile(deps, storage, accountId, id, name, file, (insert) =>
      idempotently(deps.db, request, accountId, async (tx) => assetValue(await insert(tx), deps.publicUrl()), sent),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../shared/deps.ts';
import { badRequest } from '../shared/errors.ts';
import { idempotencyKey, idempotently } from '../shared/http/idempotency.ts';
import { newUuid } from '../shared/ids.ts';
import { assetValue } from './asset-url.ts';
import { auditFile } from './audit-file.ts';
import type { AssetValue } from './contract.ts';
import { type ExaminedFile, examineFile } from './examine-file.ts';
import { cleanName, servedName } from './file-name.ts';
import { useFilePart } from './file-part.ts';
import { receiveFile } from './receive-file.ts';
import type { Storage } from './storage.ts';
import { storeFile } from './store-file.ts';
import { uploadFolder } from './uploads.ts';

/** The file of a request, whole and examined, in a folder of its own. */
export interface ReceivedFile {
  /** A UUID that nothing has yet. */
  id: string;
  name: string;
  file: ExaminedFile;
  /** What stands for the body of the request. */
  sent: { sha256: string; name: string };
}

/**
 * Stores the file of an upload and answers its asset: the file is written in a folder of this upload and flushed,
 * examined, and stored.
 * @param idleMs how long the sender may be silent
 * @throws ApiError 400 for everything that is wrong with the request or the file
 */
export function uploadFile(deps: Deps, storage: Storage, request: FastifyRequest, idleMs: number): Promise<AssetValue> {
  const { accountId } = request.caller;
  return withReceivedFile(deps, storage, request, idleMs, ({ id, name, file, sent }) =>
    storeFile(deps, storage, accountId, id, name, file, (insert) => {
      const work = async (tx: Parameters<typeof insert>[0]) => {
        const row = await insert(tx);
        await auditFile(tx, request, 'uploaded', { after: row }, deps.clock());
        return assetValue(row, deps.publicUrl());
      };
      return idempotently(deps.db, request, accountId, work, sent);
    }),
  );
}

/**
 * Takes the file of a request to `work`, after which nothing of it is left but what that stored.
 * @throws ApiError 400 for everything that is wrong with the request or the file
 */
export async function withReceivedFile<T>(
  deps: Deps,
  storage: Storage,
  request: FastifyRequest,
  idleMs: number,
  work: (received: ReceivedFile) => Promise<T>,
): Promise<T> {
  if (request.headers['content-type'] === undefined) {
    throw badRequest('content_type_unsupported', 'A multipart/form-data body is needed.');
  }
  // One that cannot be used is refused before the file is read.
  idempotencyKey(request);
  const id = newUuid(deps.clock());
  const folder = uploadFolder(storage, request.caller.accountId, id);
  const { limits } = deps.config;
  try {
    await mkdir(folder, { recursive: true });
    const received = await useFilePart(
      request.raw,
      { idleMs, bytesBefore: limits.videoBytes },
      async (stream, sentName) => {
        const path = join(folder, 'file');
        const whole = await receiveFile(stream, path, limits);
        const file = await examineFile(path, whole, deps.config);
        const name = cleanName(sentName) || servedName(file.type, file.media_type);
        return { id, file, name, sent: { sha256: whole.sha256.toString('hex'), name } };
      },
    );
    return await work(received);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

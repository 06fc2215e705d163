import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { Limits } from '../shared/config.ts';
import type { Deps } from '../shared/deps.ts';
import { ApiError } from '../shared/errors.ts';
import { idempotencyKey, idempotently } from '../shared/http/idempotency.ts';
import { newUuid, publicId, uuidTime } from '../shared/ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { assetValue } from './asset-url.ts';
import type { AssetValue } from './contract.ts';
import { cleanName, servedName } from './file-name.ts';
import { useFilePart } from './file-part.ts';
import { inspectFilm } from './inspect-film.ts';
import { inspectImage } from './inspect-image.ts';
import { type AssetRow, insertAsset } from './queries.ts';
import { receiveFile } from './receive-file.ts';
import { type Storage, storageKey } from './storage.ts';
import { uploadFolder } from './uploads.ts';

/**
 * Stores the file of an upload and answers its asset. In this order, so that there is never an asset without its bytes:
 * the file is written in a folder of this upload, flushed and checked; moved into the storage and flushed there; then
 * the asset is inserted; then the folder goes. A folder that stays behind names its asset, for `clearUploads` to judge.
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
  const key = storageKey(accountId, id);
  const folder = uploadFolder(storage, accountId, id);
  const discard = async () => {
    await storage.delete(key);
    await rm(folder, { recursive: true, force: true });
  };

  let inserting = false;
  try {
    await mkdir(folder, { recursive: true });
    const path = join(folder, 'file');
    const { limits } = deps.config;
    const file = await useFilePart(request.raw, { idleMs, bytesBefore: limits.videoBytes }, (stream, name) =>
      readFile(stream, name, path, limits),
    );
    const row: AssetRow = {
      ...file,
      account_id: accountId,
      id,
      url_key: randomUUID(),
      storage_key: key,
      created_at: new Date(uuidTime(id)),
    };
    await storage.put(path, key);
    inserting = true;
    const insert = async (tx: Tx) => {
      await insertAsset(tx, row);
      return assetValue(row, deps.publicUrl());
    };
    const sent = { sha256: row.sha256.toString('hex'), name: row.name };
    const asset = await idempotently(deps.db, request, accountId, insert, sent);
    if (asset.assetId === publicId('ast', id)) await rm(folder, { recursive: true, force: true });
    else await discard();
    return asset;
  } catch (error) {
    // Of a failed commit nobody can tell here whether it took place.
    if (!inserting || error instanceof ApiError) await discard();
    throw error;
  }
}

/** Streams the file to `path` and reads what it is. */
async function readFile(stream: Readable, sentName: string, path: string, limits: Limits) {
  const { type, bytes, sha256 } = await receiveFile(stream, path, limits);
  const media = type === 'image' ? await inspectImage(path, limits) : await inspectFilm(path);
  return {
    type,
    bytes,
    sha256,
    media_type: media.mediaType,
    name: cleanName(sentName) || servedName(type, media.mediaType),
    width: media.width,
    height: media.height,
    duration_seconds: media.durationSeconds,
  };
}

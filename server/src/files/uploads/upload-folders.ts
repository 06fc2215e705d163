import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileDeps } from '../file-deps.ts';
import { deleteAllDueBlobs, UPLOAD_TIMEOUT_MS } from '../storage/orphaned-blobs.ts';
import type { Storage } from '../storage/storage.ts';

const UPLOAD = /^[0-9a-f-]{36}\.[0-9a-f-]{36}$/;

/** The folder of one upload on this machine. It exists until the upload is answered. */
export function uploadFolder(storage: Storage, accountId: string, assetId: string): string {
  return join(storage.uploadsFolder, `${accountId}.${assetId}`);
}

/** Deletes the folders of uploads whose process died. Processes may share them: only old ones are deleted. */
async function deleteAbandonedFolders({ clock, storage }: FileDeps): Promise<void> {
  for (const name of await readdir(storage.uploadsFolder).catch(() => [])) {
    if (!UPLOAD.test(name)) continue;
    const folder = join(storage.uploadsFolder, name);
    const entry = await stat(folder).catch(() => undefined);
    if (entry === undefined || clock() - entry.mtimeMs < UPLOAD_TIMEOUT_MS) continue;
    await rm(folder, { recursive: true, force: true });
  }
}

/** Deletes what interrupted uploads and deletions left behind. */
export async function cleanUpUploads(deps: FileDeps): Promise<void> {
  await Promise.all([deleteAbandonedFolders(deps), deleteAllDueBlobs(deps)]);
}

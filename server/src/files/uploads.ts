import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Deps, Worker } from '../shared/deps.ts';
import { findAssetRows } from './queries.ts';
import { type Storage, storageKey } from './storage.ts';

/** Longer than any upload may take: see the server's `requestTimeout`. */
const DEAD_AFTER_MS = 6 * 3_600_000;
const CLEAR_EVERY_MS = 3_600_000;
const UPLOAD = /^([0-9a-f-]{36})\.([0-9a-f-]{36})$/;

/** The folder of one upload. It is there from before its first byte until its asset is inserted or given up. */
export function uploadFolder(storage: Storage, accountId: string, assetId: string): string {
  return join(storage.uploadsFolder, `${accountId}.${assetId}`);
}

/**
 * Removes what uploads left behind whose process died. Of a file that was already moved into the storage the database
 * tells whether it became an asset. Any number of processes may share the folder: each touches none but old uploads.
 */
export async function clearUploads({ db, clock }: Deps, storage: Storage): Promise<void> {
  for (const name of await readdir(storage.uploadsFolder).catch(() => [])) {
    const [, accountId, assetId] = UPLOAD.exec(name) ?? [];
    if (accountId === undefined || assetId === undefined) continue;
    const folder = join(storage.uploadsFolder, name);
    const entry = await stat(folder).catch(() => undefined);
    if (entry === undefined || clock() - entry.mtimeMs < DEAD_AFTER_MS) continue;
    const [asset] = await findAssetRows(db, accountId, [assetId]);
    if (!asset) await storage.delete(storageKey(accountId, assetId));
    await rm(folder, { recursive: true, force: true });
  }
}

/** Clears at the start and every hour. */
export function uploadsWorker(deps: Deps, storage: Storage): Worker {
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const clear = () => {
    running = clearUploads(deps, storage).catch((error) =>
      deps.log.warn({ err: error }, 'what dead uploads left behind was not cleared'),
    );
  };
  return {
    start() {
      clear();
      timer = setInterval(clear, CLEAR_EVERY_MS);
    },
    stop() {
      clearInterval(timer);
      return running;
    },
  };
}

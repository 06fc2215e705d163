import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Deps, Worker } from '../shared/deps.ts';
import type { Storage } from './storage.ts';
import { clearUnowned, UPLOAD_WITHIN_MS } from './unowned-files.ts';

const CLEAR_EVERY_MS = 600_000;
const UPLOAD = /^[0-9a-f-]{36}\.[0-9a-f-]{36}$/;

/** The folder of one upload on this machine: there from before its first byte until it is answered. */
export function uploadFolder(storage: Storage, accountId: string, assetId: string): string {
  return join(storage.uploadsFolder, `${accountId}.${assetId}`);
}

/** Removes the folders of uploads whose process died. Any number of processes may share them: each touches none but old ones. */
export async function clearUploads({ clock }: Deps, storage: Storage): Promise<void> {
  for (const name of await readdir(storage.uploadsFolder).catch(() => [])) {
    if (!UPLOAD.test(name)) continue;
    const folder = join(storage.uploadsFolder, name);
    const entry = await stat(folder).catch(() => undefined);
    if (entry === undefined || clock() - entry.mtimeMs < UPLOAD_WITHIN_MS) continue;
    await rm(folder, { recursive: true, force: true });
  }
}

/** Clears what uploads and deletions left behind, at the start and every ten minutes. */
export function uploadsWorker(deps: Deps, storage: Storage): Worker {
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const clear = () => {
    running = Promise.all([clearUploads(deps, storage), clearUnowned(deps, storage)]).then(
      () => {},
      (error) => deps.log.warn({ err: error }, 'what uploads left behind was not cleared'),
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

import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../shared/config.ts';
import type { Deps, Worker } from '../shared/deps.ts';

/** Where finished exports are handed out, without a token. */
export const DOWNLOADS = '/downloads/exports';

const HOUR = 3_600_000;
/** Longer than any export is kept (7 days) or takes. */
const FORGOTTEN_MS = 8 * 24 * HOUR;

/** Where finished exports lie: in the storage, so that any process that shares it can hand them out. */
export function exportFolder({ storageUrl, dataDir }: Config): string {
  // A bucket keeps no files that are appended to.
  if (storageUrl === undefined || storageUrl.startsWith('s3://')) return join(dataDir, 'exports');
  return join(storageUrl.startsWith('file://') ? fileURLToPath(storageUrl) : storageUrl, 'exports');
}

/** Removes what no job knows of any more: a process that was killed leaves an unfinished file, or one just finished. */
export async function removeForgotten(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found && now - found.mtimeMs > FORGOTTEN_MS) await rm(path, { force: true });
  }
}

export function forgottenFilesWorker({ config, clock, log }: Deps): Worker {
  let timer: NodeJS.Timeout | undefined;
  let sweep = Promise.resolve();
  const tidy = () => {
    sweep = removeForgotten(exportFolder(config), clock()).catch((error) =>
      log.warn({ err: error }, 'forgotten exports were not removed'),
    );
  };
  return {
    start() {
      timer = setInterval(tidy, HOUR);
      tidy();
    },
    async stop() {
      clearInterval(timer);
      await sweep;
    },
  };
}

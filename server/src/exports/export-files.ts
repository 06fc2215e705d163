import type { Storage } from '../files/index.ts';
import type { Deps, Worker } from '../shared/deps.ts';
import { DAY, HOUR } from '../shared/units.ts';
import { workerLoop } from '../shared/worker-loop.ts';

const PREFIX = 'exports/';

/** The key of an export in the file storage, from which every process can serve it. */
export const exportKey = (file: string) => `${PREFIX}${file}`;

/** Longer than an export is available (7 days) plus the time it takes. */
const ORPHAN_AGE_MS = 8 * DAY;

/** Deletes exports that no job knows of, because their process died before their job had finished. */
export async function deleteOrphans(storage: Storage, now: number): Promise<void> {
  for await (const { key, modifiedAt } of storage.list(PREFIX)) {
    if (now - modifiedAt.getTime() > ORPHAN_AGE_MS) await storage.delete(key);
  }
}

export function orphansWorker({ clock, log }: Deps, storage: Storage): Worker {
  return workerLoop({
    name: 'delete orphaned exports',
    log,
    everyMs: HOUR,
    runAtStart: true,
    run: () => deleteOrphans(storage, clock()),
  });
}

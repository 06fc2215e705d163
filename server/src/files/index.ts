import { registerJob } from '../jobs/index.ts';
import type { Room } from '../shared/deps.ts';
import { periodically } from '../shared/periodic.ts';
import { CLEAR_UNUSED, clearUnusedEverywhere, clearUnusedHandler } from './clear-unused.ts';
import { KnownFiles } from './known-files.ts';
import { openStorage } from './open-storage.ts';
import { deliveryRoute, fileRoutes, tusRoutes, uploadRoutes } from './routes.ts';
import { TusUploads } from './tus-uploads.ts';
import { uploadsWorker } from './uploads.ts';
import { Variants } from './variants.ts';

export { type EntryUse, recordEntryUses, releaseAssets } from './asset-uses.ts';
export { AssetValue } from './contract.ts';
export { useFilePart } from './file-part.ts';
export { findAssets, holdAssets } from './find-assets.ts';
export { migrateFiles } from './migrate-files.ts';

/** A sender of an upload that is silent for so long is given up. */
const IDLE_MS = 60_000;
const HOUR_MS = 3_600_000;

export const filesRoom: Room = (app, deps) => {
  const { config, log } = deps;
  const storage = openStorage(config);
  const files = new KnownFiles(deps);
  uploadRoutes(app, deps, storage, files, IDLE_MS);
  fileRoutes(app, deps, storage, files);
  const variants = new Variants(deps, storage);
  deliveryRoute(app, deps, storage, files, variants);
  registerJob(deps, CLEAR_UNUSED, clearUnusedHandler(deps, storage));
  const tus = new TusUploads(deps, storage);
  tusRoutes(app, tus);
  const workers = [uploadsWorker(deps, storage), variants.worker, tus.worker];
  const { clearUnusedDays } = config.files;
  if (clearUnusedDays !== undefined) {
    const clear = (signal: AbortSignal) => clearUnusedEverywhere(deps, storage, clearUnusedDays, signal);
    workers.push(periodically(HOUR_MS, 'to clear files that nobody uses', log, clear));
  }
  return workers;
};

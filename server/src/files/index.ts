/**
 * Uploads, their variants and folders, and the storage they are in. Its tables: asset_urls, asset_uses, assets,
 * file_folders, file_variants, orphaned_blobs, upload_tokens.
 */
import type { JobHandlers } from '../jobs/index.ts';
import { MediaService } from '../media/index.ts';
import type { Config } from '../shared/config.ts';
import type { Deps, Module, Worker } from '../shared/deps.ts';
import { HOUR, MINUTE } from '../shared/units.ts';
import { workerLoop } from '../shared/worker-loop.ts';
import { DeliveryCache } from './delivery/delivery-cache.ts';
import type { FileDeps } from './file-deps.ts';
import { folderRoutes } from './folder-routes.ts';
import { CLEAR_UNUSED, clearUnusedEverywhere, clearUnusedHandler } from './library/clear-unused.ts';
import { emptyFileTrash } from './library/empty-file-trash.ts';
import { Posters } from './posters/posters.ts';
import { deliveryRoute, fetchRoutes, fileRoutes, tusRoutes, uploadRoutes } from './routes.ts';
import { openStorage } from './storage/open-storage.ts';
import type { Storage } from './storage/storage.ts';
import { uploadTokenRoutes } from './upload-token-routes.ts';
import { TusUploads } from './uploads/tus-uploads.ts';
import { cleanUpUploads } from './uploads/upload-folders.ts';
import { deleteExpiredTokens } from './uploads/upload-tokens.ts';
import { Variants } from './variants/variants.ts';

export { AssetValue } from './contract.ts';
export { deleteEntryUses, type EntryUse, recordEntryUses, recordNewUses } from './library/asset-uses.ts';
export { FILE_TEXTS } from './library/file-texts.ts';
export { findAssets, lockAssets, type OwnMembers } from './library/find-assets.ts';
export { FILE_LIMITS } from './limits.ts';
export { migrateFiles } from './storage/migrate-files.ts';
export { openStorage } from './storage/open-storage.ts';
export {
  type AssetBlob,
  CACHE_TABLES,
  keepOrphanedBlobs,
  listAssetBlobs,
  listAssetBlobsSince,
  listNewestBlobs,
  orphanAccountBlobs,
  requeuePosters,
} from './storage/queries.ts';
export { type BucketOptions, openBucket } from './storage/s3-storage.ts';
export { MissingBlob, type Storage, StorageUnavailable, type StoredBlob } from './storage/storage.ts';
export { receiveFilePart } from './uploads/multipart-file.ts';
export { uploadTokenVerifier } from './uploads/upload-tokens.ts';

const UPLOAD_IDLE_MS = MINUTE;
const CLEANUP_INTERVAL_MS = 600_000;

/** The file storage and the processes that read media, which all cells share. */
export interface FileStore {
  storage: Storage;
  media: MediaService;
  /** Ends the processes. */
  processes: Worker;
}

export function openFileStore(config: Config): FileStore {
  const storage = openStorage(config);
  const media = new MediaService(storage.uploadsFolder);
  return { storage, media, processes: { start() {}, stop: async () => media.stop() } };
}

export function filesModule(
  deps: Deps,
  { storage, media }: FileStore,
  readableUses: FileDeps['readableUses'],
): Module & { jobs: JobHandlers } {
  const { config, log } = deps;
  const fileDeps: FileDeps = {
    ...deps,
    readableUses,
    storage,
    media,
    delivered: new DeliveryCache(deps),
    onPosterDue: () => posters.worker.wake(),
    idleMs: UPLOAD_IDLE_MS,
  };
  const posters = new Posters(fileDeps);
  const variants = new Variants(fileDeps);
  const tus = new TusUploads(fileDeps);
  const cleanup = workerLoop({
    name: 'clean up after interrupted uploads',
    log,
    everyMs: CLEANUP_INTERVAL_MS,
    runAtStart: true,
    run: () =>
      Promise.all([
        cleanUpUploads(fileDeps),
        tus.deleteExpired(),
        deleteExpiredTokens(deps.db, deps.clock(), (...upload) => tus.discard(...upload)),
      ]),
  });
  const workers: Worker[] = [cleanup, variants.eviction, posters.worker];
  const { clearUnusedDays } = config.files;
  if (clearUnusedDays !== undefined) {
    const run = (signal: AbortSignal) => clearUnusedEverywhere(fileDeps, clearUnusedDays, signal);
    workers.push(workerLoop({ name: 'delete unused files', log, everyMs: HOUR, run }));
  }
  const { trashDays } = config;
  if (trashDays !== undefined) {
    const run = (signal: AbortSignal) => emptyFileTrash(fileDeps, trashDays, signal);
    workers.push(workerLoop({ name: 'empty the trash of files', log, everyMs: HOUR, run }));
  }
  return {
    routes(app) {
      uploadRoutes(app, fileDeps);
      uploadTokenRoutes(app, fileDeps);
      fetchRoutes(app, fileDeps);
      fileRoutes(app, fileDeps);
      folderRoutes(app, fileDeps);
      deliveryRoute(app, fileDeps, variants, posters);
      tusRoutes(app, tus);
    },
    workers,
    jobs: { [CLEAR_UNUSED]: clearUnusedHandler(fileDeps) },
  };
}

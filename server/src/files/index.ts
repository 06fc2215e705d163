import type { Room } from '../shared/deps.ts';
import { deliveryRoute, uploadRoute } from './routes.ts';
import { openStorage } from './storage.ts';
import { uploadsWorker } from './uploads.ts';

export { AssetValue } from './contract.ts';
export { findAssets } from './find-assets.ts';

/** A sender of an upload that is silent for so long is given up. */
const IDLE_MS = 60_000;

export const filesRoom: Room = (app, deps) => {
  const storage = openStorage(deps.config);
  uploadRoute(app, deps, storage, IDLE_MS);
  deliveryRoute(app, deps, storage);
  return [uploadsWorker(deps, storage)];
};

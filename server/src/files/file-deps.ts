import type { MediaService } from '../media/index.ts';
import type { Deps } from '../shared/deps.ts';
import type { DeliveryCache } from './delivery/delivery-cache.ts';
import type { Storage } from './storage/storage.ts';

/** What the operations of this module work with. */
export interface FileDeps extends Deps {
  storage: Storage;
  media: MediaService;
  delivered: DeliveryCache;
  /** Called when a video was stored whose poster is to be made. */
  onPosterDue(): void;
  /** How long the client of an upload may send nothing. */
  idleMs: number;
}

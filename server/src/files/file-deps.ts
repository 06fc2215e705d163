import type { FastifyRequest } from 'fastify';
import type { MediaService } from '../media/index.ts';
import type { Deps } from '../shared/deps.ts';
import type { DeliveryCache } from './delivery/delivery-cache.ts';
import type { FileUse } from './library/use-queries.ts';
import type { Storage } from './storage/storage.ts';

/** What the operations of this module work with. */
export interface FileDeps extends Deps {
  storage: Storage;
  media: MediaService;
  delivered: DeliveryCache;
  /** Called when a video was stored whose poster is to be made. */
  onPosterDue(): void;
  /** Of entries that use a file, those that a caller may read. */
  readableUses(caller: FastifyRequest['caller'], uses: readonly FileUse[]): Promise<readonly FileUse[]>;
  /** How long the client of an upload may send nothing. */
  idleMs: number;
}

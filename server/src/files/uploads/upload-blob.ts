import { guessVideoType } from '../../media/index.ts';
import type { FileDeps } from '../file-deps.ts';
import { discardBlobs, UPLOAD_TIMEOUT_MS } from '../storage/orphaned-blobs.ts';
import { markOrphaned } from '../storage/queries.ts';
import { assetKey, type GrowingPut } from '../storage/storage.ts';

/** Smaller files are put fast enough once they are whole. */
const LARGE_BYTES = 10_000_000;

/**
 * The blob of an upload. A large video is stored while it is received, if the storage can, so that its client does not wait for
 * that at the end. Nothing can read it before it is inspected.
 */
export class UploadBlob {
  readonly key: string;
  readonly #deps: FileDeps;
  readonly #accountId: string;
  readonly #path: string;
  #size = 0;
  #begun: Promise<GrowingPut | undefined> | undefined;
  #growing: GrowingPut | undefined;
  #mediaType = '';
  #isPut = false;

  /** @param id a new UUID. Each attempt to store a file has its own, so that one that fails deletes nothing of another */
  constructor(deps: FileDeps, accountId: string, id: string, path: string) {
    this.key = assetKey(accountId, id);
    this.#deps = deps;
    this.#accountId = accountId;
    this.#path = path;
  }

  /** More of a video was received. */
  readonly onVideo = (head: Buffer, bytes: number): void => {
    this.#size = bytes;
    if (bytes >= LARGE_BYTES && this.#deps.storage.putGrowing) this.#begun ??= this.#begin(guessVideoType(head));
    this.#growing?.grow(bytes);
  };

  async #begin(mediaType: string): Promise<GrowingPut | undefined> {
    try {
      await this.#markOrphaned();
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'a video is stored only after it is received');
      return undefined;
    }
    this.#mediaType = mediaType;
    this.#growing = this.#deps.storage.putGrowing?.(this.#path, this.key, mediaType);
    this.#growing?.grow(this.#size);
    return this.#growing;
  }

  /** Stores the inspected file durably. The blob is recorded as orphaned before. */
  async put(path: string, mediaType: string, isRewritten: boolean): Promise<void> {
    const growing = await this.#begun;
    await this.#markOrphaned();
    this.#isPut = true;
    if (growing && !isRewritten && mediaType === this.#mediaType) {
      try {
        return await growing.finish(this.#size);
      } catch (error) {
        this.#deps.log.warn({ err: error }, 'storing a video while it was received failed, and is repeated');
      }
    }
    await growing?.cancel();
    await this.#deps.storage.put(path, this.key, mediaType);
  }

  async #markOrphaned(): Promise<void> {
    const { db, clock } = this.#deps;
    const delete_after = new Date(clock() + UPLOAD_TIMEOUT_MS);
    await markOrphaned(db, { account_id: this.#accountId, keys: [this.key], delete_after });
  }

  /** Deletes what was stored of a file that was not put in the end. */
  async discardUnlessPut(): Promise<void> {
    const growing = await this.#begun;
    if (!growing || this.#isPut) return;
    await growing.cancel();
    await discardBlobs(this.#deps, this.#accountId, [this.key]).catch((error) =>
      this.#deps.log.warn({ err: error }, 'what was stored of a refused upload is deleted later'),
    );
  }
}

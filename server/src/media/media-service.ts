import { FairQueue } from '../shared/fair-queue.ts';
import type { ResizeRequest } from './images/resize-image.ts';
import { BYTES_PER_PIXEL, DECODED_BYTES_BUDGET } from './limits.ts';
import { tooComplex } from './media-errors.ts';
import { canGrabFrames, grabFrame } from './videos/grab-frame.ts';
import type { Poster, VideoShape } from './videos/write-poster.ts';
import type { InspectedMedia, InspectRequest } from './worker/inspect-media.ts';
import { type TaskLimits, WorkerCrash, WorkerPool } from './worker/worker-pool.ts';

const TIMEOUT_MS = 30_000;
const PARSE = { timeoutMs: TIMEOUT_MS, memoryMb: 400 };

const MAX_WAITING_UPLOADS = 100;
const MAX_WAITING_VARIANTS = 100;

/** Parses, cleans and resizes untrusted media in sandboxed processes. Accounts take turns; each has a bounded queue. */
export class MediaService {
  readonly #workers: WorkerPool;
  readonly #uploads = new FairQueue({ slots: 3, slotsPerKey: 2, queuedPerKey: MAX_WAITING_UPLOADS });
  readonly #posters = new FairQueue({ slots: 2, slotsPerKey: 1, queuedPerKey: MAX_WAITING_VARIANTS });
  readonly #variants = new FairQueue({
    slots: 3,
    slotsPerKey: 2,
    queuedPerKey: MAX_WAITING_VARIANTS,
    budget: DECODED_BYTES_BUDGET,
  });

  /** @param workFolder the folder of all files that are passed in, and of those written */
  constructor(workFolder: string) {
    this.#workers = new WorkerPool(workFolder);
  }

  /** Variants that are being made or waited for. */
  get variantsQueued(): number {
    return this.#variants.size;
  }

  /**
   * Checks and cleans an uploaded file; see `inspectMedia`.
   * @throws ApiError 400 if the file is refused, also for exhausting its parser; 429 if too many of the account are waiting
   */
  inspect(accountId: string, request: InspectRequest): Promise<InspectedMedia> {
    const limits = request.type === 'image' ? decodeLimits(request.maxPixels) : PARSE;
    return this.#uploads.run(accountId, {}, () =>
      this.#workers.run('inspectMedia', [request], limits).catch((error) => {
        throw error instanceof WorkerCrash ? tooComplex(error) : error;
      }),
    );
  }

  /** Whether a poster can be made of a video: from its container, or else by ffmpeg, if installed. */
  canMakePoster({ hasStillImage }: InspectedMedia): boolean {
    return hasStillImage === true || canGrabFrames;
  }

  /** Writes a poster of an accepted video. undefined: there is none to be had. */
  makePoster(accountId: string, path: string, video: VideoShape, to: string): Promise<Poster | undefined> {
    return this.#posters.run(accountId, {}, async () => {
      try {
        const still = await this.#workers.run('extractStillImage', [path, video.durationSeconds], PARSE);
        const poster = still && (await this.#workers.run('writePoster', [still, video, to], PARSE));
        if (poster) return poster;
      } catch {
        // What the container does not contain, ffmpeg may decode.
      }
      const frame = await grabFrame(path, video);
      return frame && this.#workers.run('writePoster', [frame, video, to], PARSE).catch(() => undefined);
    });
  }

  /**
   * Runs `work`, which resizes an image, when it is this account's turn.
   * `resize` returns undefined if the image cannot be had so, whoever asks again.
   * @param cost the bytes that decoding takes
   */
  resize<T>(
    accountId: string,
    { cost, signal }: { cost: number; signal?: AbortSignal },
    work: (resize: (request: ResizeRequest) => Promise<{ bytes: number } | undefined>) => Promise<T>,
  ): Promise<T> {
    const resize = (request: ResizeRequest) =>
      this.#workers.run('resizeImage', [request], decodeLimits(request.maxPixels)).catch((error) => {
        if (error instanceof WorkerCrash) return undefined;
        throw error;
      });
    return this.#variants.run(accountId, { cost, signal }, () => work(resize));
  }

  stop(): void {
    this.#workers.stop();
  }
}

/** Room for decoding an image of the largest accepted size. */
function decodeLimits(maxPixels: number): TaskLimits {
  return { timeoutMs: TIMEOUT_MS, memoryMb: PARSE.memoryMb + Math.ceil((maxPixels * BYTES_PER_PIXEL) / 1_048_576) };
}

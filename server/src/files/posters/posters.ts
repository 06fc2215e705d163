import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../../shared/errors.ts';
import { newUuid } from '../../shared/ids.ts';
import { backgroundWork, runAs } from '../../shared/postgres/work.ts';
import { type WorkerLoop, workerLoop } from '../../shared/worker-loop.ts';
import type { FileDeps } from '../file-deps.ts';
import { type AssetRow, findAssetRows, lockContent } from '../library/queries.ts';
import { discardBlobs } from '../storage/orphaned-blobs.ts';
import { claimBlobs, markOrphaned } from '../storage/queries.ts';
import { uploadFolder } from '../uploads/upload-folders.ts';
import { finishPoster, leaseDuePosters, leasePoster } from './queries.ts';

/** Longer than it takes to make one, of the largest video from a bucket. */
const LEASE_MS = 300_000;
const INTERVAL_MS = 10_000;
const MAX_LEASED = 4;
const POLL_MS = 100;
const WAIT_TIMEOUT_MS = 8_000;
/** Videos whose posters are waited for. */
const MAX_WAITING = 100;

/**
 * Makes the posters of videos after their uploads were answered. That one is due is stored with the asset, so no poster is
 * lost with a process: when its lease has ended, another makes it.
 */
export class Posters {
  readonly #deps: FileDeps;
  readonly #waiting = new Map<string, Promise<void>>();
  readonly worker: WorkerLoop;

  constructor(deps: FileDeps) {
    this.#deps = deps;
    this.worker = workerLoop({
      name: 'make posters',
      log: deps.log,
      everyMs: INTERVAL_MS,
      runAtStart: true,
      run: () => this.#makeDue(),
    });
  }

  /**
   * Waits until the poster of an asset was made, or found to be impossible. It is made at once if no process has begun.
   * @throws ApiError 429 if it takes long or too many are waited for
   */
  async wait(asset: AssetRow): Promise<void> {
    const waiting = this.#waiting.get(asset.id) ?? this.#start(asset);
    const timeout = new AbortController();
    const { signal } = timeout;
    const tooLate = sleep(WAIT_TIMEOUT_MS, undefined, { signal }).then(() => {
      throw stillBeingMade();
    });
    try {
      await Promise.race([waiting, tooLate]);
    } finally {
      tooLate.catch(() => {});
      timeout.abort();
    }
  }

  #start({ account_id, id }: AssetRow): Promise<void> {
    if (this.#waiting.size >= MAX_WAITING) throw stillBeingMade();
    const waiting = runAs(backgroundWork(account_id), () => this.#makeOrPoll(account_id, id)).finally(() =>
      this.#waiting.delete(id),
    );
    waiting.catch(() => {});
    this.#waiting.set(id, waiting);
    return waiting;
  }

  async #makeOrPoll(account_id: string, id: string): Promise<void> {
    const { db } = this.#deps;
    for (const deadline = performance.now() + WAIT_TIMEOUT_MS; performance.now() < deadline; await sleep(POLL_MS)) {
      const [leased] = await leasePoster(db, { account_id, id, ...this.#lease() });
      if (leased) return this.#make(account_id, id);
      const [asset] = await findAssetRows(db, { account_id, ids: [id] });
      if (!asset || asset.poster_due === null) return;
    }
    throw stillBeingMade();
  }

  #lease() {
    const now = this.#deps.clock();
    return { lease_until: new Date(now + LEASE_MS), now: new Date(now) };
  }

  /** @returns whether there may be more */
  async #makeDue(): Promise<boolean> {
    const leased = await leaseDuePosters(this.#deps.db, { ...this.#lease(), max: MAX_LEASED });
    await Promise.all(leased.map(({ account_id, id }) => this.#make(account_id, id).catch((err) => this.#warn(err))));
    return leased.length > 0;
  }

  #warn(err: unknown): void {
    this.#deps.log.warn({ err }, 'a poster could not be made and will be retried');
  }

  /** Makes a leased poster. A failure of the storage or the database leaves it to the next process that leases it. */
  async #make(account_id: string, id: string): Promise<void> {
    const { db, storage, media, clock } = this.#deps;
    const [asset] = await findAssetRows(db, { account_id, ids: [id] });
    if (!asset) return;
    const blob = newUuid(clock());
    const folder = uploadFolder(storage, account_id, blob);
    const poster_key = `${account_id}/${blob}.poster`;
    try {
      await mkdir(folder, { recursive: true });
      const video = storage.path?.(asset.storage_key) ?? (await this.#download(asset, join(folder, 'video')));
      const { media_type: mediaType, width, height, duration_seconds: durationSeconds } = asset;
      const shape = { mediaType, width: width ?? 0, height: height ?? 0, durationSeconds };
      const to = join(folder, 'poster');
      const poster = await media.makePoster(account_id, video, shape, to);
      if (!poster) {
        const none = { poster_key: null, poster_width: null, poster_height: null, thumbhash: null };
        await finishPoster(db, { account_id, sha256: asset.sha256, ...none });
        return;
      }
      await markOrphaned(db, { account_id, keys: [poster_key], delete_after: this.#lease().lease_until });
      await storage.put(to, poster_key, 'image/webp');
      const isUsed = await db.transaction(async (tx) => {
        // As when an asset is inserted: one with the same content gets the poster as well, and none loses it.
        await lockContent(tx, { account_id, sha256: asset.sha256 });
        const { width: poster_width, height: poster_height } = poster;
        const thumbhash = poster.thumbhash && Buffer.from(poster.thumbhash);
        const made = { poster_key, poster_width, poster_height, thumbhash };
        const waiting = await finishPoster(tx, { account_id, sha256: asset.sha256, ...made });
        if (waiting.length === 0) return false;
        const claimed = await claimBlobs(tx, { account_id, keys: [poster_key] });
        if (claimed.length === 0) throw new Error('making the poster took too long: its blob was deleted');
        return true;
      });
      // The asset was deleted or replaced, or the lease ended and another process made it.
      if (!isUsed) await discardBlobs(this.#deps, account_id, [poster_key]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #download({ storage_key, bytes }: AssetRow, to: string): Promise<string> {
    const source = await this.#deps.storage.read(storage_key, 0, bytes - 1);
    await pipeline(Buffer.isBuffer(source) ? [source] : source, createWriteStream(to));
    return to;
  }
}

function stillBeingMade(): ApiError {
  const detail = 'The poster is still being made. Retry after the time in Retry-After.';
  return new ApiError(429, 'overloaded', detail, { headers: { 'retry-after': '2' } });
}

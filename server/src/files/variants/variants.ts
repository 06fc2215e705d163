import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, notFound } from '../../shared/errors.ts';
import { newUuid } from '../../shared/ids.ts';
import { newCache } from '../../shared/lru-cache.ts';
import { HOUR, MINUTE } from '../../shared/units.ts';
import { type WorkerLoop, workerLoop } from '../../shared/worker-loop.ts';
import type { FileDeps } from '../file-deps.ts';
import type { AssetRow } from '../library/queries.ts';
import { deleteAllDueBlobs, discardBlobs } from '../storage/orphaned-blobs.ts';
import { uploadFolder } from '../uploads/upload-folders.ts';
import {
  claimVariant,
  deleteVariant,
  evictVariants,
  findVariant,
  finishVariant,
  recordVariantUse,
  totalVariantBytes,
} from './queries.ts';
import { serializeSpec, type VariantSpec } from './variant-spec.ts';

export interface Variant {
  key: string;
  bytes: number;
}

/** The source itself, where the image cannot be had in another size or format, or not yet. */
export const AS_STORED = 'as stored';

/** Requests that wait for the same variant. */
interface Production {
  promise: Promise<Variant | typeof AS_STORED>;
  waiting: number;
  /** Aborted when no request waits any more. */
  abandoned: AbortController;
}

type VariantId = { account_id: string; source_key: string; spec: string };

/** Longer than it takes to make and store one. */
const LEASE_MS = 120_000;
const POLL_MS = 40;
/** Shorter than the server's limit for a response, which would be a 500. */
const WAIT_TIMEOUT_MS = 8_000;
const MAX_CACHED = 20_000;
/** The precision of `used_at`. */
const USE_INTERVAL_MS = HOUR;
const EVICTION_INTERVAL_MS = MINUTE;

/**
 * Images in other sizes and formats. Each is made once, however many requests in any process wait for it, and cached in the
 * storage; the least recently used are evicted when there is no room.
 */
export class Variants {
  readonly #deps: FileDeps;
  readonly #productions = new Map<string, Production>();
  readonly #cache = newCache<(Variant & { usedAt: number }) | typeof AS_STORED>(MAX_CACHED);
  readonly eviction: WorkerLoop;
  #bytesSinceEviction = 0;

  constructor(deps: FileDeps) {
    this.#deps = deps;
    this.eviction = workerLoop({
      name: 'evict image variants',
      log: deps.log,
      everyMs: EVICTION_INTERVAL_MS,
      run: () => this.evict(),
    });
    deps.metrics.gauge(
      'headwater_variants_making',
      'Image variants that are being made or waited for',
      () => this.#productions.size,
    );
  }

  /**
   * @param signal aborted when the client disconnects; a variant that no client waits for is not started
   * @throws ApiError 404 if the asset is deleted, 429 if it takes long or too many variants of the account are waiting
   */
  async get(asset: AssetRow, spec: VariantSpec, signal: AbortSignal): Promise<Variant | typeof AS_STORED> {
    const id = idOf(asset, spec);
    const name = nameOf(id);
    const cached = this.#cache.get(name);
    if (cached) {
      if (cached !== AS_STORED) this.#recordUse(id, cached);
      return cached;
    }
    signal.throwIfAborted();
    const production = this.#productions.get(name) ?? this.#start(name, id, asset, spec);
    const { promise: interrupted, resolve, reject } = Promise.withResolvers<typeof AS_STORED>();
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    // Of an animation, what is stored can be shown meanwhile.
    const onTimeout = () => (spec.animated ? resolve(AS_STORED) : reject(stillBeingMade()));
    const timer = setTimeout(onTimeout, WAIT_TIMEOUT_MS);
    production.waiting++;
    try {
      return await Promise.race([production.promise, interrupted]);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      if (--production.waiting === 0) {
        this.#end(name, production);
        production.abandoned.abort();
      }
    }
  }

  /** Forgets a variant whose blob is missing from the storage. */
  async discard(asset: AssetRow, spec: VariantSpec, storage_key: string): Promise<void> {
    const id = idOf(asset, spec);
    this.#cache.delete(nameOf(id));
    await deleteVariant(this.#deps.db, { ...id, storage_key });
  }

  /** Evicts down to nine tenths of the limit, and deletes what no process finished. */
  async evict(): Promise<void> {
    const { db, config, clock } = this.#deps;
    const limit = config.files.variantBytes;
    this.#bytesSinceEviction = 0;
    const [{ bytes } = { bytes: 0 }] = await totalVariantBytes(db);
    const max_bytes = bytes > limit ? Math.floor(limit * 0.9) : Number.MAX_SAFE_INTEGER;
    const lease_ended_before = new Date(clock() - LEASE_MS);
    const evicted = await evictVariants(db, { max_bytes, lease_ended_before, now: new Date(clock()) });
    if (evicted.length > 0) await deleteAllDueBlobs(this.#deps);
  }

  #start(name: string, id: VariantId, asset: AssetRow, spec: VariantSpec): Production {
    const abandoned = new AbortController();
    const promise = this.#findOrMake(id, asset, spec, abandoned.signal).then((variant) => {
      this.#cache.set(name, variant === AS_STORED ? variant : { ...variant, usedAt: this.#deps.clock() });
      return variant;
    });
    const production = { promise, waiting: 0, abandoned };
    promise.catch(() => {}).finally(() => this.#end(name, production));
    this.#productions.set(name, production);
    return production;
  }

  #end(name: string, production: Production): void {
    if (this.#productions.get(name) === production) this.#productions.delete(name);
  }

  async #findOrMake(
    id: VariantId,
    asset: AssetRow,
    spec: VariantSpec,
    signal: AbortSignal,
  ): Promise<Variant | typeof AS_STORED> {
    const { db, clock, media } = this.#deps;
    for (;;) {
      const [row] = await findVariant(db, id);
      if (row && row.bytes !== null) return { key: row.storage_key, bytes: row.bytes };
      if (row === undefined || row.lease_until.getTime() < clock()) {
        const task = { cost: spec.decodedBytes, signal };
        const made = await media.resize(id.account_id, task, (resize) => this.#claimAndMake(id, asset, spec, resize));
        if (made) return made;
        // No claim and no row: the asset is deleted, or its content was replaced.
        if ((await findVariant(db, id)).length === 0) throw notFound('file');
      }
      // Another process is making it.
      await sleep(POLL_MS, undefined, { signal });
    }
  }

  /** @returns undefined if another process has the lease or the asset no longer has the content */
  async #claimAndMake(
    id: VariantId,
    asset: AssetRow,
    spec: VariantSpec,
    resize: Parameters<Parameters<FileDeps['media']['resize']>[2]>[0],
  ): Promise<Variant | typeof AS_STORED | undefined> {
    const { db, clock, config, storage } = this.#deps;
    const { account_id } = id;
    const storage_key = `${account_id}/variants/${newUuid(clock())}`;
    const times = { lease_until: new Date(clock() + LEASE_MS), now: new Date(clock()) };
    const [claimed] = await claimVariant(db, { ...id, asset_id: asset.id, storage_key, ...times });
    if (!claimed) return undefined;
    const folder = uploadFolder(storage, account_id, newUuid(clock()));
    const discard = async () => {
      await discardBlobs(this.#deps, account_id, [storage_key]);
      await deleteVariant(db, { ...id, storage_key });
    };
    try {
      await mkdir(folder, { recursive: true });
      const to = join(folder, 'file');
      const source = await this.#readSource(spec.sourceKey);
      const resized = await resize({ source, spec, to, maxPixels: config.limits.imagePixels });
      if (!resized) {
        this.#deps.log.warn({ assetId: asset.id, spec: id.spec }, 'an image cannot be resized and is served as stored');
        await discard();
        return AS_STORED;
      }
      const { bytes } = resized;
      await storage.put(to, storage_key, `image/${spec.format}`);
      const [finished] = await finishVariant(db, { ...id, storage_key, bytes, now: new Date(clock()) });
      // The file was deleted meanwhile, or the lease ended and another process took over.
      if (!finished) throw notFound('file');
      this.#bytesSinceEviction += bytes;
      if (this.#bytesSinceEviction > config.files.variantBytes / 20) this.eviction.wake();
      return { key: storage_key, bytes };
    } catch (error) {
      await discard();
      throw error;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #readSource(key: string): Promise<string | Buffer> {
    const { storage } = this.#deps;
    if (storage.path) return storage.path(key);
    const size = await storage.size(key);
    if (size === undefined) throw notFound('file');
    const source = await storage.read(key, 0, size - 1);
    return Buffer.isBuffer(source) ? source : buffer(source);
  }

  #recordUse(id: VariantId, cached: { usedAt: number }): void {
    const now = this.#deps.clock();
    if (now - cached.usedAt < USE_INTERVAL_MS) return;
    cached.usedAt = now;
    recordVariantUse(this.#deps.db, { ...id, now: new Date(now) }).catch((error) =>
      this.#deps.log.warn({ err: error }, 'recording the use of an image variant failed'),
    );
  }
}

function stillBeingMade(): ApiError {
  const detail = 'The image is still being made. Retry after the time in Retry-After.';
  return new ApiError(429, 'overloaded', detail, { headers: { 'retry-after': '2' } });
}

function idOf({ account_id }: AssetRow, spec: VariantSpec): VariantId {
  return { account_id, source_key: spec.sourceKey, spec: serializeSpec(spec) };
}

function nameOf({ source_key, spec }: VariantId): string {
  return `${source_key} ${spec}`;
}

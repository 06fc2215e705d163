import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Deps } from '../shared/deps.ts';
import { ApiError, notFound } from '../shared/errors.ts';
import { newUuid } from '../shared/ids.ts';
import { type PeriodicWorker, periodically } from '../shared/periodic.ts';
import { atMost } from './at-most.ts';
import { makeVariant } from './make-variant.ts';
import type { AssetRow } from './queries.ts';
import type { Storage } from './storage.ts';
import { clearUnowned, giveUp } from './unowned-files.ts';
import { uploadFolder } from './uploads.ts';
import {
  claimVariant,
  evictVariants,
  findVariant,
  finishVariant,
  forgetVariant,
  totalOfVariants,
  useVariant,
} from './variant-queries.ts';
import { specText, type VariantSpec } from './variant-spec.ts';

export interface Variant {
  key: string;
  bytes: number;
}

/** Longer than it takes to make one, and to put it. */
const LEASE_MS = 120_000;
const AT_ONCE = 2;
const MAX_WAITING = 200;
const ASK_EVERY_MS = 40;
const PATIENCE_MS = 30_000;
const REMEMBERED = 20_000;
/** How exactly it is known when a variant was last used. */
const USE_EVERY_MS = 3_600_000;
const EVICT_EVERY_MS = 60_000;

/**
 * Pictures in other sizes and formats. Each is made once, however many ask for it, in this process or another; kept in
 * the storage; and goes when there is no room for all, the longest unused first.
 */
export class Variants {
  readonly #deps: Deps;
  readonly #storage: Storage;
  readonly #inTurn = atMost(AT_ONCE);
  readonly #making = new Map<string, Promise<Variant>>();
  readonly #known = new Map<string, Variant & { usedAt: number }>();
  readonly worker: PeriodicWorker;
  #madeBytes = 0;

  constructor(deps: Deps, storage: Storage) {
    this.#deps = deps;
    this.#storage = storage;
    const evict = () => this.evict();
    this.worker = periodically(EVICT_EVERY_MS, 'to make room for variants of pictures', deps.log, evict);
    deps.metrics.gauge(
      'headwater_variants_making',
      'Variants of pictures that are made or waited for',
      () => this.#making.size,
    );
  }

  /** @throws ApiError 404 where the asset is gone, 429 where too many are asked for at once */
  get(asset: AssetRow, spec: VariantSpec): Promise<Variant> {
    const text = specText(spec);
    const name = `${spec.sourceKey} ${text}`;
    const known = this.#known.get(name);
    if (known) {
      this.#use(asset, spec, text, known);
      return Promise.resolve(known);
    }
    const making = this.#making.get(name);
    if (making) return making;
    if (this.#making.size >= MAX_WAITING) {
      const detail = 'More pictures are asked for than can be made: wait as long as Retry-After says.';
      throw new ApiError(429, 'overloaded', detail, { headers: { 'retry-after': '2' } });
    }
    const made = this.#find(asset, spec, text)
      .then((variant) => {
        if (this.#known.size >= REMEMBERED) this.#known.clear();
        this.#known.set(name, { ...variant, usedAt: this.#deps.clock() });
        return variant;
      })
      .finally(() => this.#making.delete(name));
    this.#making.set(name, made);
    return made;
  }

  /** Its bytes were not there: somebody made room, or another storage is used now. */
  async forget({ account_id }: AssetRow, spec: VariantSpec, { key }: Variant): Promise<void> {
    this.#known.delete(`${spec.sourceKey} ${specText(spec)}`);
    await forgetVariant(this.#deps.db, account_id, spec.sourceKey, specText(spec), key);
  }

  /** Makes room, down to nine tenths of what there is, and removes what nobody finished. */
  async evict(): Promise<void> {
    const { db, config, clock } = this.#deps;
    const limit = config.files.variantBytes;
    this.#madeBytes = 0;
    const [{ bytes } = { bytes: 0 }] = await totalOfVariants(db);
    const keep = bytes > limit ? Math.floor(limit * 0.9) : Number.MAX_SAFE_INTEGER;
    const evicted = await evictVariants(db, keep, new Date(clock() - LEASE_MS), new Date(clock()));
    if (evicted.length > 0) await clearUnowned(this.#deps, this.#storage);
  }

  async #find(asset: AssetRow, spec: VariantSpec, text: string): Promise<Variant> {
    const { db, clock } = this.#deps;
    const { account_id: accountId } = asset;
    const deadline = clock() + PATIENCE_MS;
    for (;;) {
      const [row] = await findVariant(db, accountId, spec.sourceKey, text);
      if (row && row.bytes !== null) return { key: row.storage_key, bytes: row.bytes };
      if (row === undefined || row.lease_until.getTime() < clock()) {
        const key = `${accountId}/variants/${newUuid(clock())}`;
        const until = new Date(clock() + LEASE_MS);
        const [claimed] = await claimVariant(
          db,
          accountId,
          spec.sourceKey,
          text,
          key,
          until,
          new Date(clock()),
          asset.id,
        );
        if (claimed) return this.#inTurn(() => this.#make(accountId, spec, text, key));
        if (row === undefined && (await findVariant(db, accountId, spec.sourceKey, text)).length === 0) {
          throw notFound('file');
        }
      }
      if (clock() > deadline) {
        throw new ApiError(429, 'overloaded', 'The picture is still being made.', { headers: { 'retry-after': '2' } });
      }
      await sleep(ASK_EVERY_MS);
    }
  }

  async #make(accountId: string, spec: VariantSpec, text: string, key: string): Promise<Variant> {
    const { db, clock, config } = this.#deps;
    const folder = uploadFolder(this.#storage, accountId, newUuid(clock()));
    try {
      const bytes = await makeVariant(await this.#source(spec), spec, config.limits.imagePixels);
      await mkdir(folder, { recursive: true });
      const path = join(folder, 'file');
      await writeFile(path, bytes);
      await this.#storage.put(path, key, `image/${spec.format}`);
      const [finished] = await finishVariant(db, accountId, spec.sourceKey, text, key, bytes.length, new Date(clock()));
      // The file was deleted meanwhile, or this took so long that another process began it again.
      if (!finished) throw notFound('file');
      this.#madeBytes += bytes.length;
      if (this.#madeBytes > config.files.variantBytes / 20) this.worker.now();
      return { key, bytes: bytes.length };
    } catch (error) {
      await giveUp(this.#deps, this.#storage, accountId, [key]);
      await forgetVariant(db, accountId, spec.sourceKey, text, key);
      throw error;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #source({ sourceKey }: VariantSpec): Promise<string | Buffer> {
    if (this.#storage.path) return this.#storage.path(sourceKey);
    const size = await this.#storage.size(sourceKey);
    if (size === undefined) throw notFound('file');
    const source = await this.#storage.read(sourceKey, 0, size - 1);
    return Buffer.isBuffer(source) ? source : buffer(source);
  }

  #use({ account_id }: AssetRow, spec: VariantSpec, text: string, known: { usedAt: number }): void {
    const now = this.#deps.clock();
    if (now - known.usedAt < USE_EVERY_MS) return;
    known.usedAt = now;
    useVariant(this.#deps.db, account_id, spec.sourceKey, text, new Date(now)).catch((error) =>
      this.#deps.log.warn({ err: error }, 'the use of a variant was not noted'),
    );
  }
}

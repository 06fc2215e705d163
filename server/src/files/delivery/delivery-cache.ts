import type { Deps } from '../../shared/deps.ts';
import { notFound } from '../../shared/errors.ts';
import { newCache } from '../../shared/lru-cache.ts';
import { decodeFileKey, encodeFileKey, filePath } from '../library/asset-response.ts';
import { type AssetRow, findAssetByOldUrlKey, findAssetByUrlKey } from '../library/queries.ts';
import { type Deliverable, deliveryHeaders, originalOf } from './delivery-headers.ts';

const MAX_ENTRIES = 10_000;
/** How long a process may serve a file after another one changed or deleted it. */
const TTL_MS = 1_000;

export interface CachedFile {
  asset: AssetRow;
  expiresAt: number;
  /** The file as stored, which most requests are for. */
  original: Deliverable;
  headers: Record<string, string>;
  movedTo?: undefined;
}

/** A URL that a file had before its content was replaced. */
interface MovedFile {
  /** The current URL, relative to the old one. */
  movedTo: string;
}

/** Caches the look-ups of files by their URLs. */
export class DeliveryCache {
  readonly #deps: Deps;
  readonly #entries = newCache<CachedFile>(MAX_ENTRIES);

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @throws ApiError 404 */
  async find(key: string): Promise<CachedFile | MovedFile> {
    const now = this.#deps.clock();
    const cached = this.#entries.get(key);
    if (cached && cached.expiresAt > now) return cached;
    const decoded = decodeFileKey(key);
    if (!decoded) throw notFound('file');
    const [asset] = await findAssetByUrlKey(this.#deps.db, decoded);
    if (!asset) {
      // Not cached: it is rare, and the file may be replaced again.
      const [moved] = await findAssetByOldUrlKey(this.#deps.db, decoded);
      if (!moved) throw notFound('file');
      return { movedTo: `../${filePath(moved)}` };
    }
    const original = originalOf(asset);
    const found = { asset, original, headers: deliveryHeaders(asset, original), expiresAt: now + TTL_MS };
    this.#entries.set(key, found);
    return found;
  }

  invalidate({ account_id, url_key }: Pick<AssetRow, 'account_id' | 'url_key'>): void {
    this.#entries.delete(encodeFileKey(account_id, url_key));
  }
}

import type { Deps } from '../shared/deps.ts';
import { notFound } from '../shared/errors.ts';
import { filePath, readFileKey, writeFileKey } from './asset-url.ts';
import { deliveryHeaders, type Sent, wholeFile } from './delivery-headers.ts';
import { type AssetRow, findAssetByOldUrlKey, findAssetByUrlKey } from './queries.ts';

const REMEMBERED = 10_000;
/** A file is served as it was no longer than this by a process that did not change or delete it. */
const REMEMBERED_MS = 1_000;

export interface KnownFile {
  asset: AssetRow;
  until: number;
  /** The file itself, which most ask for. */
  sent: Sent;
  headers: Record<string, string>;
  movedTo?: undefined;
}

/** An address that a file had before its bytes were replaced. */
export interface MovedFile {
  /** Where it is now, as a reference from where it was. */
  movedTo: string;
}

/** The files that this process has just looked up by their addresses. */
export class KnownFiles {
  readonly #deps: Deps;
  readonly #known = new Map<string, KnownFile>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @throws ApiError 404 */
  async find(key: string): Promise<KnownFile | MovedFile> {
    const now = this.#deps.clock();
    const known = this.#known.get(key);
    if (known && known.until > now) return known;
    this.#known.delete(key);
    const address = readFileKey(key);
    const [asset] = address ? await findAssetByUrlKey(this.#deps.db, address.accountId, address.urlKey) : [];
    if (!asset) return this.#moved(address);
    const sent = wholeFile(asset);
    const found = { asset, sent, headers: deliveryHeaders(asset, sent), until: now + REMEMBERED_MS };
    if (this.#known.size >= REMEMBERED) this.#known.clear();
    this.#known.set(key, found);
    return found;
  }

  /** Asked anew each time: it may move again, and few ask. */
  async #moved(address: ReturnType<typeof readFileKey>): Promise<MovedFile> {
    const [asset] = address ? await findAssetByOldUrlKey(this.#deps.db, address.accountId, address.urlKey) : [];
    if (!asset) throw notFound('file');
    return { movedTo: `../${filePath(asset)}` };
  }

  forget({ account_id, url_key }: Pick<AssetRow, 'account_id' | 'url_key'>): void {
    this.#known.delete(writeFileKey(account_id, url_key));
  }
}

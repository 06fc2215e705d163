import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** A response that may be sent again as long as nothing has changed. */
export interface CachedResponse {
  body: string;
  etag: string;
}

/** Characters of all bodies that a process keeps, and of the largest one. */
const MAX_CHARACTERS = 32_000_000;
const MAX_BODY = 1_000_000;

/** A file can be replaced or deleted without a change of the entries that show it. */
const MAX_AGE_MS = 5_000;

/** Keeps the responses of public requests by what they depend on. Concurrent requests for the same share one read. */
export class ResponseCache {
  readonly #responses = new LRUCache<string, CachedResponse & { state: string; expiresAt: number }>({
    maxSize: MAX_CHARACTERS,
    maxEntrySize: MAX_BODY,
    sizeCalculation: ({ body }, name) => body.length + name.length + 200,
  });
  readonly #pending = new Map<string, Promise<CachedResponse>>();

  /**
   * @param name of the request
   * @param state of everything the response depends on, read before the request
   */
  get(name: string, state: string, make: () => Promise<string>): CachedResponse | Promise<CachedResponse> {
    const known = this.#responses.get(name);
    if (known?.state === state && known.expiresAt > performance.now()) return known;
    const key = `${state} ${name}`;
    const pending = this.#pending.get(key);
    if (pending) return pending;
    const made = make().then((body) => {
      const etag = `"${hash('sha256', body, 'base64url').slice(0, 22)}"`;
      const response = { body, etag, state, expiresAt: performance.now() + MAX_AGE_MS };
      this.#responses.set(name, response);
      return response;
    });
    this.#pending.set(key, made);
    const settled = () => this.#pending.delete(key);
    made.then(settled, settled);
    return made;
  }
}

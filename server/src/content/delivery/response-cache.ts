import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { currentWork, runAs, SharedWork } from '../../shared/postgres/work.ts';
import { cacheTagsOf } from './cache-tags.ts';
import type { Dependencies } from './delivery-states.ts';

/** A response that may be sent again as long as nothing has changed. */
export interface CachedResponse {
  body: Buffer;
  etag: string;
  /** By which caches purge it. */
  tags: string;
}

interface KnownResponse extends CachedResponse {
  dependsOn: Dependencies;
  expiresAt: number;
}

/** Of all bodies that a process keeps, and of the largest one. */
const MAX_BYTES = 32_000_000;
const MAX_BODY = 1_000_000;

/** A file can be replaced or deleted without a change of the entries that show it. */
const MAX_AGE_MS = 5_000;

/** Keeps the responses of public requests by what they depend on. Concurrent requests for the same share one read. */
export class ResponseCache {
  readonly #responses = new LRUCache<string, KnownResponse>({
    maxSize: MAX_BYTES,
    maxEntrySize: MAX_BODY,
    sizeCalculation: ({ body, tags }, name) => body.length + name.length + tags.length + 300,
  });
  readonly #pending = new Map<string, { made: Promise<CachedResponse>; work: SharedWork }>();

  /** The response of a request, which holds if the state of what it depends on is still the same. */
  find(name: string): KnownResponse | undefined {
    const known = this.#responses.get(name);
    return known && known.expiresAt > performance.now() ? known : undefined;
  }

  /**
   * @param name of the request
   * @param dependsOn everything the response depends on, read before it is made
   */
  get(name: string, dependsOn: Dependencies, make: () => Promise<Buffer>): Promise<CachedResponse> {
    const key = `${dependsOn.state} ${name}`;
    const pending = this.#pending.get(key);
    if (pending) {
      pending.work.join(currentWork());
      return pending.made;
    }
    const work = new SharedWork(currentWork());
    work.join(currentWork());
    const made = runAs(work, make).then((body) => {
      const etag = `"${hash('sha256', body, 'base64url').slice(0, 22)}"`;
      const tags = cacheTagsOf(dependsOn, body).join();
      const response = { body, etag, tags, dependsOn, expiresAt: performance.now() + MAX_AGE_MS };
      this.#responses.set(name, response);
      return response;
    });
    this.#pending.set(key, { made, work });
    const settled = () => this.#pending.delete(key);
    made.then(settled, settled);
    return made;
  }
}

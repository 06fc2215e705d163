import { LRUCache } from 'lru-cache';

/** A cache of at most `entries` values. Given `max`, the library reserves memory for all of them at once: 1.2 MB for 50,000. */
export function newCache<Value extends {}>(entries: number, options: { ttl?: number } = {}): LRUCache<string, Value> {
  return new LRUCache({ maxSize: entries, sizeCalculation: () => 1, ...options });
}

import { LRUCache } from 'lru-cache';
import type { LoadedSegment } from './segment-view.ts';
import { VisitorNumbers } from './visitors.ts';

export interface SegmentVersion {
  segment: number;
  version: number;
}

interface CachedSegment {
  accountId: string;
  version: number;
  content: LoadedSegment;
}

/** Recently used segments up to a number of bytes. */
export class SegmentCache {
  readonly #segments: LRUCache<string, CachedSegment>;
  /** The visitor numbers of an account, valid as long as one of its segments is cached. */
  readonly #visitors = new Map<string, { numbers: VisitorNumbers; segments: number }>();

  constructor(maxBytes: number) {
    this.#segments = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ content }) => sizeOf(content),
      dispose: ({ accountId }) => {
        const visitors = this.#visitors.get(accountId);
        if (visitors && --visitors.segments === 0) this.#visitors.delete(accountId);
      },
    });
  }

  /** The numbers for the visitors of segments that are added to the cache. */
  visitorsOf(accountId: string): VisitorNumbers {
    return this.#visitors.get(accountId)?.numbers ?? new VisitorNumbers();
  }

  get(accountId: string, { segment, version }: SegmentVersion): LoadedSegment | undefined {
    const cached = this.#segments.get(`${accountId} ${segment}`);
    return cached?.version === version ? cached.content : undefined;
  }

  /** Caches a segment, or the parts that were added to it. */
  set(accountId: string, version: number, content: LoadedSegment, numbers: VisitorNumbers): void {
    const visitors = this.#visitors.get(accountId) ?? { numbers, segments: 0 };
    // Counted before the older one is disposed of, so that the numbers stay.
    visitors.segments++;
    this.#visitors.set(accountId, visitors);
    this.#segments.set(`${accountId} ${content.segment}`, { accountId, version, content });
  }
}

/** What its objects take besides the bytes. */
const OVERHEAD = 512;

function sizeOf({ parts, visitors }: LoadedSegment): number {
  return Object.values(parts).reduce((sum, bytes) => sum + (bytes?.byteLength ?? 0), OVERHEAD + visitors.byteLength);
}

import { LRUCache } from 'lru-cache';
import type { ScanThreads } from './scan-threads.ts';
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

interface AccountVisitors {
  numbers: VisitorNumbers;
  /** How many segments are cached here. */
  segments: number;
  /** The versions of segments whose visitors another thread has numbered. */
  elsewhere: Map<number, number>;
}

/** Recently used segments up to a number of bytes. */
export class SegmentCache {
  readonly #segments: LRUCache<string, CachedSegment>;
  /** The visitor numbers of an account, valid as long as one of its segments is cached. */
  readonly #visitors = new Map<string, AccountVisitors>();
  /** Threads that cache other segments. */
  readonly threads: ScanThreads | undefined;

  constructor(maxBytes: number, threads?: ScanThreads) {
    this.threads = threads;
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
  visitorsOf(accountId: string, start = () => new VisitorNumbers()): VisitorNumbers {
    return this.#visitors.get(accountId)?.numbers ?? start();
  }

  get(accountId: string, { segment, version }: SegmentVersion): LoadedSegment | undefined {
    const cached = this.#segments.get(`${accountId} ${segment}`);
    return cached?.version === version ? cached.content : undefined;
  }

  /** Whether the visitors of a segment have numbers: it is cached here, or another thread has numbered them. */
  isNumbered(accountId: string, range: SegmentVersion): boolean {
    return (
      this.get(accountId, range) !== undefined ||
      this.#visitors.get(accountId)?.elsewhere.get(range.segment) === range.version
    );
  }

  /** Records that another thread has numbered the visitors of a segment. */
  addNumbered(accountId: string, { segment, version }: SegmentVersion, numbers: VisitorNumbers): void {
    const visitors = this.#visitors.get(accountId);
    if (visitors?.numbers === numbers) visitors.elsewhere.set(segment, version);
  }

  /** Caches a segment, or the parts that were added to it. */
  set(accountId: string, version: number, content: LoadedSegment, numbers: VisitorNumbers): void {
    const visitors = this.#visitors.get(accountId) ?? { numbers, segments: 0, elsewhere: new Map() };
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

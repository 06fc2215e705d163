import { LRUCache } from 'lru-cache';
import { openSegment, type Segment, type StoredSegment } from './segment.ts';
import { VisitorNumbers } from './visitors.ts';

export interface SegmentVersion {
  segment: number;
  version: number;
}

interface CachedSegment {
  accountId: string;
  version: number;
  content: Segment;
  hasEvents: boolean;
}

/** Recently used segments up to a number of bytes. */
export class SegmentCache {
  readonly #segments: LRUCache<string, CachedSegment>;
  /** The visitor numbers of an account, valid as long as one of its segments is cached. */
  readonly #visitors = new Map<string, { numbers: VisitorNumbers; segments: number }>();

  constructor(maxBytes: number) {
    this.#segments = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ content: { sessions, visits, events } }) =>
        sessions.byteLength + visits.byteLength + events.byteLength + 1,
      dispose: ({ accountId }) => {
        const visitors = this.#visitors.get(accountId);
        if (visitors && --visitors.segments === 0) this.#visitors.delete(accountId);
      },
    });
  }

  /** The numbers that segments of the account are to be opened with. */
  visitorsOf(accountId: string): VisitorNumbers {
    return this.#visitors.get(accountId)?.numbers ?? new VisitorNumbers();
  }

  get(accountId: string, { segment, version }: SegmentVersion, withEvents: boolean): Segment | undefined {
    const cached = this.#segments.get(`${accountId} ${segment}`);
    return cached?.version === version && (cached.hasEvents || !withEvents) ? cached.content : undefined;
  }

  /** Opens and caches a segment. */
  set(
    accountId: string,
    { version }: SegmentVersion,
    stored: StoredSegment,
    hasEvents: boolean,
    numbers: VisitorNumbers,
  ): Segment {
    const content = openSegment(stored, numbers);
    const visitors = this.#visitors.get(accountId) ?? { numbers, segments: 0 };
    // Counted before an older version is disposed of, so that the numbers stay.
    visitors.segments++;
    this.#visitors.set(accountId, visitors);
    this.#segments.set(`${accountId} ${stored.segment}`, { accountId, version, content, hasEvents });
    return content;
  }
}

import type { Pace } from './pace.ts';
import type { ScanThreads } from './scan-threads.ts';
import type { SegmentVersion } from './segment-queries.ts';
import type { LoadedSegment } from './segment-view.ts';
import { VisitorNumbers } from './visitors.ts';

interface CachedSegment {
  accountId: string;
  version: number;
  content: LoadedSegment;
  bytes: number;
  /** The last report that read it. */
  usedBy: number;
}

interface AccountVisitors {
  numbers: VisitorNumbers;
  /** How many segments are cached here. */
  segments: number;
  /** The versions of segments whose visitors have numbers, cached here or not. */
  numbered: Map<number, number>;
}

/**
 * Recently used segments up to a number of bytes. A report that reads more than that keeps what it has found or cached first, and
 * reads the rest again each time: if the last one in replaced the first, the next report would find nothing of what it needs first.
 */
export class SegmentCache {
  readonly #maxBytes: number;
  /** The one that was used the longest time ago comes first. */
  readonly #segments = new Map<string, CachedSegment>();
  #bytes = 0;
  #report = 0;
  /** The visitor numbers of an account, valid as long as one of its segments is cached. */
  readonly #visitors = new Map<string, AccountVisitors>();
  /** Threads that cache other segments. */
  readonly threads: ScanThreads | undefined;
  /** Of those who scan the segments. */
  readonly pace: Pace | undefined;

  constructor(maxBytes: number, pace?: Pace, threads?: ScanThreads) {
    this.#maxBytes = maxBytes;
    this.pace = pace;
    this.threads = threads;
  }

  /** What is read from now on is read by another report. */
  startReport(): void {
    this.#report++;
    this.pace?.startReport();
  }

  /** The numbers for the visitors of segments that are added to the cache. */
  visitorsOf(accountId: string, start = () => new VisitorNumbers()): VisitorNumbers {
    return this.#visitors.get(accountId)?.numbers ?? start();
  }

  get(accountId: string, { segment, version }: SegmentVersion): LoadedSegment | undefined {
    const key = keyOf(accountId, segment);
    const cached = this.#segments.get(key);
    if (cached?.version !== version) return undefined;
    cached.usedBy = this.#report;
    this.#segments.delete(key);
    this.#segments.set(key, cached);
    return cached.content;
  }

  /** Whether the visitors of a segment have numbers. */
  isNumbered(accountId: string, range: SegmentVersion): boolean {
    return this.#visitors.get(accountId)?.numbered.get(range.segment) === range.version;
  }

  /** Records that the visitors of a segment have numbers. */
  addNumbered(accountId: string, { segment, version }: SegmentVersion, numbers: VisitorNumbers): void {
    const visitors = this.#visitors.get(accountId);
    if (visitors?.numbers === numbers) visitors.numbered.set(segment, version);
  }

  /** Caches a segment, or the parts that were added to it, if there is space. */
  set(accountId: string, version: number, content: LoadedSegment, numbers: VisitorNumbers): void {
    const key = keyOf(accountId, content.segment);
    const bytes = sizeOf(content);
    const visitors = this.#visitors.get(accountId) ?? { numbers, segments: 0, numbered: new Map() };
    // Counted before others are removed, so that the numbers stay.
    visitors.segments++;
    this.#visitors.set(accountId, visitors);
    const known = this.#segments.get(key);
    if (known?.version !== version) this.#remove(key);
    if (this.#makeSpace(bytes - (known?.version === version ? known.bytes : 0), key)) {
      this.#remove(key);
      this.#segments.set(key, { accountId, version, content, bytes, usedBy: this.#report });
      this.#bytes += bytes;
    } else this.#release(accountId);
    this.addNumbered(accountId, { segment: content.segment, version }, numbers);
  }

  /** Removes what other reports have used. Returns whether that is enough. @param kept not removed */
  #makeSpace(bytes: number, kept: string): boolean {
    for (const [key, { usedBy }] of this.#segments) {
      if (this.#bytes + bytes <= this.#maxBytes) return true;
      if (usedBy === this.#report) return false;
      if (key !== kept) this.#remove(key);
    }
    return this.#bytes + bytes <= this.#maxBytes;
  }

  #remove(key: string): void {
    const cached = this.#segments.get(key);
    if (!cached) return;
    this.#segments.delete(key);
    this.#bytes -= cached.bytes;
    this.#release(cached.accountId);
  }

  #release(accountId: string): void {
    const visitors = this.#visitors.get(accountId);
    if (visitors && --visitors.segments === 0) this.#visitors.delete(accountId);
  }
}

const keyOf = (accountId: string, segment: number) => `${accountId} ${segment}`;

/** What its objects take besides the bytes. */
const OVERHEAD = 512;

function sizeOf({ parts, visitors }: LoadedSegment): number {
  return Object.values(parts).reduce((sum, bytes) => sum + (bytes?.byteLength ?? 0), OVERHEAD + visitors.byteLength);
}

import { type PackedSegment, type Segment, withVisitors } from './segment.ts';
import { VisitorNumbers } from './visitor-set.ts';

interface Version {
  segment: number;
  version: number;
}

interface Kept {
  version: number;
  content: Segment;
  hasEvents: boolean;
  bytes: number;
}

/** Segments that were read lately, up to a number of bytes. Versions tell whether one is the current. */
export class SegmentCache {
  readonly #most: number;
  readonly #kept = new Map<string, Kept>();
  /** By account: as long as anything of it is kept. */
  readonly #visitors = new Map<string, VisitorNumbers>();
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#most = mostBytes;
  }

  has(accountId: string, { segment, version }: Version, withEvents: boolean): boolean {
    const key = `${accountId} ${segment}`;
    const kept = this.#kept.get(key);
    if (!kept || kept.version !== version || (withEvents && !kept.hasEvents)) return false;
    // The last one that was used stands last.
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return true;
  }

  visitorsOf(accountId: string): VisitorNumbers {
    const numbers = this.#visitors.get(accountId) ?? new VisitorNumbers();
    this.#visitors.set(accountId, numbers);
    return numbers;
  }

  get(accountId: string, { segment }: Version): Segment {
    const kept = this.#kept.get(`${accountId} ${segment}`);
    if (!kept) throw new Error('a segment was not read');
    return kept.content;
  }

  set(accountId: string, { segment, version }: Version, packed: PackedSegment, hasEvents: boolean): void {
    const content = withVisitors(packed, this.visitorsOf(accountId));
    const key = `${accountId} ${segment}`;
    this.#bytes -= this.#kept.get(key)?.bytes ?? 0;
    const { sessions, visits, events } = content;
    const bytes = sessions.byteLength + visits.byteLength + events.byteLength;
    this.#kept.delete(key);
    this.#kept.set(key, { version, content, hasEvents, bytes });
    this.#bytes += bytes;
  }

  /** Forgets what was not used for longest. Not while a report is being made of it. */
  trim(): void {
    for (const [key, { bytes }] of this.#kept) {
      if (this.#bytes <= this.#most) break;
      this.#kept.delete(key);
      this.#bytes -= bytes;
    }
    // And the visitors of accounts of which nothing is kept any more.
    const kept = new Set([...this.#kept.keys()].map((key) => key.slice(0, key.indexOf(' '))));
    for (const account of this.#visitors.keys()) if (!kept.has(account)) this.#visitors.delete(account);
  }
}

import type { Segment } from './segment.ts';

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

  get(accountId: string, { segment }: Version): Segment {
    const kept = this.#kept.get(`${accountId} ${segment}`);
    if (!kept) throw new Error('a segment was not read');
    return kept.content;
  }

  set(accountId: string, { segment, version }: Version, content: Segment, hasEvents: boolean): void {
    const key = `${accountId} ${segment}`;
    this.#bytes -= this.#kept.get(key)?.bytes ?? 0;
    const bytes = content.sessions.byteLength + content.visits.byteLength + content.events.byteLength;
    this.#kept.delete(key);
    this.#kept.set(key, { version, content, hasEvents, bytes });
    this.#bytes += bytes;
  }

  /** Forgets what was not used for longest. Not while a report is being made of it. */
  trim(): void {
    for (const [key, { bytes }] of this.#kept) {
      if (this.#bytes <= this.#most) return;
      this.#kept.delete(key);
      this.#bytes -= bytes;
    }
  }
}

import { ColumnReader } from './column-codec.ts';
import { assignChannels, type OwnChannels } from './own-channels.ts';
import { type Column, decode, lengthOf, type SegmentParts, showColumn } from './segment.ts';

/** A segment in memory, with the parts that reports have needed so far. */
export interface LoadedSegment {
  segment: number;
  /** Between the first and the last second its sessions started or were visited. */
  first: number;
  last: number;
  /** Between the first and the last second of its events. */
  firstEvent: number;
  lastEvent: number;
  parts: SegmentParts;
  /** The number of each session's visitor, valid as long as the segment is in memory. */
  visitors: Int32Array;
}

interface Scratch {
  values: Int32Array;
  /** The segment that it holds the values of. */
  of: LoadedSegment | undefined;
}

/**
 * The columns of one segment after another. They are decoded when they are first read, into arrays that all segments share: these
 * stay in the processor's cache, and memory holds only the encoded bytes.
 */
export class SegmentView {
  readonly #channels: OwnChannels | undefined;
  readonly #columns = new Map<Column, Scratch>();
  readonly #readers = new Map<Column, { reader: ColumnReader; of: LoadedSegment | undefined }>();
  readonly #firsts = { visits: newScratch(), events: newScratch() };
  #segment: LoadedSegment | undefined;
  #sessions = 0;
  #hidden: ReadonlySet<number> | undefined;

  constructor(channels?: OwnChannels) {
    this.#channels = channels;
  }

  /** @param hidden offsets of sessions that are read elsewhere */
  show(segment: LoadedSegment, hidden: ReadonlySet<number> | undefined): this {
    this.#segment = segment;
    this.#hidden = hidden;
    this.#sessions = lengthOf(segment.parts, 'offset');
    return this;
  }

  get segment(): LoadedSegment {
    if (!this.#segment) throw new Error('no segment is shown');
    return this.#segment;
  }

  /** The number of sessions. */
  get sessions(): number {
    return this.#sessions;
  }

  get hidden(): ReadonlySet<number> | undefined {
    return this.#hidden;
  }

  /** The values of a column, by index of the session, visit or event. Valid until the next segment is shown. */
  column(name: Column): Int32Array {
    const scratch = this.#columns.get(name) ?? newScratch();
    this.#columns.set(name, scratch);
    if (scratch.of === this.segment) return scratch.values;
    ensureLength(scratch, lengthOf(this.segment.parts, name));
    decode(this.segment.parts, name, scratch.values);
    scratch.of = this.segment;
    if (name === 'channel' && this.#channels) assignChannels(this.#channels, this, scratch.values);
    return scratch.values;
  }

  /** Single values of a column, where few are needed. Valid until the next segment is shown. */
  reader(name: Column): ColumnReader {
    const known = this.#readers.get(name) ?? { reader: new ColumnReader(), of: undefined };
    this.#readers.set(name, known);
    if (known.of !== this.segment) showColumn(this.segment.parts, name, known.reader);
    known.of = this.segment;
    return known.reader;
  }

  /** For each session the index of its first visit or event; one more at the end. */
  firsts(list: 'visits' | 'events'): Int32Array {
    const scratch = this.#firsts[list];
    if (scratch.of === this.segment) return scratch.values;
    ensureLength(scratch, this.#sessions + 1);
    const counts = this.column(list);
    let next = 0;
    for (let i = 0; i < this.#sessions; i++) {
      scratch.values[i] = next;
      next += counts[i] ?? 0;
    }
    scratch.values[this.#sessions] = next;
    scratch.of = this.segment;
    return scratch.values;
  }
}

const newScratch = (): Scratch => ({ values: new Int32Array(1_025), of: undefined });

function ensureLength(scratch: Scratch, length: number): void {
  if (scratch.values.length < length) scratch.values = new Int32Array(length * 2);
}

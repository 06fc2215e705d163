import pg from 'pg';
import { copyRows, type Row } from '../../shared/postgres/driver/copy-rows.ts';
import type { OwnChannels } from './own-channels.ts';
import type { HiddenSessions, Scan } from './plan.ts';
import { decode, lengthOf, type Part, SEGMENT_SIZE, type SegmentParts, secondOf } from './segment.ts';
import type { SegmentCache } from './segment-cache.ts';
import type { SegmentRange } from './segment-queries.ts';
import { type LoadedSegment, SegmentView } from './segment-view.ts';
import type { VisitorNumbers } from './visitors.ts';

/** Reads the parts of segments that the cache does not have. */
export class SegmentReader {
  readonly #clientOf: () => pg.ClientBase | Promise<pg.ClientBase>;
  readonly #cache: SegmentCache;
  readonly #accountId: string;
  /** Of the account, for the cache. */
  readonly #key: string;
  readonly #parts: readonly Part[];
  readonly #numbers: VisitorNumbers;
  readonly #channels: OwnChannels | undefined;

  /**
   * @param clientOf returns a connection in the transaction of the report, when something has to be read
   * @param parts needed of all segments, besides `core`
   * @param key of the account in the cache
   */
  constructor(
    clientOf: () => pg.ClientBase | Promise<pg.ClientBase>,
    cache: SegmentCache,
    { accountId, parts, channels }: { accountId: string; parts: readonly Part[]; channels: OwnChannels | undefined },
    numbers: VisitorNumbers,
    key = accountId,
  ) {
    this.#clientOf = clientOf;
    this.#cache = cache;
    this.#accountId = accountId;
    this.#key = key;
    this.#parts = [...new Set<Part>(['core', ...parts, ...(channels?.parts ?? [])])];
    this.#numbers = numbers;
    this.#channels = channels;
  }

  /** Shows segments to work, one after another, with the parts that it needs. @param hidden sessions by segment */
  async show(found: readonly SegmentRange[], hidden: HiddenSessions, work: Scan): Promise<void> {
    const view = new SegmentView(this.#channels);
    await this.#each(found, (segment) => {
      view.show(segment, hidden.get(segment.segment));
      const lacking = work.partsOf?.(view).filter((part) => !segment.parts[part]) ?? [];
      if (lacking.length === 0) work.add(view);
      this.#cache.pace?.step();
      return lacking;
    });
  }

  /** @param onSegment returns the parts that it lacks, if any: then it gets the segment again, with them */
  async #each(found: readonly SegmentRange[], onSegment: (segment: LoadedSegment) => readonly Part[]): Promise<void> {
    let missing = new Missing();
    const show = (range: SegmentRange, segment: LoadedSegment) => missing.add(range, segment, onSegment(segment));
    for (const range of found) {
      const known = this.#cache.get(this.#key, range);
      const parts = this.#parts.filter((part) => !known?.parts[part]);
      if (!known) missing.add(range, known, [...parts, 'visitors']);
      else if (parts.length > 0) missing.add(range, known, parts);
      else show(range, known);
    }
    while (missing.byParts.size > 0) {
      const { byParts } = missing;
      missing = new Missing();
      for (const [parts, rows] of byParts) await this.#fetch(parts.split(',') as Part[], rows, show);
    }
  }

  async #fetch(
    names: Part[],
    missing: MissingSegment[],
    onSegment: (range: SegmentRange, segment: LoadedSegment) => void,
  ): Promise<void> {
    const bySegment = new Map(missing.map((each) => [each.range.segment, each]));
    const sql = `select segment, ${names.join(', ')} from analytics_segments
      where account_id = ${pg.escapeLiteral(this.#accountId)} and segment in (${[...bySegment.keys()].join(',')})`;
    await copyRows(await this.#clientOf(), sql, names.length + 1, (row) => {
      const each = bySegment.get(Number(row.bytes.readBigInt64BE(row.starts[0])));
      if (!each) return;
      const segment = { ...rangeOf(each.range), ...this.#load(row, names, each.known) };
      this.#cache.set(this.#key, each.range.version, segment, this.#numbers);
      onSegment(each.range, segment);
    });
  }

  /** Copies the parts of a row out of the buffer of the connection. The visitors stay in it: only their numbers are kept. */
  #load({ bytes, starts, lengths }: Row, names: Part[], known: LoadedSegment | undefined) {
    const parts: SegmentParts = { ...known?.parts };
    const bytesOf = (i: number) => bytes.subarray(starts[i + 1], (starts[i + 1] ?? 0) + (lengths[i + 1] ?? 0));
    const digests = known ? undefined : { visitors: bytesOf(names.indexOf('visitors')) };
    const sessions = digests ? lengthOf(digests, 'visitorHigh') : 0;
    // One buffer for everything: each one is work for the garbage collector.
    let size = sessions * Int32Array.BYTES_PER_ELEMENT;
    names.forEach((name, i) => {
      if (name !== 'visitors') size += lengths[i + 1] ?? 0;
    });
    const buffer = new ArrayBuffer(size);
    const visitors = new Int32Array(buffer, 0, sessions);
    let end = visitors.byteLength;
    names.forEach((name, i) => {
      if (name === 'visitors') return;
      const value = bytesOf(i);
      const copy = new Uint8Array(buffer, end, value.length);
      copy.set(value);
      parts[name] = copy;
      end += value.length;
    });
    if (digests) numberVisitors(digests, this.#numbers, visitors);
    return { parts, visitors: known?.visitors ?? visitors };
  }
}

interface MissingSegment {
  range: SegmentRange;
  /** The segment without the parts that are missing. */
  known: LoadedSegment | undefined;
}

/** Segments by the parts to fetch. */
class Missing {
  readonly byParts = new Map<string, MissingSegment[]>();

  add(range: SegmentRange, known: LoadedSegment | undefined, parts: readonly Part[]): void {
    if (parts.length === 0) return;
    const key = parts.join();
    const rows = this.byParts.get(key);
    if (rows) rows.push({ range, known });
    else this.byParts.set(key, [{ range, known }]);
  }
}

export function rangeOf(range: Omit<SegmentRange, 'version'>) {
  const { segment, first_at, last_at, first_event_at, last_event_at } = range;
  const firstOf = (at: number | null) => (at === null ? Number.POSITIVE_INFINITY : secondOf(at));
  const lastOf = (at: number | null) => (at === null ? Number.NEGATIVE_INFINITY : secondOf(at));
  return {
    segment,
    ...{ first: firstOf(first_at), last: lastOf(last_at) },
    ...{ firstEvent: firstOf(first_event_at), lastEvent: lastOf(last_event_at) },
  };
}

/** Reused: arrays for each segment would be a tenth of a first report. */
const HIGH = new Int32Array(SEGMENT_SIZE);
const LOW = new Int32Array(SEGMENT_SIZE);

export function numberVisitors(
  parts: SegmentParts,
  numbers: VisitorNumbers,
  visitors = new Int32Array(lengthOf(parts, 'visitorHigh')),
): Int32Array {
  const sessions = visitors.length;
  const [high, low] = [HIGH.subarray(0, sessions), LOW.subarray(0, sessions)];
  decode(parts, 'visitorHigh', high);
  decode(parts, 'visitorLow', low);
  return numbers.numbersOf(high, low, visitors);
}

import pg from 'pg';
import { copyRows, type Row } from '../../shared/postgres/copy-rows.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { namesIn, ReportNames } from './names.ts';
import { readSessions } from './read-sessions.ts';
import {
  decode,
  encodeSegment,
  lengthOf,
  type Part,
  SEGMENT_SIZE,
  type SegmentParts,
  secondOf,
  timeRangesOf,
  toColumns,
} from './segment.ts';
import type { SegmentCache } from './segment-cache.ts';
import { findChangedSessions, findSegments, type SegmentRange } from './segment-queries.ts';
import { type LoadedSegment, SegmentView } from './segment-view.ts';
import type { VisitorNumbers } from './visitors.ts';

/** The sessions of an account at one moment, as far as they touch a period. */
export interface Population {
  names: ReportNames;
  /** Visitor numbers are below this. */
  maxVisitors: number;
  /**
   * Shows all segments, one after another. They are not all in memory at the same time.
   * @param partsOf what is needed of a segment besides what was requested for all
   */
  scan(onSegment: (view: SegmentView) => void, partsOf?: PartsOf): Promise<void>;
}

export type PartsOf = (view: SegmentView) => readonly Part[];

export interface SegmentRequest {
  accountId: string;
  /** Milliseconds since 1970. */
  from: number;
  to: number;
  /** What is needed besides `core`. */
  parts: readonly Part[];
  /** Segments to read whatever their time. */
  segments?: number[];
}

/**
 * Reads segments at one snapshot, from the cache where it has the current version. Sessions that changed since their segment
 * was written are read from their own rows.
 */
export async function readSegments<T>(
  client: pg.ClientBase,
  cache: SegmentCache,
  request: SegmentRequest,
  work: (population: Population) => Promise<T>,
): Promise<T> {
  const { accountId, from, to, segments: also = [] } = request;
  await client.query('begin isolation level repeatable read');
  try {
    const found = await findSegments(client, {
      account_id: accountId,
      from: new Date(from),
      to: new Date(to),
      with_events: request.parts.includes('events'),
      segments: also,
    });
    const changed = (await findChangedSessions(client, { account_id: accountId })).map((row) => row.session_number);
    const names = new ReportNames(client, accountId);
    const visitors = cache.visitorsOf(accountId);
    const fresh = await encodeChanged(client, accountId, changed, names, visitors);
    const reader = new SegmentReader(client, cache, request, visitors);
    const isCached = (row: SegmentRange) => cache.get(accountId, row) !== undefined;
    const maxVisitors = visitors.size + found.filter((row) => !isCached(row)).length * SEGMENT_SIZE;
    visitors.reserve(maxVisitors - visitors.size);
    const hidden = Map.groupBy(changed, segmentOf);
    const view = new SegmentView();
    const scan: Population['scan'] = async (onSegment, partsOf) => {
      for (const segment of fresh) onSegment(view.show(segment, undefined));
      await reader.each(found, (segment) => {
        const numbers = hidden.get(segment.segment);
        const offsets = numbers && new Set(numbers.map((number) => number % SEGMENT_SIZE));
        view.show(segment, offsets);
        const lacking = partsOf?.(view).filter((part) => !segment.parts[part]) ?? [];
        if (lacking.length === 0) onSegment(view);
        return lacking;
      });
    };
    return await work({ names, maxVisitors, scan });
  } finally {
    await client.query('commit');
  }
}

const segmentOf = (number: number) => Math.floor(number / SEGMENT_SIZE);

/** Reads the parts of segments that the cache does not have. */
class SegmentReader {
  readonly #client: pg.ClientBase;
  readonly #cache: SegmentCache;
  readonly #accountId: string;
  readonly #parts: readonly Part[];
  readonly #numbers: VisitorNumbers;

  constructor(client: pg.ClientBase, cache: SegmentCache, request: SegmentRequest, numbers: VisitorNumbers) {
    this.#client = client;
    this.#cache = cache;
    this.#accountId = request.accountId;
    this.#parts = [...new Set<Part>(['core', ...request.parts])];
    this.#numbers = numbers;
  }

  /** @param onSegment returns the parts that it lacks, if any: then it gets the segment again, with them */
  async each(found: readonly SegmentRange[], onSegment: (segment: LoadedSegment) => readonly Part[]): Promise<void> {
    let missing = new Missing();
    const show = (range: SegmentRange, segment: LoadedSegment) => missing.add(range, segment, onSegment(segment));
    for (const range of found) {
      const known = this.#cache.get(this.#accountId, range);
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
    await copyRows(this.#client, sql, names.length + 1, (row) => {
      const each = bySegment.get(Number(row.bytes.readBigInt64BE(row.starts[0])));
      if (!each) return;
      const { visitors, ...fetched } = splitParts(row, names);
      const segment = {
        ...rangeOf(each.range),
        parts: { ...each.known?.parts, ...fetched },
        visitors: each.known?.visitors ?? numberVisitors({ visitors }, this.#numbers),
      };
      this.#cache.set(this.#accountId, each.range.version, segment, this.#numbers);
      onSegment(each.range, segment);
    });
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

function rangeOf({ segment, first_at, last_at }: Omit<SegmentRange, 'version'>) {
  return {
    segment,
    first: first_at ? secondOf(first_at.getTime()) : Number.POSITIVE_INFINITY,
    last: last_at ? secondOf(last_at.getTime()) : Number.NEGATIVE_INFINITY,
  };
}

/** Copies the parts of a row out of the buffer of the connection; the visitors are not kept and stay in it. */
function splitParts({ bytes, starts, lengths }: Row, names: Part[]): SegmentParts {
  const sizes = names.map((name, i) => (name === 'visitors' ? 0 : (lengths[i + 1] ?? 0)));
  const copy = new Uint8Array(sizes.reduce((sum, size) => sum + size, 0));
  let end = 0;
  const parts = names.map((name, i) => {
    const start = starts[i + 1] ?? 0;
    const value = bytes.subarray(start, start + (lengths[i + 1] ?? 0));
    if (name === 'visitors') return [name, value] as const;
    copy.set(value, end);
    end += value.length;
    return [name, copy.subarray(end - value.length, end)] as const;
  });
  return Object.fromEntries(parts);
}

function numberVisitors(parts: SegmentParts, numbers: VisitorNumbers): Int32Array {
  const high = new Int32Array(lengthOf(parts, 'visitorHigh'));
  const low = new Int32Array(high.length);
  decode(parts, 'visitorHigh', high);
  decode(parts, 'visitorLow', low);
  return numbers.numbersOf(high, low);
}

/** Encodes changed sessions as segments of their own. */
async function encodeChanged(
  tx: Tx,
  accountId: string,
  changed: number[],
  names: ReportNames,
  numbers: VisitorNumbers,
): Promise<LoadedSegment[]> {
  const rows = await readSessions(tx, accountId, changed);
  const idOf = await names.idsOf(namesIn(rows));
  const sessions = Map.groupBy(rows.sessions, ({ number }) => segmentOf(number));
  const visits = Map.groupBy(rows.visits, ({ number }) => segmentOf(number));
  const events = Map.groupBy(rows.events, ({ number }) => segmentOf(number));
  return [...sessions].map(([segment, inSegment]) => {
    const own = { sessions: inSegment, visits: visits.get(segment) ?? [], events: events.get(segment) ?? [] };
    const columns = toColumns(own, idOf);
    const parts = encodeSegment(columns);
    return { ...rangeOf({ segment, ...timeRangesOf(columns) }), parts, visitors: numberVisitors(parts, numbers) };
  });
}

import pg from 'pg';
import { copyRows } from '../shared/postgres/copy-rows.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { idsOf, namesIn, readFacts } from './read-facts.ts';
import {
  type PackedSegment,
  packFacts,
  rowsOf,
  SEGMENT_SIZE,
  type Segment,
  withoutSessions,
  withVisitors,
} from './segment.ts';
import type { SegmentCache } from './segment-cache.ts';
import { findChanged, findNamesById, findSegments } from './segment-queries.ts';
import type { VisitorNumbers } from './visitor-set.ts';

/** An account's sessions as they are at one moment, as far as they have to do with a time. */
export interface Loaded {
  segments: Segment[];
  /** How many visitors there are at most. */
  visitors: number;
  names: Names;
}

export interface Wanted {
  accountId: string;
  /** Milliseconds since 1970. */
  from: number;
  to: number;
  withEvents: boolean;
  /** Segments that are wanted whatever their time. */
  also?: number[];
}

/** Reads what is packed, from memory where it is the current version, and what has changed since from its own rows. */
export async function loadSegments(client: pg.Client, cache: SegmentCache, wanted: Wanted): Promise<Loaded> {
  const { accountId, withEvents, also = [] } = wanted;
  await client.query('begin isolation level repeatable read');
  try {
    const found = await findSegments(client, accountId, new Date(wanted.from), new Date(wanted.to), withEvents, also);
    const missing = found.filter((row) => !cache.has(accountId, row, withEvents));
    await fetchSegments(client, cache, accountId, new Map(missing.map((row) => [row.segment, row])), withEvents);
    const packed = found.map((row) => cache.get(accountId, row));
    const changed = (await findChanged(client, accountId)).map((row) => row.session_number);
    const names = new Names(client, accountId);
    const visitors = cache.visitorsOf(accountId);
    const fresh = (await readChanged(client, accountId, changed, names)).map((each) => withVisitors(each, visitors));
    return { segments: [...without(packed, changed, visitors), ...fresh], visitors: visitors.size, names };
  } finally {
    await client.query('commit');
  }
}

async function fetchSegments(
  client: pg.Client,
  cache: SegmentCache,
  accountId: string,
  missing: Map<number, { segment: number; version: number }>,
  withEvents: boolean,
): Promise<void> {
  if (missing.size === 0) return;
  // A third of them or so have been there before.
  cache.visitorsOf(accountId).reserve(Math.floor(missing.size * SEGMENT_SIZE * 0.7));
  const sql = `select segment, sessions, visits, ${withEvents ? 'events' : "''::bytea"} from analytics_segments
    where account_id = ${pg.escapeLiteral(accountId)} and segment in (${[...missing.keys()].join(',')})`;
  await copyRows(client, sql, 4, ({ bytes, starts, lengths }) => {
    const value = (i: number) => bytes.subarray(starts[i], (starts[i] ?? 0) + (lengths[i] ?? 0));
    const segment = Number(value(0).readBigInt64BE());
    const row = missing.get(segment);
    if (!row) throw new Error('a segment came that was not asked for');
    const content = { segment, sessions: rowsOf(value(1)), visits: rowsOf(value(2)), events: rowsOf(value(3)) };
    cache.set(accountId, row, content, withEvents);
  });
}

/** Changed sessions, in segments of their own. */
async function readChanged(tx: Tx, accountId: string, changed: number[], names: Names): Promise<PackedSegment[]> {
  const facts = await readFacts(tx, accountId, changed);
  const idOf = await names.numbersOf(namesIn(facts));
  const segmentOf = ({ number }: { number: number }) => Math.floor(number / SEGMENT_SIZE);
  const [sessions, visits, events] = [facts.sessions, facts.visits, facts.events].map((list) =>
    Map.groupBy<number, { number: number }>(list, segmentOf),
  ) as [Map<number, never[]>, Map<number, never[]>, Map<number, never[]>];
  return [...sessions.keys()].map((segment) =>
    packFacts(
      segment,
      {
        sessions: sessions.get(segment) ?? [],
        visits: visits.get(segment) ?? [],
        events: events.get(segment) ?? [],
      },
      idOf,
    ),
  );
}

/** The segments without the sessions of these numbers. */
function without(packed: Segment[], changed: number[], visitors: VisitorNumbers): Segment[] {
  const bySegment = Map.groupBy(changed, (number) => Math.floor(number / SEGMENT_SIZE));
  return packed.map((segment) => {
    const numbers = bySegment.get(segment.segment);
    if (!numbers) return segment;
    const offsets = new Set(numbers.map((number) => number % SEGMENT_SIZE));
    return withVisitors(withoutSessions(segment, offsets), visitors);
  });
}

/** Texts and their numbers. What has none yet, since it was never packed, has one below zero for this report. */
export class Names {
  readonly #tx: Tx;
  readonly #accountId: string;
  readonly #fresh = new Map<string, number>();
  readonly #freshById = new Map<number, string>();

  constructor(tx: Tx, accountId: string) {
    this.#tx = tx;
    this.#accountId = accountId;
  }

  async numbersOf(names: string[]): Promise<(name: string | null) => number> {
    const known = await idsOf(this.#tx, this.#accountId, names);
    for (const name of names) {
      if (known.has(name) || this.#fresh.has(name)) continue;
      const id = -1 - this.#fresh.size;
      this.#fresh.set(name, id);
      this.#freshById.set(id, name);
    }
    return (name) => (name === null ? 0 : (known.get(name) ?? this.#fresh.get(name) ?? 0));
  }

  /** Those of fresh texts that fit, for a pattern that the database cannot see them by. */
  freshWhere(fits: (name: string) => boolean): number[] {
    return [...this.#fresh].flatMap(([name, id]) => (fits(name) ? id : []));
  }

  async textsOf(ids: number[]): Promise<Map<number, string>> {
    const rows = await findNamesById(
      this.#tx,
      this.#accountId,
      ids.filter((id) => id > 0),
    );
    return new Map([...rows.map(({ id, name }) => [id, name] as const), ...this.#freshById]);
  }
}

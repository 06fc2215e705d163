import type pg from 'pg';
import type { Tx } from '../../shared/postgres/database.ts';
import type { ChannelRule } from '../channel-rules/rule.ts';
import { namesIn, ReportNames } from './names.ts';
import { readOwnChannels } from './own-channels.ts';
import type { Population, Scan } from './plan.ts';
import { readSessions } from './read-sessions.ts';
import { encodeSegment, type Part, SEGMENT_SIZE, timeRangesOf, toColumns } from './segment.ts';
import type { SegmentCache } from './segment-cache.ts';
import { exportSnapshot, findChangedSessions, findSegments, type SegmentRange } from './segment-queries.ts';
import { numberVisitors, rangeOf, SegmentReader } from './segment-reader.ts';
import { type LoadedSegment, SegmentView } from './segment-view.ts';
import type { VisitorNumbers } from './visitors.ts';

/** Numbers that threads may have taken for no visitor, in thousands. */
const SPARE_BLOCKS = 32;

interface SegmentRequest {
  accountId: string;
  /** Milliseconds since 1970. */
  from: number;
  to: number;
  /** What is needed besides `core`. */
  parts: readonly Part[];
  /** Segments to read whatever their time. */
  segments?: number[];
  /** The custom channels of the account. */
  channels?: readonly ChannelRule[] | undefined;
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
  const { accountId, from, to, parts, segments: also = [], channels: rules = [] } = request;
  cache.startReport();
  await client.query('begin isolation level repeatable read');
  try {
    const found = await findSegments(client, {
      account_id: accountId,
      from: new Date(from),
      to: new Date(to),
      with_events: parts.includes('events'),
      segments: also,
    });
    const changed = (await findChangedSessions(client, { account_id: accountId })).map((row) => row.session_number);
    const names = new ReportNames(client, accountId);
    const visitors = cache.visitorsOf(accountId);
    const fresh = await encodeChanged(client, accountId, changed, names, visitors);
    const needsChannels = rules.length > 0 && parts.includes('channel');
    const channels = needsChannels ? await readOwnChannels(names, rules) : undefined;
    const hidden = new Map(
      [...Map.groupBy(changed, segmentOf)].map(([segment, numbers]) => [
        segment,
        new Set(numbers.map((number) => number % SEGMENT_SIZE)),
      ]),
    );
    const [own, ...others] = cache.threads?.divide(found) ?? [found];
    const isKnown = (row: SegmentRange) => cache.isNumbered(accountId, row);
    // Each thread takes numbers in blocks.
    const maxVisitors = visitors.size + (found.filter((row) => !isKnown(row)).length + SPARE_BLOCKS) * SEGMENT_SIZE;
    visitors.reserve(maxVisitors - visitors.size);
    const reader = new SegmentReader(() => client, cache, { accountId, parts, channels }, visitors);
    const show = async (ranges: readonly SegmentRange[], scan: Scan) => {
      const view = new SegmentView(channels);
      for (const segment of fresh) scan.add(view.show(segment, undefined));
      await reader.show(ranges, hidden, scan);
    };
    return await work({
      ...{ names, maxVisitors, threads: cache.threads ? others.length + 1 : 1 },
      scan: (onSegment) => show(found, { add: onSegment }),
      async work(plan, ownWork) {
        if (!cache.threads || others.length === 0) return show(found, ownWork);
        const job = { accountId, parts, channels, hidden, plan, visitors: visitors.shared };
        const snapshot = await exportSnapshot(client);
        visitors.isConcurrent = true;
        await cache.threads
          .run(snapshot, job, others, ownWork, () => show(own ?? [], ownWork))
          .finally(() => {
            visitors.isConcurrent = false;
          });
        for (const range of others.flat()) cache.addNumbered(accountId, range, visitors);
      },
    });
  } finally {
    await client.query('commit');
  }
}

const segmentOf = (number: number) => Math.floor(number / SEGMENT_SIZE);

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
    return {
      ...rangeOf({ segment, ...timesOf(timeRangesOf(columns)) }),
      parts,
      visitors: numberVisitors(parts, numbers),
    };
  });
}

function timesOf(ranges: ReturnType<typeof timeRangesOf>) {
  const at = (date: Date | null) => date?.getTime() ?? null;
  return {
    ...{ first_at: at(ranges.first_at), last_at: at(ranges.last_at) },
    ...{ first_event_at: at(ranges.first_event_at), last_event_at: at(ranges.last_event_at) },
  };
}

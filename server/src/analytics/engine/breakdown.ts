import type pg from 'pg';
import type { ChannelRule } from '../channel-rules/rule.ts';
import type { Breakdown, BreakdownQuery, BreakdownRow } from '../contract.ts';
import { type Dimension, type Filters, type Include, type Period, PLATFORMS } from '../dimensions.ts';
import type { Exchange } from './convert-revenue.ts';
import type { SessionCounts } from './count-dimension.ts';
import { countSessions, partsOfCount } from './count-sessions.ts';
import type { ReportNames } from './names.ts';
import { countByValue, countSessionlessEvents, type Selection } from './outcome-queries.ts';
import { addOutcome, noOutcomes, type Outcomes, toNumbers } from './outcomes.ts';
import { readSegments } from './scan-segments.ts';
import type { SegmentCache } from './segment-cache.ts';

export interface BreakdownRequest {
  accountId: string;
  filters: Filters;
  /** The custom channels of the account. */
  channels?: readonly ChannelRule[] | undefined;
  include: Include;
  /** The period, and the one to compare with. */
  periods: Period[];
  by: Dimension[];
  order: NonNullable<BreakdownQuery['order']>;
  limit: number;
  exchange: Exchange;
  /** As conversions were known then, in milliseconds. */
  knownOn?: number | undefined;
  /** Leaves out conversions and leads. */
  isOfSessions?: boolean;
}

export type BreakdownResult = Breakdown['breakdowns'];

/**
 * Counts by the values of dimensions and returns the first rows. All of it runs in the report thread, because a dimension
 * can have hundreds of thousands of values.
 */
export async function computeBreakdown(
  pool: pg.Pool,
  client: pg.ClientBase,
  cache: SegmentCache,
  request: BreakdownRequest,
): Promise<BreakdownResult> {
  const { periods, by, order, limit, exchange } = request;
  const [counts, outcomes] = await Promise.all([
    countByDimension(client, cache, request),
    request.isOfSessions ? [] : Promise.all(periods.map((period) => outcomesByValue(pool, { ...request, period }, by))),
  ]);
  const breakdowns = by.map((dimension) => {
    const [current = [], previous] = periods.map((_, i) =>
      toRows(dimension, counts[i]?.get(dimension) ?? new Map(), outcomes[i]?.get(dimension) ?? noValues(), exchange),
    );
    current.sort((a, b) => sortKey(b, order) - sortKey(a, order) || compareValues(a.value, b.value));
    const rows = current.slice(0, limit);
    const previousOf = new Map(previous?.map(({ value, ...numbers }) => [value, numbers]));
    const none = { ...toNumbers(undefined, exchange), ...(countsEvents(dimension) && { events: 0 }) };
    return [
      dimension,
      {
        rows: previous ? rows.map((row) => ({ ...row, previous: previousOf.get(row.value) ?? none })) : rows,
        more: current.length > limit,
      },
    ];
  });
  return Object.fromEntries(breakdowns);
}

/** For each period and dimension, the counts by value. */
async function countByDimension(client: pg.ClientBase, cache: SegmentCache, request: BreakdownRequest) {
  const { accountId, periods, by, filters, include } = request;
  const { from, to } = boundsOf(periods);
  const read = { accountId, from, to, parts: partsOfCount(filters, by), channels: request.channels };
  const { counts, names } = await readSegments(client, cache, read, async (population) => ({
    counts: await countSessions(
      population,
      filters,
      periods.map((period) => ({ period, starts: [], by, include })),
    ),
    names: population.names,
  }));
  const ids = new Set(counts.flatMap((each) => Object.values(each.by).flatMap((values) => [...values.keys()])));
  const textOf = await readValues(names, [...ids]);
  return counts.map(
    (each) =>
      new Map(
        by.map((dimension) => [
          dimension,
          new Map([...(each.by[dimension] ?? [])].map(([id, ofValue]) => [textOf(dimension, id), ofValue])),
        ]),
      ),
  );
}

/** The shortest period that contains all of these. */
export function boundsOf(periods: readonly Period[]): Period {
  return { from: Math.min(...periods.map(({ from }) => from)), to: Math.max(...periods.map(({ to }) => to)) };
}

/** The texts of value ids; null: none. */
export async function readValues(
  names: ReportNames,
  ids: number[],
): Promise<(dimension: Dimension, id: number) => string | null> {
  const texts = await names.namesOf(ids);
  return (dimension, id) => {
    if (id === 0) return null;
    return (dimension === 'platform' ? PLATFORMS[id - 1] : texts.get(id)) ?? null;
  };
}

interface OutcomesByValue {
  outcomes: Map<string | null, Outcomes>;
  sessionlessEvents: Map<string | null, number>;
}

const noValues = (): OutcomesByValue => ({ outcomes: new Map(), sessionlessEvents: new Map() });

const countsEvents = (dimension: Dimension) => dimension === 'event' || dimension === 'funnel';

async function outcomesByValue(
  pool: pg.Pool,
  selection: Selection,
  by: Dimension[],
): Promise<Map<Dimension, OutcomesByValue>> {
  const found = new Map(by.map((dimension) => [dimension, noValues()]));
  for (const row of await countByValue(pool, selection, by)) {
    const values = found.get(row.dimension)?.outcomes;
    const outcomes = values?.get(row.value) ?? noOutcomes();
    values?.set(row.value, outcomes);
    addOutcome(outcomes, row);
  }
  for (const [dimension, { sessionlessEvents }] of found) {
    if (dimension !== 'event' && dimension !== 'funnel') continue;
    for (const [value, events] of await countSessionlessEvents(pool, selection, dimension)) {
      sessionlessEvents.set(value, events);
    }
  }
  return found;
}

function toRows(
  dimension: Dimension,
  sessions: Map<string | null, SessionCounts>,
  { outcomes, sessionlessEvents }: OutcomesByValue,
  exchange: Exchange,
): BreakdownRow[] {
  const values = new Set([...sessions.keys(), ...outcomes.keys(), ...sessionlessEvents.keys()]);
  return [...values].map((value) => {
    const counts = sessions.get(value);
    const events = (counts?.events ?? 0) + (sessionlessEvents.get(value) ?? 0);
    return { value, ...toNumbers(counts, exchange, outcomes.get(value)), ...(countsEvents(dimension) && { events }) };
  });
}

function sortKey(row: BreakdownRow, order: BreakdownRequest['order']): number {
  if (order === 'revenue' && row.convertedRevenue) return Number(row.convertedRevenue.value);
  // Currencies cannot be added up: the largest amount decides.
  if (order === 'revenue') return Math.max(0, ...row.revenue.map(({ value }) => Number(value)));
  return row[order] ?? row.visits;
}

function compareValues(a: string | null, b: string | null): number {
  return a === b ? 0 : a === null ? 1 : b === null ? -1 : a < b ? -1 : 1;
}

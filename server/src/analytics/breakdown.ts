import type { Deps } from '../shared/deps.ts';
import { type Fault, refuse } from '../shared/errors.ts';
import { isoTime } from '../shared/time.ts';
import type { Breakdown, BreakdownQuery, Row } from './contract.ts';
import type { SessionCounts } from './count-sessions.ts';
import type { Dimension, Period } from './dimensions.ts';
import { addOutcome, noOutcomes, numbersOf, type Outcomes } from './numbers.ts';
import { isoPeriod } from './overview.ts';
import { periodBefore, readPeriod } from './periods.ts';
import { findProgress } from './queries.ts';
import { readDimensions, readFilters } from './read-query.ts';
import { countLooseEvents, countValues, type Selection } from './report-queries.ts';
import type { IsGivenUp, ReportsThread } from './run-reports.ts';

/** The numbers of a period by the values of dimensions. */
export async function makeBreakdown(
  { db }: Pick<Deps, 'db'>,
  reports: ReportsThread,
  accountId: string,
  query: BreakdownQuery,
  isGivenUp: IsGivenUp,
): Promise<Breakdown> {
  const { timeZone = 'UTC', limit = 10, order = 'visits', compare = 'none' } = query;
  const faults: Fault[] = [];
  const by = readDimensions(query.by, faults);
  const asked = { from: query.from, to: query.to, timeZone };
  const period = await readPeriod(db, asked, '?', faults);
  refuse(faults);
  const selection = { accountId, ...readFilters(query) };
  const [progress] = await findProgress(db);
  const before = compare === 'none' ? undefined : await periodBefore(db, asked, period, compare);
  const periods: Period[] = before ? [period, before] : [period];
  const [counted, outcomes] = await Promise.all([
    reports.count({ ...selection, periods: periods.map((each) => ({ period: each, starts: [] })), by }, isGivenUp),
    Promise.all(periods.map((each) => outcomesBy(db, { ...selection, period: each }, by))),
  ]);
  const breakdowns = by.map((dimension) => {
    const [now = [], then = []] = periods.map((_, i) =>
      rowsOf(counted[i]?.by[dimension] ?? new Map(), outcomes[i]?.[dimension] ?? emptyOutcomes(), dimension),
    );
    const ordered = now.sort((a, b) => sizeOf(b, order) - sizeOf(a, order) || compareValues(a.value, b.value));
    const previous = new Map(then.map(({ value, ...numbers }) => [value, numbers]));
    const none = { ...numbersOf(undefined, undefined), ...(hasEvents(dimension) && { events: 0 }) };
    const rows = ordered.slice(0, limit);
    return [
      dimension,
      {
        rows: before ? rows.map((row) => ({ ...row, previous: previous.get(row.value) ?? none })) : rows,
        more: ordered.length > limit,
      },
    ];
  });
  return {
    ...isoPeriod(period),
    timeZone,
    asOf: isoTime(progress?.noted_at ?? 0),
    previous: before ? isoPeriod(before) : null,
    breakdowns: Object.fromEntries(breakdowns),
  };
}

interface OutcomesByValue {
  outcomes: Map<string | null, Outcomes>;
  /** Events without a session. */
  loose: Map<string | null, number>;
}

const emptyOutcomes = (): OutcomesByValue => ({ outcomes: new Map(), loose: new Map() });

const hasEvents = (dimension: Dimension) => dimension === 'event' || dimension === 'funnel';

async function outcomesBy(
  db: Deps['db'],
  selection: Selection,
  by: Dimension[],
): Promise<Partial<Record<Dimension, OutcomesByValue>>> {
  const found = Object.fromEntries(by.map((dimension) => [dimension, emptyOutcomes()]));
  for (const row of await countValues(db, selection, by)) {
    const { outcomes } = found[row.dimension] as OutcomesByValue;
    const ofValue = outcomes.get(row.value) ?? noOutcomes();
    outcomes.set(row.value, ofValue);
    addOutcome(ofValue, row);
  }
  for (const dimension of by) {
    if (dimension !== 'event' && dimension !== 'funnel') continue;
    const { loose } = found[dimension] as OutcomesByValue;
    for (const { value, events } of await countLooseEvents(db, selection, dimension)) loose.set(value, events);
  }
  return found;
}

function rowsOf(
  sessions: Map<string | null, SessionCounts>,
  { outcomes, loose }: OutcomesByValue,
  dimension: Dimension,
): Row[] {
  const values = new Set([...sessions.keys(), ...outcomes.keys(), ...loose.keys()]);
  return [...values].map((value) => {
    const counts = sessions.get(value);
    const events = (counts?.events ?? 0) + (loose.get(value) ?? 0);
    return { value, ...numbersOf(counts, outcomes.get(value)), ...(hasEvents(dimension) && { events }) };
  });
}

function sizeOf(row: Row, order: NonNullable<BreakdownQuery['order']>): number {
  // Currencies do not add up: the largest one orders.
  if (order === 'revenue') return Math.max(0, ...row.revenue.map(({ value }) => Number(value)));
  return row[order] ?? row.visits;
}

function compareValues(a: string | null, b: string | null): number {
  return a === b ? 0 : a === null ? 1 : b === null ? -1 : a < b ? -1 : 1;
}

import { isoTime } from '../../shared/time.ts';
import { MINUTE } from '../../shared/units.ts';
import { findProgress } from '../aggregation/queries.ts';
import { type Condition, type Dimension, type Filters, OPERATORS } from '../dimensions.ts';
import type { ReportContext } from './context.ts';
import type { BodyFilters, Funnel, FunnelBody } from './contract.ts';
import { allOf, parseInclude } from './parse-query.ts';
import { comparisonOf, parsePeriod, serializePeriod } from './periods.ts';

/** How many sessions or visitors completed each step of a funnel. */
export async function getFunnel(context: ReportContext, body: FunnelBody): Promise<Funnel> {
  const { db, clock, runner, accountId, settings, abandoned } = context;
  const { by = 'session', windowMinutes = 10_080, filters = {}, compare = 'none', steps, breakdownBy } = body;
  const range = { timeZone: settings.timeZone, ...body };
  const period = parsePeriod(range, '/');
  const comparison = comparisonOf(range, period, compare, clock());
  const [progress] = await findProgress(db);
  const request = {
    ...{ accountId, by, steps, breakdownBy, periods: comparison ? [period, comparison] : [period] },
    window: windowMinutes * MINUTE,
    include: parseInclude(body.include),
    filters: allOf(readFilters(filters), context.filters),
  };
  const { runs, groups, moreGroups } = await runner.run('funnel', request, abandoned);
  const [current, previous] = runs;
  const counts = current?.counts ?? [];
  return {
    ...serializePeriod(period),
    asOf: isoTime(progress?.recorded_at ?? 0),
    steps: steps.map((step, i) => {
      const count = counts[i] ?? 0;
      const before = i === 0 ? count : (counts[i - 1] ?? 0);
      return {
        ...step,
        count,
        dropped: before - count,
        ofPrevious: share(count, before),
        ofFirst: share(count, counts[0]),
        fromPrevious: current?.durations[i] ?? null,
      };
    }),
    timeToConvert: current?.total ?? null,
    previous:
      previous && comparison
        ? {
            ...serializePeriod(comparison),
            steps: previous.counts.map((count) => ({ count, ofFirst: share(count, previous.counts[0]) })),
          }
        : null,
    breakdown: breakdownBy
      ? {
          rows: groups.map((group) => ({ ...group, ofFirst: share(group.counts.at(-1), group.counts[0]) })),
          more: moreGroups,
        }
      : null,
  };
}

const share = (part = 0, whole = 0): number | null => (whole === 0 ? null : part / whole);

/** A list stands for the operator `is`. */
export function readFilters(sent: BodyFilters): Filters {
  const filters: Filters = {};
  for (const [name, filter] of Object.entries(sent)) {
    if (filter === undefined) continue;
    const byOperator = Array.isArray(filter) ? { is: filter } : filter;
    filters[name as Dimension] = OPERATORS.flatMap((operator): Condition[] => {
      const values = byOperator[operator];
      return values === undefined ? [] : [{ operator, values }];
    });
  }
  return filters;
}

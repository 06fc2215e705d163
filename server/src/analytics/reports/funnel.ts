import { isoTime } from '../../shared/time.ts';
import { findProgress } from '../aggregation/queries.ts';
import type { BodyFilters, Funnel, FunnelBody } from '../contract.ts';
import { type Condition, type Dimension, type Filters, OPERATORS } from '../dimensions.ts';
import type { ReportContext } from './context.ts';
import { allOf, parseInclude } from './parse-query.ts';
import { parsePeriod, serializePeriod } from './periods.ts';

/** How many sessions or visitors completed each step of a funnel. */
export async function getFunnel(context: ReportContext, body: FunnelBody): Promise<Funnel> {
  const { db, runner, accountId, settings, isAborted } = context;
  const { by = 'session', windowMinutes = 10_080, filters = {}, steps } = body;
  const period = parsePeriod({ timeZone: settings.timeZone, ...body }, '/');
  const [progress] = await findProgress(db);
  const request = {
    ...{ accountId, period, by, steps },
    window: windowMinutes * 60_000,
    include: parseInclude(body.include),
    filters: allOf(readFilters(filters), context.filters),
  };
  const counts = await runner.run('funnel', request, isAborted);
  const first = counts[0] ?? 0;
  return {
    ...serializePeriod(period),
    asOf: isoTime(progress?.recorded_at ?? 0),
    steps: steps.map((step, i) => {
      const count = counts[i] ?? 0;
      const previous = i === 0 ? count : (counts[i - 1] ?? 0);
      return {
        ...step,
        count,
        dropped: previous - count,
        ofPrevious: previous === 0 ? null : count / previous,
        ofFirst: first === 0 ? null : count / first,
      };
    }),
  };
}

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

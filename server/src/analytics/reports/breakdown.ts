import type { Fault } from '../../shared/errors.ts';
import { isoTime } from '../../shared/time.ts';
import { findProgress } from '../aggregation/queries.ts';
import type { Breakdown, BreakdownQuery } from '../contract.ts';
import type { ReportContext } from './context.ts';
import { parseDimensions, parseReport } from './parse-query.ts';
import { serializePeriod } from './periods.ts';

/** The numbers of a period by the values of dimensions. */
export async function getBreakdown(context: ReportContext, query: BreakdownQuery): Promise<Breakdown> {
  const { db, clock, runner, accountId, settings, abandoned } = context;
  const { timeZone = settings.timeZone, limit = 10, order = 'visits', compare = 'none' } = query;
  const faults: Fault[] = [];
  const by = parseDimensions(query.by, faults);
  const { period, comparison, ...selection } = parseReport(
    { ...query, timeZone },
    compare,
    clock(),
    faults,
    context.filters,
  );
  const [progress] = await findProgress(db);
  const request = { accountId, ...selection, by, order, limit, exchange: settings };
  const breakdowns = await runner.run('breakdown', request, abandoned);
  return {
    ...serializePeriod(period),
    timeZone,
    asOf: isoTime(progress?.recorded_at ?? 0),
    previous: comparison ? serializePeriod(comparison) : null,
    breakdowns,
  };
}

import type { Fault } from '../../shared/errors.ts';
import { isoTime } from '../../shared/time.ts';
import { findProgress } from '../aggregation/queries.ts';
import type { Breakdown, BreakdownQuery } from '../contract.ts';
import { exchangeOf, type ReportContext } from './context.ts';
import { parseDimensions, parseReport } from './parse-query.ts';
import { serializePeriod } from './periods.ts';

/** The numbers of a period by the values of dimensions. */
export async function getBreakdown(context: ReportContext, query: BreakdownQuery): Promise<Breakdown> {
  const { db, clock, runner, accountId, settings, abandoned } = context;
  const { timeZone = settings.timeZone, limit = 10, order = 'visits', compare = 'none' } = query;
  const now = clock();
  const faults: Fault[] = [];
  const by = parseDimensions(query.by, faults);
  const { period, comparison, ...selection } = parseReport(
    { ...query, timeZone },
    compare,
    now,
    faults,
    context.filters,
  );
  const [progress] = await findProgress(db);
  const exchange = await exchangeOf(context, selection.periods, selection.knownOn ?? now);
  const request = { accountId, ...selection, by, order, limit, exchange };
  const breakdowns = await runner.run('breakdown', request, abandoned);
  return {
    ...serializePeriod(period),
    timeZone,
    asOf: isoTime(progress?.recorded_at ?? 0),
    asKnownOn: isoTime(selection.knownOn ?? now),
    previous: comparison ? serializePeriod(comparison) : null,
    breakdowns,
  };
}

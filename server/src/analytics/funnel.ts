import type { Deps } from '../shared/deps.ts';
import { type Fault, refuse } from '../shared/errors.ts';
import { isoTime } from '../shared/time.ts';
import type { Funnel, FunnelBody } from './contract.ts';
import type { Filters } from './dimensions.ts';
import { isoPeriod } from './overview.ts';
import { readPeriod } from './periods.ts';
import { findProgress } from './queries.ts';
import { readInclude } from './read-query.ts';
import type { IsGivenUp, ReportsThread } from './run-reports.ts';

/** How many sessions or visitors took the steps of a funnel, in order. */
export async function makeFunnel(
  { db }: Pick<Deps, 'db'>,
  reports: ReportsThread,
  accountId: string,
  body: FunnelBody,
  isGivenUp: IsGivenUp,
): Promise<Funnel> {
  const { from, to, timeZone = 'UTC', by = 'session', windowMinutes = 10_080, include, steps } = body;
  const faults: Fault[] = [];
  const period = await readPeriod(db, { from, to, timeZone }, '/', faults);
  refuse(faults);
  const [progress] = await findProgress(db);
  const asked = {
    accountId,
    period,
    window: windowMinutes * 60_000,
    unit: by,
    include: readInclude(include),
    filters: (body.filters ?? {}) as Filters,
    steps,
  };
  const counts = await reports.funnel(asked, isGivenUp);
  const first = counts[0] ?? 0;
  return {
    ...isoPeriod(period),
    asOf: isoTime(progress?.noted_at ?? 0),
    steps: steps.map((step, i) => {
      const count = counts[i] ?? 0;
      const before = i === 0 ? count : (counts[i - 1] ?? 0);
      return {
        ...step,
        count,
        dropped: before - count,
        ofPrevious: before === 0 ? null : count / before,
        ofFirst: first === 0 ? null : count / first,
      };
    }),
  };
}

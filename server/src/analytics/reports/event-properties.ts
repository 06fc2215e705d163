import { isoTime } from '../../shared/time.ts';
import { findProgress } from '../aggregation/queries.ts';
import type { ReportContext } from './context.ts';
import type { EventProperties, EventPropertiesQuery } from './contract.ts';
import { parseFilters, parseInclude } from './parse-query.ts';
import { parsePeriod, serializePeriod } from './periods.ts';

/** How often each value of a property occurs among the events of a name. */
export async function getEventProperties(
  { db, runner, accountId, settings, abandoned }: ReportContext,
  query: EventPropertiesQuery,
): Promise<EventProperties> {
  const { event, property, contains, limit = 10 } = query;
  const period = parsePeriod({ timeZone: settings.timeZone, ...query }, '?');
  const [progress] = await findProgress(db);
  const selection = { filters: parseFilters(query), include: parseInclude(query.include) };
  const request = { accountId, period, ...selection, event, property, contains, limit };
  const { names, rows, more } = await runner.run('properties', request, abandoned);
  return {
    ...serializePeriod(period),
    asOf: isoTime(progress?.recorded_at ?? 0),
    ...{ event, properties: names, rows, more },
  };
}

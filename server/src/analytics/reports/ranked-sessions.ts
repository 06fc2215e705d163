import type { Deps } from '../../shared/deps.ts';
import { keysetPage } from '../../shared/http/keyset-page.ts';
import { loadListedSessions } from '../../tracking/index.ts';
import type { RankedSession } from '../engine/index.ts';
import type { ReportContext } from './context.ts';
import type { RankedSessions, RankedSessionsQuery } from './contract.ts';
import { parseFilters, parseInclude } from './parse-query.ts';
import { parsePeriod } from './periods.ts';

/** The sessions of a period by pages or duration: no index has this order, but a scan of segments does. */
export async function getRankedSessions(
  { db, runner, accountId, settings, abandoned }: ReportContext,
  { pageTokens: tokens, sessionIds }: Pick<Deps, 'pageTokens' | 'sessionIds'>,
  query: RankedSessionsQuery,
): Promise<RankedSessions> {
  const { pageSize: _, pageToken: __, ...selection } = query;
  const { sort = 'pages:desc' } = query;
  const request = {
    ...{ accountId, filters: parseFilters(query), include: parseInclude(query.include) },
    period: parsePeriod({ timeZone: settings.timeZone, ...query }, '?'),
    by: sort.startsWith('pages') ? ('visits' as const) : ('span' as const),
    isDescending: sort.endsWith('desc'),
  };
  const { rows, nextPageToken } = await keysetPage<RankedSession, [value: number, id: number]>({
    tokens,
    scope: [accountId, '/v1/analytics/ranked-sessions', selection],
    query,
    read: (after, limit) =>
      runner.run(
        'rank',
        { ...request, after: after && { value: after[0], number: sessionIds.numberOf(after[1]) }, limit },
        abandoned,
      ),
    // A page token can be decoded, so it contains the id.
    positionOf: ({ number, value }) => [value, sessionIds.idOf(number)],
  });
  const sessions = await loadListedSessions(
    db,
    sessionIds,
    accountId,
    rows.map(({ number }) => number),
  );
  return { sessions, nextPageToken };
}

import { isoTime } from '../../shared/time.ts';
import { acceptNone, PLATFORMS } from '../dimensions.ts';
import type { ReportContext } from './context.ts';
import type { UnmatchedReason, UnmatchedReport, UnmatchedReportQuery } from './contract.ts';
import { parseFilters } from './parse-query.ts';
import { parsePeriod, serializePeriod } from './periods.ts';
import { countUnmatched, findSeenPlatforms, type UnmatchedCountRow } from './source-queries.ts';

const HASHES = ['hash', 'sessionHash', 'sessionId', 'visitHash'];
const SHORT_HASHES = ['shortHash', 'shortSessionHash', 'shortVisitHash'];
/** A platform counts as never seen when none of this many latest sessions has a click id of it. */
const LATEST_SESSIONS = 20_000;

/** Counts the unmatched reports of a period by identifier and by why no session was found. */
export async function getUnmatchedReport(
  { db, accountId, settings }: ReportContext,
  query: UnmatchedReportQuery,
): Promise<UnmatchedReport> {
  const period = parsePeriod({ timeZone: settings.timeZone, ...query }, '?');
  // Without a session they have no values, so they pass filters for none only.
  if (!acceptNone(parseFilters(query))) {
    return { ...serializePeriod(period), total: 0, identifiers: [] };
  }
  const rows = await countUnmatched(db, {
    account_id: accountId,
    from: new Date(period.from),
    to: new Date(period.to),
    hashes: HASHES,
    short_hashes: SHORT_HASHES,
  });
  const platforms = await findSeenPlatforms(db, { account_id: accountId, limit: LATEST_SESSIONS });
  const seen = new Set(platforms.map(({ platform }) => platform));
  const identifiers = [...Map.groupBy(rows, (row) => row.identifier)].map(([identifier, counts]) => ({
    identifier,
    count: sumOf(counts),
    oldestAt: isoTime(Math.min(...counts.map((row) => row.oldest_at.getTime()))),
    latestAt: isoTime(Math.max(...counts.map((row) => row.latest_at.getTime()))),
    reasons: counts.map((row) => ({ reason: reasonOf(row, seen), count: row.count })),
  }));
  identifiers.sort((a, b) => b.count - a.count || String(a.identifier).localeCompare(String(b.identifier)));
  return { ...serializePeriod(period), total: sumOf(identifiers), identifiers };
}

function reasonOf({ identifier, is_well_formed }: UnmatchedCountRow, seen: Set<string>): UnmatchedReason {
  if (identifier === null) return 'erased';
  if (!is_well_formed) return 'malformed';
  return PLATFORMS.includes(identifier) && !seen.has(identifier) ? 'platform_never_seen' : 'not_seen';
}

function sumOf(counts: { count: number }[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

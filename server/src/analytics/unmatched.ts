import type { Deps } from '../shared/deps.ts';
import { type Fault, refuse } from '../shared/errors.ts';
import { isoTime } from '../shared/time.ts';
import { PLATFORMS } from './dimensions.ts';
import { isoPeriod } from './overview.ts';
import type { REASONS, UnmatchedReport, UnmatchedReportQuery } from './people-contract.ts';
import { countUnmatched, findPlatforms, type UnmatchedCountRow } from './people-queries.ts';
import { readPeriod } from './periods.ts';

const HASHES = ['hash', 'sessionHash', 'sessionId', 'visitHash'];
const SHORT_HASHES = ['shortHash', 'shortSessionHash', 'shortVisitHash'];
/** How many sessions tell whether a platform's click ids arrive at all. */
const SESSIONS = 20_000;

/** The reports of a period that wait for their session: by which identifier, and why none was found. */
export async function makeUnmatchedReport(
  { db }: Pick<Deps, 'db'>,
  accountId: string,
  query: UnmatchedReportQuery,
): Promise<UnmatchedReport> {
  const faults: Fault[] = [];
  const period = await readPeriod(db, { ...query, timeZone: query.timeZone ?? 'UTC' }, '?', faults);
  refuse(faults);
  const times = [new Date(period.from), new Date(period.to)];
  const rows = await countUnmatched(db, accountId, ...times, HASHES, SHORT_HASHES);
  const seen = new Set((await findPlatforms(db, accountId, SESSIONS)).map(({ platform }) => platform));
  const identifiers = [...Map.groupBy(rows, (row) => row.identifier)].map(([identifier, counts]) => ({
    identifier,
    count: sum(counts.map(({ count }) => count)),
    oldestAt: isoTime(Math.min(...counts.map(({ oldest_at: at }) => at.getTime()))),
    latestAt: isoTime(Math.max(...counts.map(({ latest_at: at }) => at.getTime()))),
    reasons: counts.map((row) => ({ reason: reasonOf(row, seen), count: row.count })),
  }));
  identifiers.sort((a, b) => b.count - a.count || String(a.identifier).localeCompare(String(b.identifier)));
  return { ...isoPeriod(period), total: sum(identifiers.map(({ count }) => count)), identifiers };
}

function reasonOf({ identifier, is_formed: isFormed }: UnmatchedCountRow, seen: Set<string>): (typeof REASONS)[number] {
  if (identifier === null) return 'erased';
  if (!isFormed) return 'malformed';
  return PLATFORMS.includes(identifier) && !seen.has(identifier) ? 'platform_never_seen' : 'not_seen';
}

function sum(numbers: number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}

import type { Deps } from '../../shared/deps.ts';
import { ApiError, badRequest } from '../../shared/errors.ts';
import { keysetPage } from '../../shared/http/keyset-page.ts';
import { type IdKind, parseId, publicId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { SessionIds } from '../../shared/session-ids.ts';
import { isoTime } from '../../shared/time.ts';
import { readLead, readSession } from '../../tracking/index.ts';
import type { Timeline, TimelineItem, TimelineQuery } from './contract.ts';
import { findLatestSessionsOfLead, findTimeline, type TimelineRow } from './source-queries.ts';

const MAX_SESSIONS = 10_000;

const ID_PREFIXES: Record<TimelineRow['type'], IdKind> = {
  session: 'vis',
  visit: 'vis',
  event: 'evt',
  conversion: 'cnv',
  restatement: 'cnv',
};

/** Everything that is known of a session or a lead, oldest first. @throws ApiError 400, 404 */
export async function getTimeline(
  { db, pageTokens, sessionIds }: Pick<Deps, 'db' | 'pageTokens' | 'sessionIds'>,
  accountId: string,
  query: TimelineQuery,
): Promise<Timeline> {
  const { sessionId, leadId } = query;
  if ((sessionId === undefined) === (leadId === undefined)) {
    throw badRequest('parameter_missing', 'Send either `sessionId` or `leadId`.');
  }
  const session = sessionId === undefined ? null : await readSession(db, sessionIds, accountId, String(sessionId));
  const lead = leadId === undefined ? null : await readLead(db, sessionIds, accountId, leadId);
  const ids = { account_id: accountId, lead_id: leadId === undefined ? null : (parseId('led', leadId) ?? null) };
  const numbers = session
    ? [sessionIds.numberOf(session.id)]
    : (await findLatestSessionsOfLead(db, { ...ids, limit: MAX_SESSIONS })).map(({ number }) => number);
  const { rows, nextPageToken } = await keysetPage<TimelineRow, [string, string]>({
    tokens: pageTokens,
    scope: [accountId, '/v1/analytics/timeline', sessionId ?? leadId],
    query,
    read: (position, limit) => {
      const [after, after_tie_breaker] = position ?? [null, null];
      return findTimeline(db, { ...ids, session_numbers: numbers, after, after_tie_breaker, limit });
    },
    positionOf: (row) => [isoTime(row.at), row.tie_breaker],
  });
  const items: TimelineItem[] = [];
  for (const row of rows) items.push(await serializeItem(db, sessionIds, accountId, row));
  return { session, lead, items, nextPageToken };
}

async function serializeItem(tx: Tx, ids: SessionIds, accountId: string, row: TimelineRow): Promise<TimelineItem> {
  const { type, event, properties, session_number: number } = row;
  const sessionId = number && ids.idOf(number);
  const common = {
    type,
    at: isoTime(row.at),
    id: row.id && publicId(ID_PREFIXES[type], row.id),
    sessionId,
    ...(row.received_at && { receivedAt: isoTime(row.received_at) }),
  };
  if (type === 'session') {
    const session = await readSession(tx, ids, accountId, String(sessionId)).catch((error: unknown) => {
      // Deleted since the query.
      if (error instanceof ApiError) return undefined;
      throw error;
    });
    return { ...common, ...(session && { session }) };
  }
  if (type === 'visit') return { ...common, url: row.url, title: row.title, referrer: row.referrer };
  if (type === 'event') return { ...common, event, properties };
  const { value, currency, identifier, origin } = row;
  return { ...common, event, properties, value, currency, identifier, ...(origin && { origin }) };
}

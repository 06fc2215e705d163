import type { Deps } from '../shared/deps.ts';
import { ApiError, badRequest } from '../shared/errors.ts';
import { readPage } from '../shared/http/paging.ts';
import { type IdKind, parseId, publicId } from '../shared/ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { isoTime } from '../shared/time.ts';
import { readLead, readSession } from '../tracking/index.ts';
import type { Timeline, TimelineItem, TimelineQuery } from './people-contract.ts';
import { findLeadsSessions, findTimeline, type TimelineRow } from './people-queries.ts';

const MOST_SESSIONS = 10_000;

const KINDS: Record<TimelineRow['kind'], IdKind> = {
  session: 'vis',
  visit: 'vis',
  event: 'evt',
  conversion: 'cnv',
  restatement: 'cnv',
};

/** All that is known of a session or a lead, oldest first. @throws ApiError 400, 404 */
export async function readTimeline(
  { db, pageTokens }: Pick<Deps, 'db' | 'pageTokens'>,
  accountId: string,
  query: TimelineQuery,
): Promise<Timeline> {
  const { sessionId, leadId } = query;
  if ((sessionId === undefined) === (leadId === undefined)) {
    throw badRequest('validation_failed', 'Either `sessionId` or `leadId` is needed.');
  }
  const session = sessionId === undefined ? null : await readSession(db, accountId, String(sessionId));
  const lead = leadId === undefined ? null : await readLead(db, accountId, leadId);
  const leadUuid = leadId === undefined ? null : (parseId('led', leadId) ?? null);
  const numbers = session ? [session.id] : await sessionsOf(db, accountId, leadUuid);
  const { rows, nextPageToken } = await readPage<TimelineRow, [string, string]>({
    pageTokens,
    scope: [accountId, '/v1/analytics/timeline', sessionId ?? leadId],
    query,
    find: (after, limit) => findTimeline(db, accountId, numbers, leadUuid, ...(after ?? [null, null]), limit),
    positionOf: (row) => [isoTime(row.at), row.place],
  });
  const items: TimelineItem[] = [];
  for (const row of rows) items.push(await itemOf(db, accountId, row));
  return { session, lead, items, nextPageToken };
}

async function sessionsOf(tx: Tx, accountId: string, lead: string | null): Promise<number[]> {
  return (await findLeadsSessions(tx, accountId, lead, MOST_SESSIONS)).map(({ number }) => number);
}

async function itemOf(tx: Tx, accountId: string, row: TimelineRow): Promise<TimelineItem> {
  const { kind } = row;
  const base = {
    kind,
    at: isoTime(row.at),
    id: row.id && publicId(KINDS[kind], row.id),
    sessionId: row.session_number,
    ...(row.received_at && { receivedAt: isoTime(row.received_at) }),
  };
  if (kind === 'session') {
    const session = await readSession(tx, accountId, String(row.session_number)).catch((error: unknown) => {
      // Deleted since it was listed.
      if (error instanceof ApiError) return undefined;
      throw error;
    });
    return { ...base, ...(session && { session }) };
  }
  if (kind === 'visit') return { ...base, url: row.url, title: row.title, referrer: row.referrer };
  const { event, properties } = row;
  if (kind === 'event') return { ...base, event, properties };
  const { value, currency, identifier, origin } = row;
  return { ...base, event, properties, value, currency, identifier, ...(origin && { origin }) };
}

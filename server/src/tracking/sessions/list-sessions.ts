import type { Deps } from '../../shared/deps.ts';
import { notFound } from '../../shared/errors.ts';
import { keysetPage } from '../../shared/http/keyset-page.ts';
import { parseId, publicId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { SessionIds } from '../../shared/session-ids.ts';
import { isoTime } from '../../shared/time.ts';
import { parseSessionId } from '../identifiers.ts';
import type { Session, SessionPage, SessionSummary, SessionsQuery } from './contract.ts';
import { findSessionPage } from './find-session-page.ts';
import {
  findListedSessions,
  findSessionsByNumber,
  findSessionsOfLeads,
  getSession,
  listNewestAmong,
  listOldestAmong,
  type SessionListRow,
  type SessionRow,
} from './queries.ts';
import { searchSessions } from './search-sessions.ts';

const MAX_SESSIONS_OF_LEAD = 10_000;

/** The sessions of an account, newest first unless sorted otherwise. */
export async function listSessionPage(
  { db, pageTokens, sessionIds }: Pick<Deps, 'db' | 'pageTokens' | 'sessionIds'>,
  accountId: string,
  query: SessionsQuery,
): Promise<SessionPage> {
  const { pageSize: _, pageToken: __, ...filters } = query;
  const isOldestFirst = query.sort === 'startedAt:asc';
  const numbers = await matchingNumbers(db, sessionIds, accountId, query);
  const { rows, nextPageToken } = await keysetPage<SessionListRow, [string, number]>({
    tokens: pageTokens,
    scope: [accountId, '/v1/sessions', filters],
    query,
    read: (after, limit) => {
      const [afterTime = null, afterId] = after ?? [];
      const listing = {
        account_id: accountId,
        from: query.from ?? null,
        to: query.to ?? null,
        source: query.source ?? null,
        medium: query.medium ?? null,
        campaign: query.campaign ?? null,
        country: query.country ?? null,
        device: query.device ?? null,
        platform: query.platform ?? null,
        all: query.all ?? false,
        after_time: afterTime,
        after_number: afterId === undefined ? null : sessionIds.numberOf(afterId),
        limit,
      };
      if (numbers) return (isOldestFirst ? listOldestAmong : listNewestAmong)(db, { ...listing, numbers });
      return findSessionPage(db, listing, isOldestFirst);
    },
    // A page token can be decoded, so it contains the id.
    positionOf: (row) => [isoTime(row.started_at), sessionIds.idOf(row.number)],
  });
  return { sessions: rows.map((row) => serializeSession(sessionIds, row)), nextPageToken };
}

/** The numbers of the sessions that `q` and `leadId` match; undefined if neither is set. */
async function matchingNumbers(
  tx: Tx,
  ids: SessionIds,
  accountId: string,
  { q, leadId }: SessionsQuery,
): Promise<number[] | undefined> {
  const found = q?.trim() ? await searchSessions(tx, ids, accountId, q) : undefined;
  if (leadId === undefined) return found;
  const lead = parseId('led', leadId);
  const leads = lead === undefined ? [] : [lead];
  const rows = await findSessionsOfLeads(tx, { account_id: accountId, leads, limit: MAX_SESSIONS_OF_LEAD });
  const ofLead = rows.map(({ number }) => number);
  return found ? ofLead.filter((number) => found.includes(number)) : ofLead;
}

/** @throws ApiError 404 */
export async function readSession(tx: Tx, ids: SessionIds, accountId: string, text: string): Promise<Session> {
  const id = parseSessionId(text);
  const [row] = id === undefined ? [] : await getSession(tx, { account_id: accountId, number: ids.numberOf(id) });
  if (!row) throw notFound('session');
  return serializeSession(ids, row);
}

/** Sessions by number, in this order. Deleted sessions are missing. */
export async function loadListedSessions(
  tx: Tx,
  ids: SessionIds,
  accountId: string,
  numbers: readonly number[],
): Promise<Session[]> {
  const found = await findListedSessions(tx, { account_id: accountId, numbers });
  const byNumber = new Map(found.map((row) => [row.number, row]));
  return numbers.flatMap((number) => {
    const row = byNumber.get(number);
    return row ? serializeSession(ids, row) : [];
  });
}

/** Sessions by account and number, in a map by `sessionKey`. Deleted sessions are missing. */
export async function loadSessions(
  tx: Tx,
  ids: SessionIds,
  sessions: readonly { accountId: string; number: number }[],
): Promise<Map<string, SessionSummary>> {
  const distinct = new Map(
    sessions.map(({ accountId, number }) => [sessionKey(accountId, number), { account_id: accountId, number }]),
  );
  if (distinct.size === 0) return new Map();
  const found = await findSessionsByNumber(tx, { sessions: [...distinct.values()] });
  return new Map(found.map((row) => [sessionKey(row.account_id, row.number), serializeSummary(ids, row)]));
}

export function sessionKey(accountId: string, number: number): string {
  return `${accountId} ${number}`;
}

function serializeSession(ids: SessionIds, row: SessionListRow): Session {
  const { lead_id: lead, email } = row;
  return {
    ...serializeSummary(ids, row),
    lead: lead === null || email === null ? null : { id: publicId('led', lead), email },
  };
}

function serializeSummary(ids: SessionIds, row: SessionRow): SessionSummary {
  return {
    id: ids.idOf(row.number),
    hash: row.hash,
    shortHash: row.short_hash,
    visitorId: row.visitor_id,
    startedAt: isoTime(row.started_at),
    lastSeenAt: isoTime(row.last_seen_at),
    landingUrl: row.landing_url,
    referrer: row.referrer,
    source: row.source,
    medium: row.medium,
    campaign: row.campaign,
    term: row.term,
    content: row.content,
    utmId: row.utm_id,
    clickIds: row.click_ids,
    device: row.device,
    browser: row.browser,
    os: row.os,
    country: row.country,
    region: row.region,
    isBot: row.is_bot,
    isInternal: row.is_internal,
  };
}

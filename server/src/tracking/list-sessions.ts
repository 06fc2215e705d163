import type { Deps } from '../shared/deps.ts';
import { notFound } from '../shared/errors.ts';
import { readPage } from '../shared/http/paging.ts';
import { parseId, publicId } from '../shared/ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { isoTime } from '../shared/time.ts';
import { sessionView } from './describe.ts';
import type { SessionAnswer, SessionPage, SessionsQuery } from './list-contract.ts';
import {
  findSessionsOfLeads,
  getSession,
  type ListedSession,
  listSessions,
  listSessionsAmong,
} from './list-queries.ts';
import { searchSessions } from './search-sessions.ts';

const MOST_OF_LEAD = 10_000;

/** The sessions of an account, newest first. */
export async function listSessionPage(
  { db, pageTokens }: Pick<Deps, 'db' | 'pageTokens'>,
  accountId: string,
  query: SessionsQuery,
): Promise<SessionPage> {
  const { pageSize: _, pageToken: __, ...asked } = query;
  const among = await sessionsNamed(db, accountId, query);
  const { rows, nextPageToken } = await readPage<ListedSession, [string, number]>({
    pageTokens,
    scope: [accountId, '/v1/sessions', asked],
    query,
    find: (after, limit) => {
      const parameters = [
        accountId,
        query.from ?? null,
        query.to ?? null,
        query.source ?? null,
        query.medium ?? null,
        query.campaign ?? null,
        query.country ?? null,
        query.device ?? null,
        query.platform ?? null,
        query.all ?? false,
        ...(after ?? [null, null]),
        limit,
      ];
      return among ? listSessionsAmong(db, ...parameters, among) : listSessions(db, ...parameters);
    },
    positionOf: (row) => [isoTime(row.started_at), row.number],
  });
  return { sessions: rows.map(answerOf), nextPageToken };
}

/** The sessions that `q` and `leadId` mean; undefined: all. */
async function sessionsNamed(tx: Tx, accountId: string, { q, leadId }: SessionsQuery): Promise<number[] | undefined> {
  const found = q?.trim() ? await searchSessions(tx, accountId, q) : undefined;
  if (leadId === undefined) return found;
  const lead = parseId('led', leadId);
  const rows = lead === undefined ? [] : await findSessionsOfLeads(tx, accountId, [lead], MOST_OF_LEAD);
  const ofLead = rows.map(({ number }) => number);
  return found ? ofLead.filter((number) => found.includes(number)) : ofLead;
}

/** @throws ApiError 404 */
export async function readSession(tx: Tx, accountId: string, id: string): Promise<SessionAnswer> {
  const number = /^\d{1,15}$/.test(id) ? Number(id) : undefined;
  const [row] = number === undefined ? [] : await getSession(tx, accountId, number);
  if (!row) throw notFound('session');
  return answerOf(row);
}

function answerOf(row: ListedSession): SessionAnswer {
  const { lead_id: lead, email } = row;
  return { ...sessionView(row), lead: lead === null || email === null ? null : { id: publicId('led', lead), email } };
}

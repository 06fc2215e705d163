import type { Deps } from '../shared/deps.ts';
import { notFound } from '../shared/errors.ts';
import { readPage } from '../shared/http/paging.ts';
import { parseId, publicId } from '../shared/ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { isoTime } from '../shared/time.ts';
import type { LeadAnswer, LeadPage, LeadsQuery } from './list-contract.ts';
import { getLead, type ListedLead, listLeads, searchLeads } from './list-queries.ts';
import { beginningWith } from './search-sessions.ts';

/** The leads of an account, newest first; those that `q` finds by e-mail, and that were first seen within some time. */
export async function listLeadPage(
  { db, pageTokens }: Pick<Deps, 'db' | 'pageTokens'>,
  accountId: string,
  query: LeadsQuery,
): Promise<LeadPage> {
  const { from = null, to = null } = query;
  const beginning = query.q?.trim().toLowerCase() ?? '';
  const { rows, nextPageToken } = await readPage<ListedLead, string>({
    pageTokens,
    scope: [accountId, '/v1/leads', beginning, from, to],
    query,
    find: (after, limit) =>
      beginning === ''
        ? listLeads(db, accountId, after, limit, from, to)
        : searchLeads(db, accountId, ...beginningWith(beginning), after, limit, from, to),
    positionOf: ({ id, email }) => (beginning === '' ? id : email),
  });
  return { leads: rows.map(leadView), nextPageToken };
}

/** @throws ApiError 404 */
export async function readLead(tx: Tx, accountId: string, id: string): Promise<LeadAnswer> {
  const uuid = parseId('led', id);
  const [row] = uuid === undefined ? [] : await getLead(tx, accountId, uuid);
  if (!row) throw notFound('lead');
  return leadView(row);
}

function leadView(row: ListedLead): LeadAnswer {
  return {
    id: publicId('led', row.id),
    email: row.email,
    firstSeenAt: isoTime(row.first_seen_at),
    lastSeenAt: isoTime(row.last_seen_at),
    firstSessionId: row.first_session,
    latestSessionId: row.latest_session,
    source: row.source,
    medium: row.medium,
    campaign: row.campaign,
    country: row.country,
  };
}

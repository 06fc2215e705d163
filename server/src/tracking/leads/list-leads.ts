import type { Deps } from '../../shared/deps.ts';
import { notFound } from '../../shared/errors.ts';
import { keysetPage } from '../../shared/http/keyset-page.ts';
import { parseId, publicId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { SessionIds } from '../../shared/session-ids.ts';
import { isoTime } from '../../shared/time.ts';
import type { Lead, LeadPage, LeadsQuery } from './contract.ts';
import { findLeadsById, getLead, type LeadListRow, listLeads, searchLeads } from './queries.ts';

/** The leads of an account, newest first; with `q`, those whose email starts with it, by email. */
export async function listLeadPage(
  { db, pageTokens, sessionIds }: Pick<Deps, 'db' | 'pageTokens' | 'sessionIds'>,
  accountId: string,
  query: LeadsQuery,
): Promise<LeadPage> {
  const { from = null, to = null } = query;
  const prefix = query.q?.trim().toLowerCase() ?? '';
  const { rows, nextPageToken } = await keysetPage<LeadListRow, string>({
    tokens: pageTokens,
    scope: [accountId, '/v1/leads', prefix, from, to],
    query,
    read: (after, limit) => {
      const listing = { account_id: accountId, from, to, limit, after: after ?? null };
      return prefix === '' ? listLeads(db, listing) : searchLeads(db, { ...listing, ...prefixRange(prefix) });
    },
    positionOf: ({ id, email }) => (prefix === '' ? id : email),
  });
  return { leads: rows.map((row) => serializeLead(sessionIds, row)), nextPageToken };
}

/** @throws ApiError 404 */
export async function readLead(tx: Tx, ids: SessionIds, accountId: string, id: string): Promise<Lead> {
  const uuid = parseId('led', id);
  const [row] = uuid === undefined ? [] : await getLead(tx, { account_id: accountId, id: uuid });
  if (!row) throw notFound('lead');
  return serializeLead(ids, row);
}

/** The bytewise range of all texts that start with `prefix`. */
export function prefixRange(prefix: string): { prefix: string; prefix_end: string } {
  return { prefix, prefix_end: `${prefix}\u{10ffff}` };
}

function serializeLead(ids: SessionIds, row: LeadListRow): Lead {
  return {
    id: publicId('led', row.id),
    email: row.email,
    firstSeenAt: isoTime(row.first_seen_at),
    lastSeenAt: isoTime(row.last_seen_at),
    firstSessionId: row.first_session && ids.idOf(row.first_session),
    latestSessionId: row.latest_session && ids.idOf(row.latest_session),
    source: row.source,
    medium: row.medium,
    campaign: row.campaign,
    country: row.country,
  };
}

/** Leads by their UUID, with the numbers of their first and latest session. Deleted leads are missing. */
export async function loadLeads(tx: Tx, leads: readonly { accountId: string; id: string }[]) {
  const found = await findLeadsById(tx, { leads: leads.map(({ accountId, id }) => ({ account_id: accountId, id })) });
  return new Map(
    found.map(({ id, email, first_session: firstSession, latest_session: latestSession }) => [
      id,
      { id: publicId('led', id), email, firstSession, latestSession },
    ]),
  );
}

import type { Deps } from '../../shared/deps.ts';
import { notFound } from '../../shared/errors.ts';
import { keysetPage } from '../../shared/http/keyset-page.ts';
import { FIRST_ID, LAST_ID, parseId, publicId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { SessionIds } from '../../shared/session-ids.ts';
import { isoTime } from '../../shared/time.ts';
import type { Lead, LeadPage, LeadsQuery } from './contract.ts';
import {
  countLeads,
  findLeadsById,
  getLead,
  type LeadListRow,
  listLeadsByEmail,
  listLeadsByEmailDown,
  listNewestLeads,
  listOldestLeads,
  searchLeads,
} from './queries.ts';

/** Shorter texts have no trigram: they are looked up as the start of an email. */
const MIN_PART = 3;

/** The leads of an account, newest first; with `q`, those whose email or name contains it. */
export async function listLeadPage(
  { db, pageTokens, sessionIds }: Pick<Deps, 'db' | 'pageTokens' | 'sessionIds'>,
  accountId: string,
  query: LeadsQuery,
): Promise<LeadPage> {
  const { from = null, to = null } = query;
  const text = query.q?.trim().toLowerCase() ?? '';
  const isPart = text.length >= MIN_PART;
  const pattern = isPart ? `%${text.replace(/[\\%_]/g, '\\$&')}%` : `${text}%`;
  const chosen = query.sort ?? 'firstSeenAt:desc';
  // A part is looked up by its trigrams, which have no order but that of the ids; a start by the index of emails.
  const sort = isPart ? 'firstSeenAt:desc' : text !== '' && !chosen.startsWith('email') ? 'email:asc' : chosen;
  const isByEmail = sort.startsWith('email');
  const { rows, nextPageToken } = await keysetPage<LeadListRow, string>({
    tokens: pageTokens,
    scope: [accountId, '/v1/leads', text, from, to, sort],
    query,
    read: (after, limit) => {
      const listing = { account_id: accountId, from, to, limit };
      if (isPart) return searchLeads(db, { ...listing, pattern, after: after ?? LAST_ID });
      if (isByEmail) {
        const range = { ...listing, ...prefixRange(text) };
        return sort === 'email:asc'
          ? listLeadsByEmail(db, { ...range, after: after ?? '' })
          : listLeadsByEmailDown(db, { ...range, after: after ?? range.prefix_end });
      }
      return sort === 'firstSeenAt:asc'
        ? listOldestLeads(db, { ...listing, after: after ?? FIRST_ID })
        : listNewestLeads(db, { ...listing, after: after ?? LAST_ID });
    },
    positionOf: ({ id, email }) => (isByEmail ? email : id),
  });
  const [counted] = query.totals ? await countLeads(db, { account_id: accountId, from, to, pattern }) : [];
  return {
    leads: rows.map((row) => serializeLead(sessionIds, row)),
    nextPageToken,
    ...(counted && { totals: counted }),
  };
}

/** @throws ApiError 404 */
export async function readLead(
  tx: Tx,
  ids: SessionIds,
  accountId: string,
  id: string,
): Promise<Lead & { notes: string | null }> {
  const uuid = parseId('led', id);
  const [row] = uuid === undefined ? [] : await getLead(tx, { account_id: accountId, id: uuid });
  if (!row) throw notFound('lead');
  return { ...serializeLead(ids, row), notes: row.notes };
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
    name: row.name,
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

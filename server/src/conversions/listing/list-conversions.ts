import type { Deps } from '../../shared/deps.ts';
import { notFound } from '../../shared/errors.ts';
import { keysetPage } from '../../shared/http/keyset-page.ts';
import { parseId, publicId } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { SessionIds } from '../../shared/session-ids.ts';
import { isoTime } from '../../shared/time.ts';
import { IDENTIFIER_NAMES, identify, searchSessions } from '../../tracking/index.ts';
import { KEPT_MS } from '../matching/match-unmatched.ts';
import {
  type Conversion,
  type ConversionPage,
  type ConversionsQuery,
  type ConversionWithReports,
  MAX_REPORTS,
  type UnmatchedConversion,
  type UnmatchedPage,
  type UnmatchedQuery,
} from './contract.ts';
import {
  type ConversionListRow,
  findByIdOrEventId,
  getConversion,
  LISTS,
  listRevisions,
  listUnmatched,
  searchUnmatched,
  sumConversions,
  sumConversionsAmong,
  type UnmatchedListRow,
} from './queries.ts';

type Listing = Pick<Deps, 'db' | 'pageTokens' | 'sessionIds'>;

/** The conversions of an account, newest first by `createdOn` unless sorted otherwise. */
export async function listConversionPage(
  { db, pageTokens, sessionIds }: Listing,
  accountId: string,
  query: ConversionsQuery,
): Promise<ConversionPage> {
  const { pageSize: _, pageToken: __, totals: withTotals, ...filters } = query;
  const { from = null, to = null, event = null, origin = null, source = null, campaign = null } = query;
  const { sort = 'createdOn:desc' } = query;
  const currency = query.currency?.toUpperCase() ?? null;
  const among = await matchingConversions(db, sessionIds, accountId, query);
  const listing = { account_id: accountId, from, to, event, currency, origin, source, campaign };
  const { all, among: listAmong } = LISTS[sort];
  const { rows, nextPageToken } = await keysetPage<ConversionListRow, [string, string]>({
    tokens: pageTokens,
    scope: [accountId, '/v1/conversions', filters],
    query,
    read: (after, limit) => {
      const [after_key = null, after_id = null] = after ?? [];
      const page = { ...listing, after_key, after_id, limit };
      return among ? listAmong(db, { ...page, ...among }) : all(db, page);
    },
    positionOf: (row) => [sort.startsWith('createdOn') ? isoTime(row.created_on) : (row.value ?? '0'), row.id],
  });
  return {
    conversions: rows.map((row) => serializeConversion(sessionIds, row)),
    nextPageToken,
    ...(withTotals && {
      totals: totalsOf(
        among ? await sumConversionsAmong(db, { ...listing, ...among }) : await sumConversions(db, listing),
      ),
    }),
  };
}

const totalsOf = (rows: Awaited<ReturnType<typeof sumConversions>>) => ({
  conversions: rows.reduce((sum, { conversions }) => sum + conversions, 0),
  refunds: rows.reduce((sum, { refunds }) => sum + refunds, 0),
  revenue: rows.flatMap(({ currency, value }) => (value === null ? [] : { currency, value })),
});

/** The sessions and conversions that `q` and `sessionId` match; undefined if neither is set. */
async function matchingConversions(
  tx: Tx,
  ids: SessionIds,
  accountId: string,
  { q, sessionId }: ConversionsQuery,
): Promise<{ sessions: number[]; ids: string[] } | undefined> {
  const text = q?.trim();
  const session = sessionId === undefined ? undefined : ids.numberOf(sessionId);
  if (!text) return session === undefined ? undefined : { sessions: [session], ids: [] };
  const sessions = await searchSessions(tx, ids, accountId, text);
  if (session !== undefined) return { sessions: sessions.filter((number) => number === session), ids: [] };
  const name = { account_id: accountId, id: parseId('cnv', text) ?? null, event_id: text };
  return { sessions, ids: (await findByIdOrEventId(tx, name)).map(({ id }) => id) };
}

/** One conversion with its latest reports. @throws ApiError 404 */
export async function readConversion(
  tx: Tx,
  ids: SessionIds,
  accountId: string,
  id: string,
): Promise<ConversionWithReports> {
  const uuid = parseId('cnv', id);
  const key = uuid === undefined ? undefined : { account_id: accountId, id: uuid };
  const [row] = key ? await getConversion(tx, key) : [];
  if (!key || !row) throw notFound('conversion');
  const found = await listRevisions(tx, { ...key, limit: MAX_REPORTS + 1 });
  const revisions = found.slice(0, MAX_REPORTS).reverse();
  return {
    ...serializeConversion(ids, row),
    reports: revisions.map(
      ({ created_on: createdOn, received_at: receivedAt, import_id, is_withdrawn, ...report }) => ({
        ...report,
        importId: import_id && publicId('imp', import_id),
        isWithdrawn: is_withdrawn,
        createdOn: createdOn && isoTime(createdOn),
        receivedAt: isoTime(receivedAt),
      }),
    ),
    moreReports: found.length > MAX_REPORTS,
  };
}

/** Unmatched reports, newest first. */
export async function listUnmatchedPage(
  { db, pageTokens, sessionIds }: Listing,
  accountId: string,
  query: UnmatchedQuery,
): Promise<UnmatchedPage> {
  const { q, identifier = null } = query;
  const text = q?.trim() ?? '';
  const { rows, nextPageToken } = await keysetPage<UnmatchedListRow, string>({
    tokens: pageTokens,
    scope: [accountId, '/v1/conversions/unmatched', text, identifier],
    query,
    read: (after, limit) => {
      const listing = { account_id: accountId, after: after ?? null, identifier, limit };
      return text === ''
        ? listUnmatched(db, listing)
        : searchUnmatched(db, { ...listing, digests: digestsOf(sessionIds, text), event_id: text });
    },
    positionOf: ({ id }) => id,
  });
  return { conversions: rows.map(serializeUnmatched), nextPageToken };
}

/** The digests of every identifier that a text may be. */
function digestsOf(ids: SessionIds, text: string): string[] {
  return IDENTIFIER_NAMES.flatMap((name) => identify(ids, name, text)?.digest ?? []);
}

function serializeReport(row: ConversionListRow | UnmatchedListRow) {
  return {
    id: publicId('cnv', row.id),
    eventId: row.event_id,
    event: row.event,
    value: row.value,
    currency: row.currency,
    createdOn: isoTime(row.created_on),
    receivedAt: isoTime(row.received_at),
    extra: row.extra,
  };
}

function serializeConversion(ids: SessionIds, row: ConversionListRow): Conversion {
  const { lead_id: lead, email } = row;
  return {
    ...serializeReport(row),
    origin: row.origin,
    identifier: row.identifier,
    sessionId: row.session_number && ids.idOf(row.session_number),
    sessionHash: row.session_hash,
    source: row.source,
    medium: row.medium,
    campaign: row.campaign,
    lead: lead === null || email === null ? null : { id: publicId('led', lead), email },
    restatements: Math.max(0, row.restatements),
    adjustments: row.adjustments,
    isRefunded: row.is_refunded,
    withdrawnAt: row.withdrawn_at && isoTime(row.withdrawn_at),
    updatedAt: isoTime(row.updated_at),
  };
}

function serializeUnmatched(row: UnmatchedListRow): UnmatchedConversion {
  return {
    ...serializeReport(row),
    identifier: row.identifier,
    expiresAt: isoTime(row.received_at.getTime() + KEPT_MS),
  };
}

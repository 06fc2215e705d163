import type { Deps } from '../shared/deps.ts';
import { notFound } from '../shared/errors.ts';
import { readPage } from '../shared/http/paging.ts';
import { parseId, publicId } from '../shared/ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { isoTime } from '../shared/time.ts';
import { IDENTIFIER_NAMES, identify, searchSessions } from '../tracking/index.ts';
import type {
  ConversionAnswer,
  ConversionPage,
  ConversionsQuery,
  ConversionWithReports,
  UnmatchedAnswer,
  UnmatchedPage,
  UnmatchedQuery,
} from './list-contract.ts';
import {
  findConversions,
  getConversion,
  type ListedConversion,
  listConversions,
  listConversionsAmong,
  listReports,
  listUnmatched,
  searchUnmatched,
  type UnmatchedRow,
} from './list-queries.ts';
import { KEPT_MS } from './match-waiting.ts';

type Lists = Pick<Deps, 'db' | 'pageTokens'>;

/** The conversions of an account, newest first by `createdOn`. */
export async function listConversionPage(
  { db, pageTokens }: Lists,
  accountId: string,
  query: ConversionsQuery,
): Promise<ConversionPage> {
  const { pageSize: _, pageToken: __, ...asked } = query;
  const among = await conversionsNamed(db, accountId, query);
  const { rows, nextPageToken } = await readPage<ListedConversion, [string, string]>({
    pageTokens,
    scope: [accountId, '/v1/conversions', asked],
    query,
    find: (after, limit) => {
      const { from = null, to = null, event = null, origin = null, source = null, campaign = null } = query;
      const currency = query.currency?.toUpperCase() ?? null;
      const [at, id] = after ?? [null, null];
      const parameters = [accountId, from, to, event, currency, origin, source, campaign, at, id, limit];
      return among ? listConversionsAmong(db, ...parameters, ...among) : listConversions(db, ...parameters);
    },
    positionOf: (row) => [isoTime(row.created_on), row.id],
  });
  return { conversions: rows.map(conversionAnswer), nextPageToken };
}

/** The sessions and the conversions that `q` and `sessionId` mean; undefined: all. */
async function conversionsNamed(
  tx: Tx,
  accountId: string,
  { q, sessionId }: ConversionsQuery,
): Promise<[number[], string[]] | undefined> {
  const text = q?.trim();
  if (!text) return sessionId === undefined ? undefined : [[sessionId], []];
  const sessions = await searchSessions(tx, accountId, text);
  if (sessionId !== undefined) return [sessions.filter((number) => number === sessionId), []];
  const named = await findConversions(tx, accountId, parseId('cnv', text) ?? null, text);
  return [sessions, named.map(({ id }) => id)];
}

/** One conversion with every report of it. @throws ApiError 404 */
export async function readConversion(tx: Tx, accountId: string, id: string): Promise<ConversionWithReports> {
  const uuid = parseId('cnv', id);
  const [row] = uuid === undefined ? [] : await getConversion(tx, accountId, uuid);
  if (!row) throw notFound('conversion');
  const reports = await listReports(tx, accountId, row.id);
  return {
    ...conversionAnswer(row),
    reports: reports.map(({ created_on: createdOn, received_at: receivedAt, ...report }) => ({
      ...report,
      createdOn: createdOn && isoTime(createdOn),
      receivedAt: isoTime(receivedAt),
    })),
  };
}

/** Reports that wait for their session, newest first. */
export async function listUnmatchedPage(
  { db, pageTokens }: Lists,
  accountId: string,
  query: UnmatchedQuery,
): Promise<UnmatchedPage> {
  const { q, identifier = null } = query;
  const text = q?.trim() ?? '';
  const { rows, nextPageToken } = await readPage<UnmatchedRow, string>({
    pageTokens,
    scope: [accountId, '/v1/conversions/unmatched', text, identifier],
    query,
    find: (after, limit) =>
      text === ''
        ? listUnmatched(db, accountId, after, identifier, limit)
        : searchUnmatched(db, accountId, after, identifier, limit, digestsOf(text), text),
    positionOf: ({ id }) => id,
  });
  return { conversions: rows.map(unmatchedAnswer), nextPageToken };
}

/** Whatever identifier a text may be. */
function digestsOf(text: string): string[] {
  return IDENTIFIER_NAMES.flatMap((name) => identify(name, text)?.digest ?? []);
}

function amountOf(row: ListedConversion | UnmatchedRow) {
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

function conversionAnswer(row: ListedConversion): ConversionAnswer {
  const { lead_id: lead, email } = row;
  return {
    ...amountOf(row),
    origin: row.origin,
    identifier: row.identifier,
    sessionId: row.session_number,
    sessionHash: row.session_hash,
    source: row.source,
    medium: row.medium,
    campaign: row.campaign,
    lead: lead === null || email === null ? null : { id: publicId('led', lead), email },
    restatements: Math.max(0, row.restatements),
    updatedAt: isoTime(row.updated_at),
  };
}

function unmatchedAnswer(row: UnmatchedRow): UnmatchedAnswer {
  return {
    ...amountOf(row),
    identifier: row.identifier,
    expiresAt: isoTime(row.received_at.getTime() + KEPT_MS),
  };
}

import { publicId } from '../shared/ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { isoTime } from '../shared/time.ts';
import {
  type DescribedEventRow,
  type DescribedLeadRow,
  type DescribedSessionRow,
  describeEventRows,
  describeLeadRows,
  describeSessionRows,
} from './describe-queries.ts';

/** A thing of an account: its UUID, or the number of a session. */
export interface Named<Id> {
  accountId: string;
  id: Id;
}

/** A session as others are told of it. */
export interface SessionView {
  id: number;
  hash: string;
  shortHash: string;
  visitorId: string;
  startedAt: string;
  lastSeenAt: string;
  landingUrl: string;
  referrer: string | null;
  source: string | null;
  medium: string | null;
  campaign: string | null;
  term: string | null;
  content: string | null;
  utmId: string | null;
  clickIds: Record<string, string>;
  device: string | null;
  browser: string | null;
  os: string | null;
  country: string | null;
  isBot: boolean;
  isInternal: boolean;
}

/** Events by their UUID; what is not there any more is missing. */
export async function describeEvents(
  tx: Tx,
  events: readonly Named<string>[],
): Promise<Map<string, DescribedEventRow>> {
  const rows = await describeEventRows(tx, ...columns(events));
  return new Map(rows.map((row) => [row.id, row]));
}

/** Leads by their UUID, with the numbers of their first and latest session; what is not there any more is missing. */
export async function describeLeads(tx: Tx, leads: readonly Named<string>[]): Promise<Map<string, DescribedLeadRow>> {
  const rows = await describeLeadRows(tx, ...columns(leads));
  return new Map(rows.map((row) => [row.id, row]));
}

/** Sessions of accounts by their number, found in the map by `sessionKey`. */
export async function describeSessions(tx: Tx, sessions: readonly Named<number>[]): Promise<Map<string, SessionView>> {
  const distinct = new Map(sessions.map((session) => [sessionKey(session.accountId, session.id), session]));
  if (distinct.size === 0) return new Map();
  const rows = await describeSessionRows(tx, ...columns([...distinct.values()]));
  return new Map(rows.map((row) => [sessionKey(row.account_id, row.number), sessionView(row)]));
}

export function sessionKey(accountId: string, number: number): string {
  return `${accountId} ${number}`;
}

/** The rest of an event, beside its session, as others are told of it. */
export function eventView(row: DescribedEventRow) {
  return {
    id: publicId('evt', row.id),
    clientEventId: row.client_event_id,
    event: row.event,
    properties: row.properties,
    lead: row.lead_id === null ? null : { id: publicId('led', row.lead_id), email: row.email },
    isBot: row.is_bot,
    isInternal: row.is_internal,
    occurredAt: isoTime(row.occurred_at),
    receivedAt: isoTime(row.received_at),
  };
}

export function sessionView(row: Omit<DescribedSessionRow, 'account_id'>): SessionView {
  return {
    id: row.number,
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
    isBot: row.is_bot,
    isInternal: row.is_internal,
  };
}

function columns<Id>(named: readonly Named<Id>[]): [string[], Id[]] {
  return [named.map(({ accountId }) => accountId), named.map(({ id }) => id)];
}

import { plannedStatement, statement } from '../shared/postgres/database.ts';

type Named = Record<string, string | number>;

export interface ListedConversion {
  id: string;
  event_id: string | null;
  event: string;
  value: string | null;
  currency: string | null;
  created_on: Date;
  received_at: Date;
  origin: 'report' | 'event';
  identifier: Named | null;
  extra: Record<string, unknown> | null;
  session_number: number | null;
  session_hash: string | null;
  source: string | null;
  medium: string | null;
  campaign: string | null;
  lead_id: string | null;
  email: string | null;
  restatements: number;
  updated_at: Date;
}

const SELECT = `select c.id, c.event_id, c.event, c.value::text, c.currency, c.created_on, c.received_at, c.origin,
    c.identifier, c.extra, c.session_number, s.hash as session_hash, s.source, s.medium, s.campaign, s.lead_id, l.email,
    (select count(*) - 1 from conversion_revisions r where r.account_id = c.account_id and r.conversion_id = c.id)
      as restatements, c.updated_at
  from conversions c
  left join sessions s on s.account_id = c.account_id and s.number = c.session_number
  left join leads l on l.account_id = c.account_id and l.id = s.lead_id`;

/** What of the filters is null lets everything through. $2 from, to, event, currency, origin, source, campaign, $9 session, after */
const FITS = `c.account_id = $1 and c.created_on >= coalesce($2, '-infinity'::timestamptz)
  and c.created_on < coalesce($3, 'infinity'::timestamptz)
  and ($4::text is null or c.event = $4) and ($5::text is null or c.currency = $5) and ($6::text is null or c.origin = $6)
  and ($7::text is null or s.source = $7) and ($8::text is null or s.campaign = $8)
  and (c.created_on, c.id) < (coalesce($9, 'infinity'::timestamptz), coalesce($10, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid))`;

const NEWEST = 'order by c.created_on desc, c.id desc limit $11';

/** Newest first. $11 limit */
export const listConversions = plannedStatement<ListedConversion>(`${SELECT} where ${FITS} ${NEWEST}`);

/** The same of these sessions ($12) or ids ($13) alone. */
export const listConversionsAmong = statement<ListedConversion>(
  'conversions.list_among',
  `${SELECT} where ${FITS} and c.id in (
     select id from conversions where account_id = $1 and session_number = any($12::bigint[])
     union select unnest($13::uuid[])) ${NEWEST}`,
);

/** By id ($2) or eventId ($3). */
export const findConversions = statement<{ id: string }>(
  'conversions.find_by_name',
  `select id from conversions where account_id = $1 and id = $2
   union select id from conversions where account_id = $1 and event_id = $3`,
);

export const getConversion = statement<ListedConversion>(
  'conversions.get',
  `${SELECT} where c.account_id = $1 and c.id = $2`,
);

export interface ReportRow {
  event: string | null;
  value: string | null;
  currency: string | null;
  created_on: Date | null;
  received_at: Date;
  origin: 'report' | 'event';
  identifier: Named | null;
  extra: Record<string, unknown> | null;
}

export const listReports = statement<ReportRow>(
  'conversions.list_reports',
  `select event, value::text, currency, created_on, received_at, origin, identifier, extra from conversion_revisions
   where account_id = $1 and conversion_id = $2 order by arrival`,
);

export interface UnmatchedRow {
  id: string;
  event_id: string | null;
  event: string;
  value: string | null;
  currency: string | null;
  created_on: Date;
  received_at: Date;
  identifier: Named;
  extra: Record<string, unknown> | null;
}

const UNMATCHED = `select id, event_id, event, value::text, currency, created_on, received_at, identifier, extra
  from unmatched_conversions u
  where account_id = $1 and id < coalesce($2, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)
    and ($3::text is null or identifier ? $3)`;

/** Newest first. $1 account, after, $3 name of the identifier, $4 limit */
export const listUnmatched = statement<UnmatchedRow>(
  'conversions.list_unmatched',
  `${UNMATCHED} order by id desc limit $4`,
);

/** The same of these digests ($5), or of this eventId ($6). */
export const searchUnmatched = statement<UnmatchedRow>(
  'conversions.search_unmatched',
  `${UNMATCHED} and id in (
     select id from unmatched_conversions where account_id = $1 and digest = any($5::uuid[])
     union select id from unmatched_conversions where account_id = $1 and event_id = $6)
   order by id desc limit $4`,
);

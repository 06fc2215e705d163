import { plannedStatement, statement } from '../../shared/postgres/statement.ts';

type IdentifierMember = Record<string, string | number>;

export interface ConversionListRow {
  id: string;
  event_id: string | null;
  event: string;
  value: string | null;
  currency: string | null;
  created_on: Date;
  received_at: Date;
  origin: 'report' | 'event';
  identifier: IdentifierMember | null;
  extra: Record<string, unknown> | null;
  session_number: number | null;
  session_hash: string | null;
  source: string | null;
  medium: string | null;
  campaign: string | null;
  lead_id: string | null;
  email: string | null;
  restatements: number;
  adjustments: number;
  is_refunded: boolean;
  updated_at: Date;
  withdrawn_at: Date | null;
}

const REPORTS = `from conversion_revisions r where r.account_id = c.account_id and r.conversion_id = c.id
      and r.withdrawn_version is null and r.origin <> 'undo'`;

/** Its value is 0 and was not before. */
const IS_REFUNDED = `c.value is not distinct from 0 and exists (select ${REPORTS} and r.value <> 0)`;

const SELECT = `select c.id, c.event_id, c.event, c.value::text, c.currency, c.created_on, c.received_at, c.origin,
    c.identifier, c.extra, c.session_number, s.hash as session_hash, s.source, s.medium, s.campaign, s.lead_id, l.email,
    (select count(*) - 1 ${REPORTS}) as restatements, c.updated_at, c.withdrawn_at, ${IS_REFUNDED} as is_refunded,
    (select count(*) from (select value, lag(value) over (order by arrival) as earlier ${REPORTS} and r.value is not null) v
     where value <> earlier) as adjustments
  from conversions c
  left join sessions s on s.account_id = c.account_id and s.number = c.session_number
  left join leads l on l.account_id = c.account_id and l.id = s.lead_id`;

const LISTING = {
  account_id: 'uuid',
  from: 'timestamptz?',
  to: 'timestamptz?',
  event: 'text?',
  currency: 'text?',
  origin: 'text?',
  source: 'text?',
  campaign: 'text?',
} as const;
const PAGED = {
  ...LISTING,
  after_key: 'text?',
  after_id: 'uuid?',
  limit: 'integer',
} as const;
/** Lists only conversions of these sessions or with these ids. */
const AMONG = { sessions: 'bigint[]', ids: 'uuid[]' } as const;

/** A filter that is null matches every conversion. */
const FILTERS = `c.account_id = :account_id and c.withdrawn_at is null and c.created_on >= coalesce(:from, '-infinity'::timestamptz)
  and c.created_on < coalesce(:to, 'infinity'::timestamptz)
  and (:event is null or c.event = :event) and (:currency is null or c.currency = :currency)
  and (:origin is null or c.origin = :origin) and (:source is null or s.source = :source)
  and (:campaign is null or s.campaign = :campaign)`;
const IS_AMONG = `c.id in (
     select id from conversions where account_id = :account_id and session_number = any(:sessions)
     union select unnest(:ids))`;

/** The order of a list, and what follows a position in it. */
const ORDERS = {
  'createdOn:desc': ['c.created_on desc, c.id desc', '(c.created_on, c.id) < (:after_key::timestamptz, :after_id)'],
  'createdOn:asc': ['c.created_on, c.id', '(c.created_on, c.id) > (:after_key::timestamptz, :after_id)'],
  'value:desc': [
    'coalesce(c.value, 0) desc, c.id desc',
    '(coalesce(c.value, 0), c.id) < (:after_key::numeric, :after_id)',
  ],
  'value:asc': ['coalesce(c.value, 0), c.id', '(coalesce(c.value, 0), c.id) > (:after_key::numeric, :after_id)'],
} as const;
type ConversionOrder = keyof typeof ORDERS;

const listIn = (sort: ConversionOrder) => {
  const [order, follows] = ORDERS[sort];
  // Without a position both are null, which planning removes.
  const rest = `(:after_id is null or ${follows}) order by ${order} limit :limit`;
  return {
    all: plannedStatement(PAGED).returns<ConversionListRow>(`${SELECT} where ${FILTERS} and ${rest}`),
    among: plannedStatement({ ...PAGED, ...AMONG }).returns<ConversionListRow>(
      `${SELECT} where ${FILTERS} and ${IS_AMONG} and ${rest}`,
    ),
  };
};
export const LISTS = Object.fromEntries(
  Object.keys(ORDERS).map((sort) => [sort, listIn(sort as ConversionOrder)]),
) as Record<ConversionOrder, ReturnType<typeof listIn>>;

interface TotalRow {
  currency: string | null;
  conversions: number;
  refunds: number;
  value: string | null;
}
const SUM = `select c.currency, count(*) as conversions, count(*) filter (where ${IS_REFUNDED}) as refunds,
    sum(c.value)::text as value
  from conversions c
  left join sessions s on s.account_id = c.account_id and s.number = c.session_number where ${FILTERS}`;
export const sumConversions = plannedStatement(LISTING).returns<TotalRow>(`${SUM} group by c.currency order by 1`);
export const sumConversionsAmong = plannedStatement({ ...LISTING, ...AMONG }).returns<TotalRow>(
  `${SUM} and ${IS_AMONG} group by c.currency order by 1`,
);

export const findByIdOrEventId = statement('conversions.find_by_id_or_event_id', {
  account_id: 'uuid',
  id: 'uuid?',
  event_id: 'text',
}).returns<{ id: string }>(
  `select id from conversions where account_id = :account_id and id = :id
   union select id from conversions where account_id = :account_id and event_id = :event_id`,
);

const ONE = { account_id: 'uuid', id: 'uuid' } as const;

export const getConversion = statement('conversions.get', ONE).returns<ConversionListRow>(
  `${SELECT} where c.account_id = :account_id and c.id = :id`,
);

interface RevisionRow {
  event: string | null;
  value: string | null;
  currency: string | null;
  created_on: Date | null;
  received_at: Date;
  origin: 'report' | 'event' | 'undo';
  identifier: IdentifierMember | null;
  extra: Record<string, unknown> | null;
  import_id: string | null;
  is_withdrawn: boolean;
}

/** The latest ones first. */
export const listRevisions = statement('conversions.list_revisions', { ...ONE, limit: 'integer' }).returns<RevisionRow>(
  `select event, value::text, currency, created_on, received_at, origin, identifier, extra, import_id,
     withdrawn_version is not null as is_withdrawn
   from conversion_revisions
   where account_id = :account_id and conversion_id = :id order by arrival desc limit :limit`,
);

export interface UnmatchedListRow {
  id: string;
  event_id: string | null;
  event: string;
  value: string | null;
  currency: string | null;
  created_on: Date;
  received_at: Date;
  identifier: IdentifierMember;
  extra: Record<string, unknown> | null;
}

const UNMATCHED = { account_id: 'uuid', after: 'uuid?', identifier: 'text?', limit: 'integer' } as const;
const SELECT_UNMATCHED = `select id, event_id, event, value::text, currency, created_on, received_at, identifier, extra
  from unmatched_conversions u
  where account_id = :account_id and id < coalesce(:after, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)
    and (:identifier is null or identifier ? :identifier)`;

/** Newest first; `identifier` is the name of one. */
export const listUnmatched = statement('conversions.list_unmatched', UNMATCHED).returns<UnmatchedListRow>(
  `${SELECT_UNMATCHED} order by id desc limit :limit`,
);

export const searchUnmatched = statement('conversions.search_unmatched', {
  ...UNMATCHED,
  digests: 'uuid[]',
  event_id: 'text',
}).returns<UnmatchedListRow>(
  `${SELECT_UNMATCHED} and id in (
     select id from unmatched_conversions where account_id = :account_id and digest = any(:digests)
     union select id from unmatched_conversions where account_id = :account_id and event_id = :event_id)
   order by id desc limit :limit`,
);

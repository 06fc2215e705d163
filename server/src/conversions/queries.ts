import { isSubscribed } from '../shared/outbox.ts';
import { statement } from '../shared/postgres/database.ts';

const INSERT = `insert into conversions as c (account_id, id, event_id, sent_event, value, currency, sent_created_on,
     received_at, origin, identifier, session_number, extra, identifier_digest, version, updated_at)
   select w.*, $15::timestamptz
   from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::numeric[], $6::text[], $7::timestamptz[],
     $8::timestamptz[], $9::text[], $10::jsonb[], $11::bigint[], $12::jsonb[], $13::uuid[], $14::int[])
     as w (account_id, id, event_id, event, value, currency, created_on, received_at, origin, identifier, session_number,
       extra, digest, reports)
   order by w.account_id, w.event_id collate "C"
   on conflict (account_id, event_id) where event_id is not null`;

export interface WrittenRow {
  account_id: string;
  event_id: string | null;
  id: string;
  /** How many reports it has had by now. */
  version: number;
}

/**
 * Makes conversions, or restates those whose event id is known, which keep their id and the session that was found first.
 * In the order of event ids, so that no two batches wait in a circle. At most one row for each event id.
 */
export const makeOrRestate = statement<WrittenRow>(
  'conversions.make_or_restate',
  `${INSERT} do update set
     sent_event = coalesce(excluded.sent_event, c.sent_event),
     value = coalesce(excluded.value, c.value),
     currency = coalesce(excluded.currency, c.currency),
     sent_created_on = coalesce(excluded.sent_created_on, c.sent_created_on),
     extra = coalesce(excluded.extra, c.extra),
     origin = case when c.origin = 'report' then c.origin else excluded.origin end,
     identifier = case when c.session_number is null then coalesce(excluded.identifier, c.identifier) else c.identifier end,
     identifier_digest = case when c.session_number is null
       then coalesce(excluded.identifier_digest, c.identifier_digest) else c.identifier_digest end,
     session_number = coalesce(c.session_number, excluded.session_number),
     version = c.version + excluded.version,
     updated_at = excluded.updated_at
   returning account_id, event_id, id, version`,
);

/**
 * Makes conversions, with their revision, but leaves one whose event id is known as it is: its row does not come back.
 * Arrival 0 puts it before every report of the same conversion, whenever that one finds its session.
 */
export const makeUnlessKnown = statement<WrittenRow>(
  'conversions.make_unless_known',
  `with made as (
     ${INSERT} do nothing
     returning *),
   kept as (
     insert into conversion_revisions (account_id, conversion_id, arrival, event, value, currency, created_on, extra,
       identifier, origin, received_at)
     select account_id, id, 0, sent_event, value, currency, sent_created_on, extra, identifier, origin, received_at from made),
   pushed as (
     insert into outbox (account_id, topic, resources, sequences, at)
     select account_id, 'conversion.reported', array_agg(id), array_agg(version), max(updated_at)
     from made where ${isSubscribed('made.account_id', "'conversion.reported'")} group by account_id)
   select account_id, event_id, id, version from made`,
);

/**
 * Keeps every report as it came, in order: as a revision of the conversion `$2`, or, where it has a digest to wait for, as
 * the unmatched report `$2`. Runs after the conversions' rows were locked, for only then may numbers of arrival be taken.
 * `$14`: which version of its conversion each brought about, `$15`: what that is to those who are told of it, `$16`: now.
 */
export const keepReports = statement(
  'conversions.keep_reports',
  `with arrived as materialized (
     select w.*, coalesce(w.given_arrival, nextval('conversion_arrival_seq')) as arrival
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::numeric[], $6::text[], $7::timestamptz[],
       $8::timestamptz[], $9::text[], $10::jsonb[], $11::jsonb[], $12::uuid[], $13::bigint[], $14::int[], $15::text[])
       as w (account_id, id, event_id, event, value, currency, created_on, received_at, origin, identifier, extra, digest,
         given_arrival, version, topic)),
   waiting as (
     insert into unmatched_conversions (account_id, id, digest, identifier, event_id, sent_event, value, currency,
       sent_created_on, received_at, extra, arrival)
     select account_id, id, digest, identifier, event_id, event, value, currency, created_on, received_at, extra, arrival
     from arrived where digest is not null),
   pushed as (
     insert into outbox (account_id, topic, resources, sequences, at)
     select account_id, topic, array_agg(id order by arrival), array_agg(version order by arrival), $16::timestamptz
     from arrived where digest is null and ${isSubscribed('arrived.account_id', 'arrived.topic')}
     group by account_id, topic)
   insert into conversion_revisions (account_id, conversion_id, arrival, event, value, currency, created_on, extra,
     identifier, origin, received_at, version)
   select account_id, id, arrival, event, value, currency, created_on, extra, identifier, origin, received_at, version
   from arrived where digest is null`,
);

const latest = (member: string) =>
  `(select r.${member} from conversion_revisions r
     where r.account_id = c.account_id and r.conversion_id = c.id and r.${member} is not null
     order by r.arrival desc limit 1)`;

/** Makes conversions again from their revisions, after one was added that is not the latest. Their rows are locked. */
export const foldRevisions = statement(
  'conversions.fold_revisions',
  `update conversions c set
     sent_event = ${latest('event')},
     value = ${latest('value')},
     currency = ${latest('currency')},
     sent_created_on = ${latest('created_on')},
     extra = ${latest('extra')}
   from unnest($1::uuid[], $2::uuid[]) as w (account_id, id)
   where c.account_id = w.account_id and c.id = w.id`,
);

export interface WaitingRow {
  account_id: string;
  id: string;
  identifier: Record<string, string | number>;
}

/** Which of the accounts have any report waiting: asked first, for mostly there is none. `order by` makes it the index's. */
export const findWaitingAccounts = statement<{ account_id: string }>(
  'conversions.find_waiting_accounts',
  `select w.account_id from unnest($1::uuid[]) as w (account_id)
   join lateral (select from unmatched_conversions u where u.account_id = w.account_id order by u.id limit 1) u on true`,
);

/** The reports that wait for these digests. `offset 0` keeps the planner to one probe of the index for each. */
export const findWaitingFor = statement<WaitingRow>(
  'conversions.find_waiting_for',
  `select u.account_id, u.id, u.identifier
   from unnest($1::uuid[], $2::uuid[]) as w (account_id, digest)
   join lateral (
     select * from unmatched_conversions u where u.account_id = w.account_id and u.digest = w.digest offset 0) u on true`,
);

/**
 * Which of the event ids are those of conversions that once matched by the identifier of this digest: it still is theirs
 * when its session is gone.
 */
export const findOwnIdentifiers = statement<{ event_id: string; digest: string }>(
  'conversions.find_own_identifiers',
  `select w.event_id, w.digest from unnest($2::text[], $3::uuid[]) as w (event_id, digest)
   join lateral (
     select from conversions c
     where c.account_id = $1 and c.event_id = w.event_id and c.identifier_digest = w.digest and c.session_number is not null
     limit 1) c on true`,
);

/** The conversions of these event ids. $1 account */
export const findByEventIds = statement<{ event_id: string; id: string; session_number: number | null }>(
  'conversions.find_by_event_ids',
  `select c.event_id, c.id, c.session_number from unnest($2::text[]) as w (event_id)
   join lateral (
     select * from conversions c where c.account_id = $1 and c.event_id = w.event_id limit 1) c on true`,
);

/** A page of all that waits, behind the report `$1`, `$2`. */
export const listWaiting = statement<WaitingRow>(
  'conversions.list_waiting',
  `select account_id, id, identifier from unmatched_conversions
   where (account_id, id) > ($1::uuid, $2::uuid) and identifier <> '{}' order by account_id, id limit $3`,
);

export interface TakenRow {
  account_id: string;
  id: string;
  event_id: string | null;
  sent_event: string | null;
  value: string | null;
  currency: string | null;
  sent_created_on: Date | null;
  received_at: Date;
  /** JSON. */
  identifier: string;
  /** JSON. */
  extra: string | null;
  arrival: number;
}

/** Takes reports that came since `$3` out of the waiting ones, but for those that another process takes at this moment. */
export const takeWaiting = statement<TakenRow>(
  'conversions.take_waiting',
  `with taken as materialized (
     select u.account_id, u.id
     from unnest($1::uuid[], $2::uuid[]) as w (account_id, id)
     join unmatched_conversions u on u.account_id = w.account_id and u.id = w.id and u.received_at >= $3
     for update of u skip locked)
   delete from unmatched_conversions u using taken
   where u.account_id = taken.account_id and u.id = taken.id
   returning u.account_id, u.id, u.event_id, u.sent_event, u.value, u.currency, u.sent_created_on, u.received_at,
     u.identifier::text, u.extra::text, u.arrival`,
);

/** Forgets reports that waited since before `$1`, some at a time. */
export const forgetWaiting = statement<{ id: string }>(
  'conversions.forget_waiting',
  `delete from unmatched_conversions where (account_id, id) in (
     select account_id, id from unmatched_conversions where received_at < $1 order by received_at limit $2
     for update skip locked)
   returning id`,
);

/** The id some rows further on, of one account and up to an end; null where there are fewer. $1 account, after, end, $4 rows */
export const findPageEnd = statement<{ id: string }>(
  'conversions.find_page_end',
  `select id from conversions where account_id = $1 and id > $2 and id < $3 order by id offset $4 limit 1`,
);

/** Removes identifiers and `extra` of the conversions of sessions, and of their reports. $1 account, after, up to, $4 sessions */
export const eraseConversions = statement(
  'conversions.erase',
  `with found as materialized (
     select id from conversions where account_id = $1 and id > $2 and id <= $3 and session_number = any($4::bigint[])),
   erased as (
     update conversions set identifier = null, identifier_digest = null, extra = null
     where account_id = $1 and id in (select id from found))
   update conversion_revisions set identifier = null, extra = null
   where account_id = $1 and conversion_id in (select id from found)`,
);

/** Removes what names a person from waiting reports; they match nothing any more. $1 account, digests */
export const eraseWaiting = statement(
  'conversions.erase_waiting',
  `update unmatched_conversions set identifier = '{}', digest = gen_random_uuid(), extra = null
   where account_id = $1 and digest = any($2::uuid[])`,
);

/** Removes the identifiers of old conversions and of the old reports of them. $1 account, after, up to, $4 before */
export const forgetIdentifiers = statement(
  'conversions.forget_identifiers',
  `with conversion as (
     update conversions set identifier = null
     where account_id = $1 and id > $2 and id <= $3 and received_at < $4 and identifier is not null)
   update conversion_revisions set identifier = null
   where account_id = $1 and conversion_id > $2 and conversion_id <= $3 and received_at < $4 and identifier is not null`,
);

/** $1 account, before which id, $3 at most */
export const forgetWaitingOf = statement<{ id: string }>(
  'conversions.forget_waiting_of',
  `delete from unmatched_conversions where account_id = $1 and id in (
     select id from unmatched_conversions where account_id = $1 and id < $2 order by id limit $3 for update skip locked)
   returning id`,
);

export interface DescribedConversionRow {
  id: string;
  version: number;
  event_id: string | null;
  event: string | null;
  value: string | null;
  currency: string | null;
  created_on: Date | null;
  received_at: Date;
  origin: 'report' | 'event';
  identifier: object | null;
  extra: object | null;
  session_number: number | null;
}

/** What a member was at the version that is asked for: the latest of the revisions there were then. */
const atVersion = (member: string, now = `sent_${member}`) =>
  `case when c.version = w.version then c.${now} else
     (select r.${member} from conversion_revisions r
      where r.account_id = c.account_id and r.conversion_id = c.id and r.version <= w.version and r.${member} is not null
      order by r.arrival desc limit 1) end as ${member}`;

/** Conversions as they were at a version of them. $1 accounts, ids, versions */
export const describeConversionRows = statement<DescribedConversionRow>(
  'conversions.describe',
  `select c.id, w.version, c.event_id, ${atVersion('event')}, ${atVersion('value', 'value')},
     ${atVersion('currency', 'currency')}, ${atVersion('created_on')}, ${atVersion('extra', 'extra')}, c.received_at,
     c.origin, c.identifier, c.session_number
   from unnest($1::uuid[], $2::uuid[], $3::int[]) as w (account_id, id, version)
   join lateral (select * from conversions c where c.account_id = w.account_id and c.id = w.id limit 1) c on true`,
);

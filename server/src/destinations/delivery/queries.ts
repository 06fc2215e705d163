import type { ClickIdName } from '../../shared/click-ids.ts';
import { type RowOf, rows, statement } from '../../shared/postgres/statement.ts';
import type { DeliveryStatus } from '../contract.ts';
import type { Sent } from '../history/queries.ts';
import type { DestinationRow } from '../manage/queries.ts';
import type { Intent } from './intent.ts';

/**
 * Queues changes of conversions for every destination of their accounts. Changes of a conversion that is queued already
 * only raise its version. In the order of the primary key, so that two processes cannot deadlock.
 */
export const enqueueChanges = statement('destinations.enqueue', {
  changes: rows({ account_id: 'uuid', conversion_id: 'uuid', version: 'integer', at: 'timestamptz' }),
  now: 'timestamptz',
}).runs(
  `with changed as materialized (
   select w.account_id, d.id, w.conversion_id, w.version, not w.is_known as is_first,
     case when w.is_known then :now else greatest(:now, w.at + make_interval(secs => d.send_after)) end as due_at
   from (
     select w.account_id, d.id, w.conversion_id, max(w.version) as version, max(w.at) as at, d.send_after, exists (
       select from destination_deliveries e
       where e.account_id = w.account_id and e.destination_id = d.id and e.conversion_id = w.conversion_id) as is_known
     from :changes as w
     join destinations d on d.account_id = w.account_id and d.mode <> 'off' and d.platform <> 'cdn'
     group by w.account_id, d.id, w.conversion_id, d.send_after) w
   join destinations d on d.account_id = w.account_id and d.id = w.id
   order by w.account_id, d.id, w.conversion_id)
   insert into destination_queue as q (account_id, destination_id, conversion_id, version, is_first, queued_at, due_at)
   select account_id, id, conversion_id, version, is_first, :now, due_at from changed
   on conflict (account_id, destination_id, conversion_id) do update
     set version = greatest(q.version, excluded.version)`,
);

const SETTINGS = `d.account_id, d.id, d.platform, d.name, d.credentials, d.connection, d.mapping, d.filter, d.consent, d.mode,
  d.start_at, d.send_after, d.value_sent, d.paused_at, d.pause_reason, d.refusal_code, d.refused_since, d.accepts_refusals,
  d.trusts_public_values, d.failing_since, d.notified_at, d.error, d.last_sent_at, d.blocked_until,
  d.version, d.created_at, d.updated_at`;

/**
 * The next destinations that have something to send, with their settings. Each is found with one index probe, so that a long
 * queue does not slow down the others.
 */
export const findDueDestinations = statement('destinations.find_due', {
  after_account: 'uuid',
  after_destination: 'uuid',
  heads: 'integer',
  now: 'timestamptz',
}).returns<DestinationRow & { is_due: boolean }>(
  `with recursive waiting as (
     (select account_id, destination_id from destination_queue
      where (account_id, destination_id) > (:after_account, :after_destination)
      order by account_id, destination_id limit 1)
     union all
     select next.account_id, next.destination_id
     from waiting
     cross join lateral (
       select account_id, destination_id from destination_queue q
       where (q.account_id, q.destination_id) > (waiting.account_id, waiting.destination_id)
       order by q.account_id, q.destination_id limit 1) next),
   heads as materialized (select account_id, destination_id from waiting limit :heads)
   select ${SETTINGS}, d.mode <> 'off' and (d.paused_at is null or d.pause_reason = 'access') and coalesce(d.blocked_until <= :now, true) and exists (
       select from destination_queue q
       where q.account_id = heads.account_id and q.destination_id = heads.destination_id and q.due_at <= :now) as is_due
   from heads
   join lateral (
     select * from destinations d where d.account_id = heads.account_id and d.id = heads.destination_id limit 1) d on true
   order by heads.account_id, heads.destination_id`,
);

/**
 * Destinations that should send what has been due since before a time: by the oldest; or by the oldest request whose result the
 * platform has not given for a day.
 */
export const findOverdue = statement('destinations.find_overdue', {
  before: 'timestamptz',
  asked_before: 'timestamptz',
  limit: 'integer',
}).returns<{ account_id: string; subject: string; since: Date }>(
  `select d.account_id, d.name as subject, q.since
   from destinations d
   cross join lateral (
     select least(
       (select min(q.due_at) from destination_queue q
        where q.account_id = d.account_id and q.destination_id = d.id and q.due_at < :before),
       (select min(q.queued_at) from destination_queue q
        where q.account_id = d.account_id and q.destination_id = d.id and q.intent ->> 'requestId' is not null
          and q.queued_at < :asked_before)) as since) q
   where d.mode <> 'off' and q.since is not null
   order by q.since limit :limit`,
);

/** A queued conversion with everything that is decided by. */
export interface QueuedRow {
  conversion_id: string;
  queued_version: number;
  /** Null in a dry run. */
  due_at: Date | null;
  is_replay: boolean;
  tries: number;
  intent: Intent | null;
  batch_group: string | null;
  /** Of the delivery, if there is one. */
  status: DeliveryStatus | null;
  sent: Sent | null;
  decided_version: number | null;
  /** Null if the conversion was deleted; so are the members that follow. */
  version: number | null;
  event: string;
  event_id: string | null;
  value: string | null;
  currency: string | null;
  created_on: Date;
  received_at: Date;
  click_ids: Partial<Record<ClickIdName, string>> | null;
  landing_url: string | null;
  country: string | null;
  source: string | null;
  started_at: Date | null;
  is_erased: boolean | null;
  /** Whether all imports that reported it were undone. */
  is_withdrawn: boolean;
  /** False if its value is from an event that anyone could record with the publishable key. */
  is_trusted: boolean | null;
  email: string | null;
  ad_storage: 'granted' | 'denied' | null;
  ad_user_data: 'granted' | 'denied' | null;
  ad_personalization: 'granted' | 'denied' | null;
  client: Buffer | null;
}

const DESTINATION = { account_id: 'uuid', destination_id: 'uuid' } as const;

const CONVERSION = `c.version, c.event, c.event_id, c.value::text, c.currency, c.created_on, c.received_at,
  c.withdrawn_at is not null as is_withdrawn, c.is_trusted, s.click_ids, s.landing_url, s.country, s.source, s.started_at,
  s.visitor_id like 'erased:%' as is_erased, l.email, g.ad_storage, g.ad_user_data, g.ad_personalization,
  case when :with_client then g.client end as client`;

/** Each by its primary key. Nothing is read of a conversion whose request the platform still processes. */
const JOINS = `
   left join lateral (
     select * from conversions c
     where c.account_id = q.account_id and c.id = q.conversion_id and q.intent ->> 'requestId' is null limit 1) c on true
   left join lateral (
     select * from sessions s where s.account_id = q.account_id and s.number = c.session_number limit 1) s on true
   left join lateral (
     select email from leads l where l.account_id = q.account_id and l.id = s.lead_id limit 1) l on true
   left join lateral (
     select * from session_signals g where g.account_id = q.account_id and g.session_number = c.session_number limit 1
   ) g on true
   left join lateral (
     select * from destination_deliveries d
     where d.account_id = q.account_id and d.destination_id = q.destination_id and d.conversion_id = q.conversion_id
     limit 1) d on true`;

/** What is due at a destination, the longest first. `with_client`: whether the platform takes IP addresses and user agents. */
export const findDue = statement('destinations.find_due_conversions', {
  ...DESTINATION,
  now: 'timestamptz',
  limit: 'integer',
  with_client: 'boolean',
}).returns<QueuedRow>(
  `select q.conversion_id, q.version as queued_version, q.due_at, q.is_replay, q.tries, q.intent, q.batch_group, d.status, d.sent,
     d.version as decided_version, ${CONVERSION}
   from (
     select * from destination_queue q
     where q.account_id = :account_id and q.destination_id = :destination_id and q.due_at <= :now
     order by q.due_at limit :limit) q ${JOINS}
   order by q.due_at, q.conversion_id`,
);

/** A conversion as if it was queued, for a dry run. */
export const findConversion = statement('destinations.find_conversion', {
  ...DESTINATION,
  conversion_id: 'uuid',
  with_client: 'boolean',
}).returns<QueuedRow>(
  `select q.conversion_id, c.version as queued_version, null::timestamptz as due_at, true as is_replay, 0 as tries, q.intent,
     null::uuid as batch_group, d.status, d.sent,
     d.version as decided_version, ${CONVERSION}
   from (
     select :account_id as account_id, :destination_id as destination_id, :conversion_id as conversion_id,
       null::jsonb as intent) q ${JOINS}
   where c.id is not null`,
);

/**
 * What the destination has, or is about to get, of other conversions with the same click: of the same session, and of the
 * visitor's other sessions with that click.
 */
export const findSiblings = statement('destinations.find_siblings', {
  ...DESTINATION,
  click_id: 'text',
  conversions: 'uuid[]',
}).returns<{ conversion_id: string; target: string; at: number }>(
  `select w.id as conversion_id, coalesce(q.intent ->> 'target', d.sent ->> 'target') as target,
     coalesce((q.intent ->> 'occurredAt')::float8,
       extract(epoch from (d.sent ->> 'occurredAt')::timestamptz) * 1000)::float8 as at
   from unnest(:conversions) as w (id)
   join lateral (
     select session_number from conversions c where c.account_id = :account_id and c.id = w.id limit 1) c on true
   join lateral (
     select visitor_id, click_ids from sessions s
     where s.account_id = :account_id and s.number = c.session_number limit 1) s on true
   join lateral (
     select number from sessions t
     where t.account_id = :account_id and t.visitor_id = s.visitor_id
       and t.click_ids ->> :click_id = s.click_ids ->> :click_id offset 0) t on true
   join lateral (
     select id from conversions o
     where o.account_id = :account_id and o.session_number = t.number and o.id <> w.id offset 0) o on true
   left join lateral (
     select sent from destination_deliveries d
     where d.account_id = :account_id and d.destination_id = :destination_id and d.conversion_id = o.id limit 1) d on true
   left join lateral (
     select intent from destination_queue q
     where q.account_id = :account_id and q.destination_id = :destination_id and q.conversion_id = o.id limit 1) q on true
   where d.sent is not null or q.intent is not null`,
);

/** The queued row of `w`, by the primary key and in its order, so that two processes cannot deadlock. */
const lockedRow = (columns: string) => `(select * from w order by conversion_id) w
     cross join lateral (
       select ${columns} from destination_queue q
       where q.account_id = :account_id and q.destination_id = :destination_id and q.conversion_id = w.conversion_id
       limit 1 for update) q`;

/**
 * Updates rows that the statement has locked. As an upsert, because it always finds them by the primary key: the planner
 * knows little of a queue, and joins it row by row with all of `locked`, which took 0.4 s for 250 of 2,000 rows.
 */
const updateLocked = (values: string, set: string) =>
  `insert into destination_queue as q (account_id, destination_id, conversion_id, version, is_first, is_replay, queued_at,
       due_at, tries, intent, batch_group)
     select :account_id, :destination_id, conversion_id, ${values} from locked order by conversion_id
     on conflict (account_id, destination_id, conversion_id) do update set ${set}`;

/** Starts a turn, which ends the earlier ones: they store no more requests. */
export const beginTurn = statement('destinations.begin_turn', { ...DESTINATION, turn: 'uuid' }).runs(
  `insert into destination_turns as t (account_id, destination_id, turn)
   select account_id, id, :turn from destinations where account_id = :account_id and id = :destination_id
   on conflict (account_id, destination_id) do update set turn = excluded.turn`,
);

/** Takes over what earlier turns may have sent without recording its outcome. After `beginTurn`, in a statement of its own. */
export const adoptRequests = statement('destinations.adopt_requests', DESTINATION).runs(
  `with adopted as (
     delete from destination_requests where account_id = :account_id and destination_id = :destination_id returning intents),
   w as materialized (
     select distinct on (i.key) i.key::uuid as conversion_id, i.value::jsonb as intent
     from adopted cross join lateral json_each(adopted.intents::json) i),
   locked as materialized (
     select q.*, w.intent as adopted from ${lockedRow('q.*')} where q.intent is null)
   ${updateLocked('version, is_first, is_replay, queued_at, due_at, tries, adopted, batch_group', 'intent = excluded.intent')}`,
);

/** Stores what is about to be sent: JSON of an intent for each conversion. Returns no row once a later turn has begun. */
export const storeRequest = statement('destinations.store_request', {
  ...DESTINATION,
  turn: 'uuid',
  request_id: 'uuid',
  intents: 'text',
}).returns<{ id: string }>(
  `insert into destination_requests (account_id, destination_id, id, intents)
   select :account_id, :destination_id, :request_id, :intents from destination_turns
   where account_id = :account_id and destination_id = :destination_id and turn = :turn for share
   returning id`,
);

const OUTCOMES = rows({
  conversion_id: 'uuid',
  /** As they were read from the queue. A change of either meanwhile keeps the conversion there. */
  queued_version: 'integer',
  queued_due_at: 'timestamptz?',
  /** Null: the conversion stays queued, or nothing changed. */
  status: 'text?',
  reason: 'text?',
  version: 'integer',
  sent: 'jsonb?',
  /** An attempt, as JSON. Null: the first one was accepted, so that `sent` has all of it. */
  attempt: 'jsonb?',
  response: 'text?',
  /** When it is tried again; null: it was decided. */
  due_at: 'timestamptz?',
  tries: 'integer',
  intent: 'jsonb?',
  batch_group: 'uuid?',
});
export type OutcomeRow = RowOf<typeof OUTCOMES>;

const KEPT_ATTEMPTS = 20;

/** The attempts of a delivery: of one whose first attempt was accepted, they are not stored apart from `sent`. */
const ATTEMPTS = `case when d.attempts = '[]' and d.sent is not null then '[]' || ${firstAttempt()} else d.attempts end`;

/** Without `jsonb_build_object`, which Citus refuses here. */
function firstAttempt(): string {
  const members = { at: 'sentAt', version: 'version', value: 'value', currency: 'currency' };
  return Object.entries(members).reduce(
    (json, [name, sent]) => `jsonb_set(${json}, '{${name}}', coalesce(d.sent -> '${sent}', 'null'))`,
    `'{"action": "send", "status": "sent", "reason": null}'::jsonb`,
  );
}

/**
 * Records what became of conversions, and that their request was answered. Those that were decided leave the queue, unless
 * they changed meanwhile; the others stay in it with their next time. A row is deleted without locking it first, which
 * takes a tenth of the time. "Is true" keeps the planner from joining the queue with `w` row by row.
 */
export const recordOutcomes = statement('destinations.record_outcomes', {
  ...DESTINATION,
  outcomes: OUTCOMES,
  request_id: 'uuid?',
  now: 'timestamptz',
}).runs(
  `with given as materialized (select * from :outcomes as w),
   removed as (
     delete from destination_queue q
     where q.account_id = :account_id and q.destination_id = :destination_id and q.conversion_id = any(array(
       select conversion_id from given where due_at is null and queued_version <= version))
       and ((q.conversion_id, q.version, q.due_at) in (select conversion_id, queued_version, queued_due_at from given)) is true
     returning q.conversion_id),
   w as materialized (select * from given where conversion_id not in (select conversion_id from removed)),
   locked as materialized (
     select q.conversion_id, q.version as queued_version, q.is_first, q.is_replay, q.queued_at, w.status, w.due_at, w.tries,
       w.intent, w.batch_group, q.due_at <> w.queued_due_at as is_requeued
     from ${lockedRow('q.*')}),
   kept as (
     ${updateLocked(
       `queued_version, is_first and status is null, is_replay and (due_at is not null or is_requeued), queued_at, coalesce(due_at, :now),
       case when due_at is null then 0 else tries end, intent, batch_group`,
       `due_at = excluded.due_at, intent = excluded.intent, tries = excluded.tries, is_first = excluded.is_first,
       is_replay = excluded.is_replay, batch_group = excluded.batch_group`,
     )}),
   answered as (
     delete from destination_requests
     where account_id = :account_id and destination_id = :destination_id and id = :request_id)
   insert into destination_deliveries as d (account_id, destination_id, conversion_id, status, reason, version, sent,
     attempts, response, created_at, updated_at)
   select :account_id, :destination_id, conversion_id, status, reason, version, sent,
     case when attempt is null then '[]' else jsonb_build_array(attempt) end, response, :now, :now
   from given where status is not null order by conversion_id
   on conflict (account_id, destination_id, conversion_id) do update set
     status = excluded.status, reason = excluded.reason, version = excluded.version,
     sent = coalesce(excluded.sent, d.sent), response = excluded.response, updated_at = excluded.updated_at,
     attempts = case when jsonb_array_length(d.attempts) < ${KEPT_ATTEMPTS} then ${ATTEMPTS} else d.attempts - 0 end
       || excluded.attempts`,
);

const HEALTH = {
  ...DESTINATION,
  now: 'timestamptz',
} as const;

/** Ends a failure, and a pause for one; otherwise `last_sent_at` is written once a minute. */
export const recordSuccess = statement('destinations.record_success', HEALTH).runs(
  `update destinations set last_sent_at = :now, failing_since = null, notified_at = null, error = null, blocked_until = null,
     paused_at = null, pause_reason = null, refusal_code = null, refused_since = null, accepts_refusals = false
   where account_id = :account_id and id = :destination_id and (paused_at is null or pause_reason = 'access')
     and (failing_since is not null or blocked_until is not null or accepts_refusals
       or coalesce(:now - last_sent_at > interval '1 minute', true))`,
);

/**
 * Records a failed request. Returns whether the account has to be notified: the destination was paused, or every request has
 * failed for a while.
 */
export const recordFailure = statement('destinations.record_failure', {
  ...HEALTH,
  error: 'text',
  blocked_until: 'timestamptz',
  is_failure: 'boolean',
  /** Set to pause it. */
  pause_reason: 'text?',
  refusal_code: 'text?',
  refused_since: 'timestamptz?',
  notify_after: 'interval',
}).returns<{ id: string; version: number; is_new: boolean }>(
  `with before as materialized (
     select notified_at, :pause_reason is not null or (:is_failure and coalesce(failing_since, :now) <= :now - :notify_after) as notifies
     from destinations where account_id = :account_id and id = :destination_id for update)
   update destinations d set
     error = case when :is_failure then :error else d.error end,
     blocked_until = :blocked_until,
     failing_since = case when :is_failure then coalesce(d.failing_since, :now) else d.failing_since end,
     paused_at = case when :pause_reason is not null then coalesce(d.paused_at, :now) else d.paused_at end,
     pause_reason = coalesce(:pause_reason, d.pause_reason),
     refusal_code = coalesce(:refusal_code, d.refusal_code),
     refused_since = coalesce(:refused_since, d.refused_since),
     notified_at = case when before.notifies then coalesce(d.notified_at, :now) else d.notified_at end,
     version = d.version + case when before.notifies and before.notified_at is null then 1 else 0 end
   from before
   where d.account_id = :account_id and d.id = :destination_id
   returning d.id, d.version, before.notifies and before.notified_at is null as is_new`,
);

/** Queues again what was refused in the row of refusals that paused a destination. */
export const requeueRefused = statement('destinations.requeue_refused', {
  ...HEALTH,
  since: 'timestamptz',
}).runs(
  `insert into destination_queue (account_id, destination_id, conversion_id, version, is_first, is_replay, queued_at, due_at)
   select account_id, destination_id, conversion_id, version, false, true, :now, :now from destination_deliveries
   where account_id = :account_id and destination_id = :destination_id and status = 'rejected' and updated_at >= :since
   order by conversion_id
   on conflict (account_id, destination_id, conversion_id) do update
     set due_at = excluded.due_at, tries = 0, is_replay = true`,
);

/** Queues again what had no rule, or none that sufficed, before a mapping was changed. */
export const requeueUnmapped = statement('destinations.requeue_unmapped', {
  ...HEALTH,
  // Conversions that the platform accepts no more stay.
  since: 'timestamptz',
}).runs(
  `insert into destination_queue (account_id, destination_id, conversion_id, version, is_first, is_replay, queued_at, due_at)
   select account_id, destination_id, conversion_id, version, false, true, :now, :now from destination_deliveries
   where account_id = :account_id and destination_id = :destination_id and status = 'skipped'
     and reason in ('event_not_mapped', 'currency_missing', 'value_missing') and updated_at >= :since
   order by conversion_id
   on conflict (account_id, destination_id, conversion_id) do update
     set due_at = excluded.due_at, tries = 0, is_replay = true`,
);

/**
 * Queues again what was skipped because of what a session lacked, once it has it. A conversion that is due may have been read before:
 * another due time says that it is decided once more.
 */
export const requeueIdentified = statement('destinations.requeue_identified', {
  sessions: rows({ account_id: 'uuid', number: 'bigint' }),
  now: 'timestamptz',
}).runs(
  `with found as materialized (
     select distinct w.account_id, d.id as destination_id, c.id as conversion_id, c.version
     from :sessions as w
     join lateral (
       select id, version from conversions c
       where c.account_id = w.account_id and c.session_number = w.number offset 0) c on true
     join destinations d on d.account_id = w.account_id and d.mode <> 'off' and d.platform <> 'cdn'
     left join lateral (
       select status, reason from destination_deliveries e
       where e.account_id = w.account_id and e.destination_id = d.id and e.conversion_id = c.id limit 1) e on true
     left join lateral (
       select intent, due_at from destination_queue q
       where q.account_id = w.account_id and q.destination_id = d.id and q.conversion_id = c.id limit 1) q on true
     where e.status = 'skipped' and e.reason in ('no_identifier', 'source_filtered') or q.intent is null and q.due_at <= :now
     order by w.account_id, d.id, c.id)
   insert into destination_queue as q (account_id, destination_id, conversion_id, version, is_first, is_replay, queued_at, due_at)
   select account_id, destination_id, conversion_id, version, false, true, :now, :now from found
   on conflict (account_id, destination_id, conversion_id) do update
     set due_at = least(q.due_at + interval '1 millisecond', :now + interval '1 millisecond'), is_replay = true
     where q.intent is null`,
);

/** Deletes a page of what is queued and recorded for a destination. */
export const deleteDestinationData = statement('destinations.delete_data', {
  ...DESTINATION,
  limit: 'integer',
}).returns<{
  deleted: number;
}>(
  `with queue as (
     delete from destination_queue where account_id = :account_id and destination_id = :destination_id
       and conversion_id in (
         select conversion_id from destination_queue
         where account_id = :account_id and destination_id = :destination_id limit :limit)
     returning 1),
   deliveries as (
     delete from destination_deliveries where account_id = :account_id and destination_id = :destination_id
       and conversion_id in (
         select conversion_id from destination_deliveries
         where account_id = :account_id and destination_id = :destination_id limit :limit)
     returning 1),
   turns as (delete from destination_turns where account_id = :account_id and destination_id = :destination_id),
   requests as (delete from destination_requests where account_id = :account_id and destination_id = :destination_id)
   select (select count(*) from queue) + (select count(*) from deliveries) as deleted`,
);

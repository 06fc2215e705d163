import { statement } from '../shared/postgres/database.ts';
import type { DeliveryStatus } from './contract.ts';

export interface EndpointRow {
  account_id: string;
  id: string;
  url: string;
  description: string | null;
  events: string[] | null;
  status: 'active' | 'disabled';
  disabled_reason: 'requested' | 'gone' | 'failing' | null;
  secret: Buffer;
  previous_secret: Buffer | null;
  previous_secret_until: Date | null;
  failing_since: Date | null;
  created_at: Date;
  updated_at: Date;
}

const ENDPOINT = `account_id, id, url, description, events, status, disabled_reason, secret, previous_secret,
  previous_secret_until, failing_since, created_at, updated_at`;

/** $1 account, $2 how many it may have. No row: it has as many. */
export const insertEndpoint = statement<EndpointRow>(
  'webhooks.insert_endpoint',
  `insert into webhook_endpoints (account_id, id, url, description, events, status, secret, created_at, updated_at)
   select $1, $3, $4, $5, $6::text[], 'active', $7, $8, $8
   where (select count(*) from webhook_endpoints where account_id = $1) < $2
   returning ${ENDPOINT}`,
);

export const findEndpoint = statement<EndpointRow>(
  'webhooks.find_endpoint',
  `select ${ENDPOINT} from webhook_endpoints where account_id = $1 and id = $2`,
);

export const lockEndpoint = statement<EndpointRow>(
  'webhooks.lock_endpoint',
  `select ${ENDPOINT} from webhook_endpoints where account_id = $1 and id = $2 for update`,
);

/** $1 account, $2 after which id, $3 at most */
export const listEndpoints = statement<EndpointRow>(
  'webhooks.list_endpoints',
  `select ${ENDPOINT} from webhook_endpoints where account_id = $1 and id > $2 order by id limit $3`,
);

/** $1 account, id, url, description, events, status, disabled_reason, failing_since, $9 now */
export const updateEndpoint = statement<EndpointRow>(
  'webhooks.update_endpoint',
  `update webhook_endpoints set url = $3, description = $4, events = $5::text[], status = $6, disabled_reason = $7,
     failing_since = $8, updated_at = greatest(updated_at, $9)
   where account_id = $1 and id = $2 returning ${ENDPOINT}`,
);

/** $1 account, id, $3 new secret, $4 until when the one before it signs, $5 now */
export const replaceSecret = statement<EndpointRow>(
  'webhooks.replace_secret',
  `update webhook_endpoints set previous_secret = secret, previous_secret_until = $4, secret = $3,
     updated_at = greatest(updated_at, $5)
   where account_id = $1 and id = $2 returning ${ENDPOINT}`,
);

export const deleteEndpoint = statement<EndpointRow>(
  'webhooks.delete_endpoint',
  `delete from webhook_endpoints where account_id = $1 and id = $2 returning ${ENDPOINT}`,
);

/** The endpoints of accounts that take deliveries. */
export const findActiveEndpoints = statement<EndpointRow>(
  'webhooks.find_active_endpoints',
  `select ${ENDPOINT} from webhook_endpoints where account_id = any($1::uuid[]) and status = 'active'`,
);

/** Of a message: whether its payload was erased. */
const IS_ERASED = "(body::json -> 'data')::jsonb ? 'erased'";

/**
 * Holds erasing off until the transaction ends, so that nothing which was read before a person was erased is written after.
 */
export const holdOffErasing = statement(
  'webhooks.hold_off_erasing',
  "select pg_advisory_xact_lock_shared(hashtext('webhooks.erasing'))",
);

/** Waits for those that hold it off. */
export const waitForWriters = statement(
  'webhooks.wait_for_writers',
  "select pg_advisory_xact_lock(hashtext('webhooks.erasing'))",
);

/**
 * Writes messages ($1 to $6) and their deliveries ($7 on), each queued: at once the writing process's own where `$12` says
 * so, for `$13` seconds.
 */
export const insertDeliveries = statement(
  'webhooks.insert_deliveries',
  `with message as (
     insert into webhook_messages (account_id, id, type, body, session_number, lead_id)
     select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::bigint[], $6::uuid[])),
   delivery as (
     insert into webhook_deliveries (account_id, endpoint_id, message_id, type, status)
     select account_id, endpoint_id, message_id, type, 'pending'
     from unnest($7::uuid[], $8::uuid[], $9::uuid[], $10::text[]) as w (account_id, endpoint_id, message_id, type))
   insert into webhook_queue (account_id, endpoint_id, message_id, due_at, leased_until, attempts, tries)
   select account_id, endpoint_id, message_id, $11, case when own then now() + make_interval(secs => $13) end, 0, 0
   from unnest($7::uuid[], $8::uuid[], $9::uuid[], $12::boolean[]) as w (account_id, endpoint_id, message_id, own)`,
);

/** The next endpoints that have anything queued, by one step through the index each. $1 account, $2 endpoint to go on after */
const HEADS = `waiting as (
     (select account_id, endpoint_id from webhook_queue
      where (account_id, endpoint_id) > ($1::uuid, $2::uuid) order by account_id, endpoint_id limit 1)
     union all
     select next.account_id, next.endpoint_id
     from waiting
     cross join lateral (
       select account_id, endpoint_id from webhook_queue q
       where (q.account_id, q.endpoint_id) > (waiting.account_id, waiting.endpoint_id)
       order by q.account_id, q.endpoint_id limit 1) next),
   heads as materialized (select account_id, endpoint_id from waiting limit $3)`;

export interface ClaimedRow {
  account_id: string;
  endpoint_id: string;
  /** Null: the endpoint has something queued, and nothing that is due. */
  message_id: string | null;
  attempts: number;
  tries: number;
  body: string;
  url: string;
  secret: Buffer;
  previous_secret: Buffer | null;
  previous_secret_until: Date | null;
}

/**
 * Claims deliveries that are due, of each endpoint so many as it has room for: one that hangs holds up no other. Each
 * endpoint that was looked at comes back, the last one being where to go on.
 * $1 account, $2 endpoint to go on after, $3 endpoints, $4 endpoints with another room, $5 their rooms, $6 room of the rest,
 * $7 now by the service's clock, $8 seconds of the lease
 */
export const claimDeliveries = statement<ClaimedRow>(
  'webhooks.claim_deliveries',
  `with recursive ${HEADS},
   picked as materialized (
     select q.account_id, q.endpoint_id, q.message_id
     from heads
     left join unnest($4::uuid[], $5::int[]) as busy (endpoint_id, room) on busy.endpoint_id = heads.endpoint_id
     cross join lateral (
       select account_id, endpoint_id, message_id from webhook_queue q
       where q.account_id = heads.account_id and q.endpoint_id = heads.endpoint_id and q.due_at <= $7
         and (q.leased_until is null or q.leased_until <= now())
         and exists (
           select from webhook_endpoints e
           where e.account_id = heads.account_id and e.id = heads.endpoint_id and e.status = 'active')
       order by q.due_at limit coalesce(busy.room, $6) for update of q skip locked) q),
   leased as (
     update webhook_queue q set leased_until = now() + make_interval(secs => $8)
     from picked p
     where (q.account_id, q.endpoint_id, q.message_id) = (p.account_id, p.endpoint_id, p.message_id)
     returning q.account_id, q.endpoint_id, q.message_id, q.attempts, q.tries)
   select heads.account_id, heads.endpoint_id, l.message_id, l.attempts, l.tries, m.body, e.url, e.secret,
     e.previous_secret, e.previous_secret_until
   from heads
   left join leased l on (l.account_id, l.endpoint_id) = (heads.account_id, heads.endpoint_id)
   left join lateral (
     select body from webhook_messages m where m.account_id = l.account_id and m.id = l.message_id limit 1) m on true
   left join lateral (
     select url, secret, previous_secret, previous_secret_until from webhook_endpoints e
     where e.account_id = l.account_id and e.id = l.endpoint_id limit 1) e on true
   order by heads.account_id, heads.endpoint_id`,
);

/** Gives claimed deliveries back that were not attempted. $1 accounts, endpoints, messages */
export const releaseDeliveries = statement(
  'webhooks.release_deliveries',
  `update webhook_queue q set leased_until = null
   from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as w (account_id, endpoint_id, message_id)
   where (q.account_id, q.endpoint_id, q.message_id) = (w.account_id, w.endpoint_id, w.message_id)`,
);

/**
 * Writes attempts down ($1 to $8, and `$11` their answers, of payloads that are not erased) and what follows from each: `$9`
 * the status of the delivery, `$10` when it is attempted again. The outcome of a delivery that was taken over meanwhile is
 * written by whoever was first.
 */
export const recordAttempts = statement(
  'webhooks.record_attempts',
  `with outcome as materialized (
     select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[], $5::timestamptz[], $6::int[], $7::int[], $8::text[],
       $9::text[], $10::timestamptz[], $11::text[])
       as w (account_id, endpoint_id, message_id, number, at, status, ms, error, result, next_at, answer)),
   attempted as (
     insert into webhook_attempts (account_id, endpoint_id, message_id, number, at, status, ms, error, answer)
     select account_id, endpoint_id, message_id, number, at, status, ms, error,
       case when answer is null then null
         when exists (select from webhook_messages m where m.account_id = o.account_id and m.id = o.message_id and ${IS_ERASED})
           then null
         else answer end
     from outcome o
     on conflict do nothing),
   again as (
     update webhook_queue q set due_at = w.next_at, leased_until = null, attempts = w.number, tries = q.tries + 1
     from outcome w
     where (q.account_id, q.endpoint_id, q.message_id) = (w.account_id, w.endpoint_id, w.message_id)
       and q.attempts = w.number - 1 and w.result = 'pending'),
   ended as (
     delete from webhook_queue q using outcome w
     where (q.account_id, q.endpoint_id, q.message_id) = (w.account_id, w.endpoint_id, w.message_id)
       and q.attempts = w.number - 1 and w.result <> 'pending'
     returning q.account_id, q.endpoint_id, q.message_id, w.result)
   update webhook_deliveries d set status = ended.result from ended
   where d.account_id = ended.account_id and d.endpoint_id = ended.endpoint_id and d.message_id = ended.message_id`,
);

/**
 * What attempts tell of their endpoints: `$3` whether one succeeded, `$4` when one failed, `$5` whether it answered 410.
 * Only what changes is written. Those come back that are disabled by it: who fails since `$6` or
 * longer. $7 now
 */
export const updateHealth = statement<{ account_id: string; id: string; disabled_reason: string }>(
  'webhooks.update_health',
  `with told as (
     select * from unnest($1::uuid[], $2::uuid[], $3::boolean[], $4::timestamptz[], $5::boolean[], $6::timestamptz[])
       as w (account_id, id, succeeded, failed_at, gone, give_up_at)),
   changed as (
     update webhook_endpoints e set
       failing_since = case when told.succeeded then null else coalesce(e.failing_since, told.failed_at) end,
       status = case when told.gone or (not told.succeeded and e.failing_since <= told.give_up_at) then 'disabled' else e.status end,
       disabled_reason = case when told.gone then 'gone'
         when not told.succeeded and e.failing_since <= told.give_up_at then 'failing' else e.disabled_reason end,
       updated_at = case when told.gone or (not told.succeeded and e.failing_since <= told.give_up_at)
         then greatest(e.updated_at, $7) else e.updated_at end
     from told
     where e.account_id = told.account_id and e.id = told.id and e.status = 'active'
       and (told.gone or (told.succeeded and e.failing_since is not null)
         or (not told.succeeded and (e.failing_since is null or e.failing_since <= told.give_up_at)))
     returning e.account_id, e.id, e.status, e.disabled_reason),
   unsubscribed as (
     delete from outbox_subscriptions s using changed
     where changed.status = 'disabled' and s.account_id = changed.account_id and s.subscriber_id = changed.id)
   select account_id, id, disabled_reason from changed where status = 'disabled'`,
);

/**
 * Ends pending deliveries of endpoints that take none any more, as failed, so that they can be replayed.
 * $1 account, $2 endpoint to go on after, $3 endpoints, $4 deliveries of each. Each endpoint comes back with how many it were.
 */
export const endAbandoned = statement<{ account_id: string; endpoint_id: string; count: number }>(
  'webhooks.end_abandoned',
  `with recursive ${HEADS},
   picked as materialized (
     select q.account_id, q.endpoint_id, q.message_id
     from heads
     cross join lateral (
       select account_id, endpoint_id, message_id from webhook_queue q
       where q.account_id = heads.account_id and q.endpoint_id = heads.endpoint_id
         and (q.leased_until is null or q.leased_until <= now())
         and not exists (
           select from webhook_endpoints e
           where e.account_id = heads.account_id and e.id = heads.endpoint_id and e.status = 'active')
       order by q.due_at limit $4 for update of q skip locked) q),
   gone as (
     delete from webhook_queue q using picked p
     where (q.account_id, q.endpoint_id, q.message_id) = (p.account_id, p.endpoint_id, p.message_id)
     returning q.account_id, q.endpoint_id, q.message_id),
   failed as (
     update webhook_deliveries d set status = 'failed' from gone
     where d.account_id = gone.account_id and d.endpoint_id = gone.endpoint_id and d.message_id = gone.message_id)
   select heads.account_id, heads.endpoint_id, count(gone.message_id) as count
   from heads left join gone on (gone.account_id, gone.endpoint_id) = (heads.account_id, heads.endpoint_id)
   group by heads.account_id, heads.endpoint_id order by heads.account_id, heads.endpoint_id`,
);

export interface DeliveryRow {
  message_id: string;
  type: string;
  status: DeliveryStatus;
}

const DELIVERIES = `from webhook_deliveries d where d.account_id = $1 and d.endpoint_id = $2
  and d.message_id >= $3 and d.message_id < $4`;

/** An endpoint's deliveries from the id $3 on and before the id $4, newest first. $5 at most */
export const listDeliveries = statement<DeliveryRow>(
  'webhooks.list_deliveries',
  `select message_id, type, status ${DELIVERIES} order by message_id desc limit $5`,
);

/** The same, of some statuses $6 and types $7: a walk through the index for each pair, so that rare ones are found as fast. */
export const listChosenDeliveries = statement<DeliveryRow>(
  'webhooks.list_chosen_deliveries',
  `select found.* from unnest($6::text[]) as chosen_status cross join unnest($7::text[]) as chosen_type
   cross join lateral (
     select message_id, type, status ${DELIVERIES} and d.status = chosen_status and d.type = chosen_type
     order by message_id desc limit $5) found
   order by message_id desc limit $5`,
);

export interface AttemptRow {
  message_id: string;
  number: number;
  at: Date;
  status: number | null;
  ms: number;
  error: string | null;
  answer: string | null;
}

/** $1 account, endpoint, messages, $4 the lowest and $5 the highest of them */
export const findAttempts = statement<AttemptRow>(
  'webhooks.find_attempts',
  `select message_id, number, at, status, ms, error, answer from webhook_attempts
   where account_id = $1 and endpoint_id = $2 and message_id = any($3::uuid[]) and message_id >= $4 and message_id <= $5
   order by message_id, number`,
);

/** $1 account, endpoint, messages */
export const findQueued = statement<{ message_id: string; due_at: Date }>(
  'webhooks.find_queued',
  `select message_id, due_at from webhook_queue
   where account_id = $1 and endpoint_id = $2 and message_id = any($3::uuid[])`,
);

/** $1 account, endpoint, message, $4 the first id that is shown */
export const findDelivery = statement<DeliveryRow & { body: string }>(
  'webhooks.find_delivery',
  `select d.message_id, d.type, d.status, m.body
   from webhook_deliveries d join webhook_messages m on m.account_id = d.account_id and m.id = d.message_id
   where d.account_id = $1 and d.endpoint_id = $2 and d.message_id = $3 and m.account_id = $1 and m.id = $3
     and d.message_id >= $4`,
);

/**
 * Queues deliveries again that have ended in one of the statuses $6, of the ids after $3 and before $4, oldest first, $5 at
 * most; they keep their ids and attempts. $7 now. Those that were looked at come back.
 */
export const requeueDeliveries = statement<{ message_id: string }>(
  'webhooks.requeue_deliveries',
  `with chosen as materialized (
     select found.message_id from unnest($6::text[]) as chosen_status cross join unnest($8::text[]) as chosen_type
     cross join lateral (
       select message_id from webhook_deliveries d
       where d.account_id = $1 and d.endpoint_id = $2 and d.message_id > $3 and d.message_id < $4
         and d.status = chosen_status and d.type = chosen_type
       order by message_id limit $5) found
     order by message_id limit $5),
   queued as (
     insert into webhook_queue (account_id, endpoint_id, message_id, due_at, attempts, tries)
     select $1, $2, message_id, $7,
       (select count(*) from webhook_attempts a
        where a.account_id = $1 and a.endpoint_id = $2 and a.message_id = chosen.message_id), 0
     from chosen
     on conflict do nothing),
   pending as (
     update webhook_deliveries d set status = 'pending' from chosen
     where d.account_id = $1 and d.endpoint_id = $2 and d.message_id = chosen.message_id and d.message_id > $3
       and d.message_id < $4)
   select message_id from chosen order by message_id`,
);

/** The id some rows further on, up to an end. $1 account, after, $3 end, $4 rows */
export const findMessagePageEnd = statement<{ id: string }>(
  'webhooks.find_message_page_end',
  'select id from webhook_messages where account_id = $1 and id > $2 and id < $3 order by id offset $4 limit 1',
);

/** What is left of a payload: which thing it was about. */
const ERASED = `json_build_object('id', body::json -> 'id', 'type', body::json -> 'type', 'timestamp', body::json -> 'timestamp',
  'data', json_build_object('id', body::json -> 'data' -> 'id', 'sequence', body::json -> 'data' -> 'sequence',
    'erased', true))::text`;

/** Erases the payloads about sessions and a lead. $1 account, after, $3 up to, $4 sessions, $5 lead */
export const erasePayloads = statement(
  'webhooks.erase_payloads',
  `update webhook_messages set body = ${ERASED}, session_number = null, lead_id = null
   where account_id = $1 and id > $2 and id <= $3 and (session_number = any($4::bigint[]) or lead_id = $5)`,
);

/** Erases the payloads about people. $1 account, after, $3 up to */
export const erasePersonalPayloads = statement(
  'webhooks.erase_personal_payloads',
  `update webhook_messages set body = ${ERASED}, session_number = null, lead_id = null
   where account_id = $1 and id > $2 and id <= $3
     and (type like 'event.%' or type like 'lead.%' or type like 'conversion.%') and not ${IS_ERASED}`,
);

/** Erases what endpoints answered to payloads that are erased. $1 account, after, $3 up to */
export const eraseAnswers = statement(
  'webhooks.erase_answers',
  `update webhook_attempts a set answer = null from webhook_messages m
   where a.account_id = $1 and a.message_id > $2 and a.message_id <= $3 and a.answer is not null
     and m.account_id = $1 and m.id = a.message_id and m.id > $2 and m.id <= $3 and ${IS_ERASED}`,
);

/** A row, where there is anything to spread. */
export const hasOutbox = statement('webhooks.has_outbox', 'select from outbox order by account_id, id limit 1');

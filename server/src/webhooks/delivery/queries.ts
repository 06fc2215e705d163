import { rows, statement } from '../../shared/postgres/statement.ts';
import type { EndpointRow } from '../endpoints/queries.ts';

/** Changes that wait for the fan-out, and deliveries that are due, at most `most` of each. */
export const countQueuedWebhooks = statement('webhooks.count_queued', { most: 'integer' }).returns<{ queued: number }>(
  `select (select count(*) from (select from outbox limit :most) o)
     + (select count(*) from (select from webhook_queue where due_at <= now() limit :most) q) as queued`,
);

/** Identifies a delivery. */
export const DELIVERY = { account_id: 'uuid', endpoint_id: 'uuid', message_id: 'uuid' } as const;

const HEAD_PARAMETERS = { after_account: 'uuid', after_endpoint: 'uuid', heads: 'integer' } as const;

/** The next endpoints with queued deliveries, found with one index probe each: a long queue does not slow down the others. */
const HEADS = `waiting as (
     (select account_id, endpoint_id from webhook_queue
      where (account_id, endpoint_id) > (:after_account, :after_endpoint) order by account_id, endpoint_id limit 1)
     union all
     select next.account_id, next.endpoint_id
     from waiting
     cross join lateral (
       select account_id, endpoint_id from webhook_queue q
       where (q.account_id, q.endpoint_id) > (waiting.account_id, waiting.endpoint_id)
       order by q.account_id, q.endpoint_id limit 1) next),
   heads as materialized (select account_id, endpoint_id from waiting limit :heads)`;

const IS_ACTIVE = `exists (
           select from webhook_endpoints e
           where e.account_id = heads.account_id and e.id = heads.endpoint_id and e.status = 'active')`;

/** A queued delivery with what it takes to send it. */
export interface QueuedDelivery
  extends Pick<EndpointRow, 'url' | 'secret' | 'previous_secret' | 'previous_secret_until'> {
  account_id: string;
  endpoint_id: string;
  message_id: string;
  /** If the endpoint has an order. */
  resource_id: string | null;
  /** Null if it is large: then it is read for the attempt. */
  body: string | null;
  /** Attempts so far, and those since it was last queued. */
  attempts: number;
  tries: number;
}

/** An endpoint that has queued deliveries, but none that is due. */
interface NothingDue {
  account_id: string;
  endpoint_id: string;
  message_id: null;
}

/**
 * Leases due deliveries, of each endpoint as many as this process has capacity for. Returns every endpoint it visited; the
 * last one is where the next page starts.
 */
export const claimDeliveries = statement('webhooks.claim_deliveries', {
  ...HEAD_PARAMETERS,
  capacities: rows({ endpoint_id: 'uuid', capacity: 'integer' }),
  default_capacity: 'integer',
  max_inline_bytes: 'integer',
  now: 'timestamptz',
  lease_seconds: 'integer',
}).returns<QueuedDelivery | NothingDue>(
  `with recursive ${HEADS},
   picked as materialized (
     select q.account_id, q.endpoint_id, q.message_id
     from heads
     left join :capacities as known on known.endpoint_id = heads.endpoint_id
     cross join lateral (
       select account_id, endpoint_id, message_id from webhook_queue q
       where q.account_id = heads.account_id and q.endpoint_id = heads.endpoint_id and q.due_at <= :now
         and (q.leased_until is null or q.leased_until <= now())
         and ${IS_ACTIVE}
       order by q.due_at limit coalesce(known.capacity, :default_capacity) for update of q skip locked) q),
   leased as (
     update webhook_queue q set leased_until = now() + make_interval(secs => :lease_seconds)
     from picked p
     where (q.account_id, q.endpoint_id, q.message_id) = (p.account_id, p.endpoint_id, p.message_id)
     returning q.account_id, q.endpoint_id, q.message_id, q.resource_id, q.attempts, q.tries)
   select heads.account_id, heads.endpoint_id, l.message_id, l.resource_id, l.attempts, l.tries, m.body, e.url, e.secret,
     e.previous_secret, e.previous_secret_until
   from heads
   left join leased l on (l.account_id, l.endpoint_id) = (heads.account_id, heads.endpoint_id)
   left join lateral (
     select case when octet_length(body) <= :max_inline_bytes then body end as body from webhook_messages m
     where m.account_id = l.account_id and m.id = l.message_id limit 1) m on true
   left join lateral (
     select url, secret, previous_secret, previous_secret_until from webhook_endpoints e
     where e.account_id = l.account_id and e.id = l.endpoint_id limit 1) e on true
   order by heads.account_id, heads.endpoint_id`,
);

export const findBody = statement('webhooks.find_body', { account_id: 'uuid', message_id: 'uuid' }).returns<{
  body: string;
}>('select body from webhook_messages where account_id = :account_id and id = :message_id');

/** Ends the leases of deliveries that were not attempted. */
export const releaseDeliveries = statement('webhooks.release_deliveries', { deliveries: rows(DELIVERY) }).runs(
  `update webhook_queue q set leased_until = null from :deliveries as w
   where (q.account_id, q.endpoint_id, q.message_id) = (w.account_id, w.endpoint_id, w.message_id)`,
);

/**
 * Fails pending deliveries of endpoints that were disabled or deleted, so that they can be replayed. Returns each endpoint
 * it visited, with the number of its deliveries.
 */
export const failAbandonedDeliveries = statement('webhooks.fail_abandoned', {
  ...HEAD_PARAMETERS,
  limit: 'integer',
}).returns<{ account_id: string; endpoint_id: string; count: number }>(
  `with recursive ${HEADS},
   picked as materialized (
     select q.account_id, q.endpoint_id, q.message_id
     from heads
     cross join lateral (
       select account_id, endpoint_id, message_id from webhook_queue q
       where q.account_id = heads.account_id and q.endpoint_id = heads.endpoint_id and q.due_at <= 'infinity'
         and (q.leased_until is null or q.leased_until <= now())
         and not ${IS_ACTIVE}
       order by q.due_at limit :limit for update of q skip locked) q),
   removed as (
     delete from webhook_queue q using picked p
     where (q.account_id, q.endpoint_id, q.message_id) = (p.account_id, p.endpoint_id, p.message_id)
     returning q.account_id, q.endpoint_id, q.message_id),
   failed as (
     update webhook_deliveries d set status = 'failed' from removed r
     where d.account_id = r.account_id and d.endpoint_id = r.endpoint_id and d.message_id = r.message_id)
   select heads.account_id, heads.endpoint_id, count(r.message_id) as count
   from heads left join removed r on (r.account_id, r.endpoint_id) = (heads.account_id, heads.endpoint_id)
   group by heads.account_id, heads.endpoint_id order by heads.account_id, heads.endpoint_id`,
);

/** Active endpoints with a delivery that is due since before a time and not being attempted. */
export const findOverdueDeliveries = statement('webhooks.find_overdue_deliveries', {
  ...HEAD_PARAMETERS,
  before: 'timestamptz',
  limit: 'integer',
}).returns<{ account_id: string; subject: string; since: Date }>(
  `with recursive ${HEADS}
   select e.account_id, e.url as subject, q.since
   from heads
   cross join lateral (
     select min(q.due_at) as since from webhook_queue q
     where q.account_id = heads.account_id and q.endpoint_id = heads.endpoint_id and q.due_at < :before
       and (q.leased_until is null or q.leased_until <= now())) q
   cross join lateral (
     select e.account_id, e.url from webhook_endpoints e
     where e.account_id = heads.account_id and e.id = heads.endpoint_id and e.status = 'active') e
   where q.since is not null
   order by q.since limit :limit`,
);

/** Changes that were not fanned out since before a time, the oldest of each account. */
export const findOverdueChanges = statement('webhooks.find_overdue_changes', {
  before: 'timestamptz',
  limit: 'integer',
}).returns<{ account_id: string; since: Date }>(
  `select account_id, min(at) as since from outbox where at < :before group by account_id order by 2 limit :limit`,
);

export const hasOutbox = statement('webhooks.has_outbox', {}).returns<Record<string, never>>(
  'select from outbox order by account_id, id limit 1',
);

/** Whether a process delivers a message of an account. */
export const isDelivering = statement('webhooks.is_delivering', { account_id: 'uuid' }).returns<Record<string, never>>(
  'select from webhook_queue where account_id = :account_id and leased_until > now() limit 1',
);

import { statement } from '../../shared/postgres/statement.ts';
import type { DestinationDelivery } from '../delivery-contract.ts';

/** What a platform has, exactly as it was sent. */
export interface Sent {
  wireId: string;
  target: string;
  value: string | null;
  currency: string | null;
  /** What the value was multiplied by, if it was scaled to what it is expected to become. */
  factor?: number;
  /** ISO 8601, with the digits that were sent. */
  occurredAt: string;
  sentAt: string;
  version: number;
}

/** A delivery, or a queued conversion that has none yet: then its status is `queued` and the rest is null. */
export interface DeliveryRow {
  destination_id: string;
  conversion_id: string;
  status: DestinationDelivery['status'];
  reason: string | null;
  version: number;
  sent: Sent | null;
  attempts: DestinationDelivery['attempts'];
  response: string | null;
  updated_at: Date;
  due_at: Date | null;
  tries: number | null;
  event: string | null;
  event_id: string | null;
}

const DESTINATION = { account_id: 'uuid', destination_id: 'uuid' } as const;
const PAGE = {
  ...DESTINATION,
  before_time: 'timestamptz?',
  before_id: 'uuid?',
  limit: 'integer',
} as const;

/** A delivery with its place in the queue, if it has one. */
const DELIVERY = `d.destination_id, d.conversion_id, d.status, d.reason, d.version, d.sent, d.attempts, d.response,
  d.updated_at, q.due_at, q.tries`;
const JOIN_QUEUE = `left join destination_queue q on q.account_id = d.account_id and q.destination_id = d.destination_id
  and q.conversion_id = d.conversion_id`;

const QUEUED = `q.destination_id, q.conversion_id, 'queued' as status, null as reason, q.version, null::jsonb as sent,
  '[]'::jsonb as attempts, null as response, q.queued_at as updated_at, q.due_at, q.tries`;

const before = (time: string, row: string) => `(${time}, ${row}.conversion_id)
  < (coalesce(:before_time, 'infinity'::timestamptz), coalesce(:before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid))`;

const listed = (status: string) => `(
  select ${DELIVERY} from destination_deliveries d ${JOIN_QUEUE}
  where d.account_id = :account_id and d.destination_id = :destination_id and d.status = ${status}
    and ${before('d.updated_at', 'd')}
  order by d.updated_at desc, d.conversion_id desc limit :limit)`;

const queued = `(
  select ${QUEUED} from destination_queue q
  where q.account_id = :account_id and q.destination_id = :destination_id and q.is_first and ${before('q.queued_at', 'q')}
  order by q.queued_at desc, q.conversion_id desc limit :limit)`;

const withEvents = (from: string) => `select t.*, c.event, c.event_id from (${from}) t
  left join lateral (
    select event, event_id from conversions c where c.account_id = :account_id and c.id = t.conversion_id limit 1) c on true
  order by t.updated_at desc, t.conversion_id desc limit :limit`;

const EVERY_STATUS = `unnest(array['sent', 'adjusted', 'retracted', 'skipped', 'rejected', 'not_adjustable', 'uncertain'])
  as s (status)`;

/** A destination's deliveries and queued conversions, the latest change first. An index by time alone is not worth its writes. */
export const listDeliveries = statement('destinations.list_deliveries', PAGE).returns<DeliveryRow>(
  withEvents(`select l.* from ${EVERY_STATUS} cross join lateral ${listed('s.status')} l union all ${queued}`),
);

export const listByStatus = statement('destinations.list_by_status', { ...PAGE, status: 'text' }).returns<DeliveryRow>(
  withEvents(listed(':status')),
);

export const listQueued = statement('destinations.list_queued', PAGE).returns<DeliveryRow>(withEvents(queued));

/** What became of a conversion at each of the account's destinations, by their primary keys. */
export const findConversionDeliveries = statement('destinations.find_conversion_deliveries', {
  account_id: 'uuid',
  conversion_id: 'uuid',
}).returns<DeliveryRow>(
  `select t.*, c.event, c.event_id
   from destinations e
   cross join lateral (
     select ${DELIVERY} from destination_deliveries d ${JOIN_QUEUE}
     where d.account_id = :account_id and d.destination_id = e.id and d.conversion_id = :conversion_id
     union all
     select ${QUEUED} from destination_queue q
     where q.account_id = :account_id and q.destination_id = e.id and q.conversion_id = :conversion_id and q.is_first) t
   left join lateral (
     select event, event_id from conversions c where c.account_id = :account_id and c.id = t.conversion_id limit 1) c on true
   where e.account_id = :account_id order by e.id`,
);

/** Conversions by status, each counted up to `most`. */
export const countDeliveries = statement('destinations.count', { ...DESTINATION, most: 'integer' }).returns<{
  status: string;
  count: number;
}>(
  `select s.status, n.count
   from ${EVERY_STATUS}
   cross join lateral (
     select count(*) as count from (
       select from destination_deliveries d
       where d.account_id = :account_id and d.destination_id = :destination_id and d.status = s.status limit :most) t) n
   union all
   select 'queued', count(*) from (
     select from destination_queue q
     where q.account_id = :account_id and q.destination_id = :destination_id and q.is_first limit :most) t`,
);

const REPLAY = { ...DESTINATION, now: 'timestamptz', limit: 'integer' } as const;

const REQUEUE = `insert into destination_queue (account_id, destination_id, conversion_id, version, is_first, is_replay,
       queued_at, due_at)
     select :account_id, :destination_id, conversion_id, version, is_first, true, :now, :now from chosen
     on conflict (account_id, destination_id, conversion_id) do update
       set due_at = excluded.due_at, tries = 0, is_replay = true`;

/** Queues deliveries with a status again, in the order of their time. Returns those it visited. */
export const requeueByStatus = statement('destinations.requeue_by_status', {
  ...REPLAY,
  status: 'text',
  after_time: 'timestamptz',
  after_id: 'uuid',
  to: 'timestamptz',
}).returns<{ conversion_id: string; updated_at: Date }>(
  `with chosen as materialized (
     select d.conversion_id, d.updated_at, d.version, false as is_first from destination_deliveries d
     where d.account_id = :account_id and d.destination_id = :destination_id and d.status = :status
       and (d.updated_at, d.conversion_id) > (:after_time, :after_id) and d.updated_at < :to
     order by d.updated_at, d.conversion_id limit :limit),
   queued as (${REQUEUE})
   select conversion_id, updated_at from chosen order by updated_at, conversion_id`,
);

/** Queues conversions that the destination never had, in the order of their ids. Returns those it visited. */
export const requeueUnqueued = statement('destinations.requeue_unqueued', {
  ...REPLAY,
  after: 'uuid',
  before: 'uuid',
}).returns<{ conversion_id: string; is_queued: boolean }>(
  `with visited as materialized (
     select c.id as conversion_id, c.version, true as is_first, c.withdrawn_at from conversions c
     where c.account_id = :account_id and c.id > :after and c.id < :before order by c.id limit :limit),
   chosen as materialized (
     select * from visited where withdrawn_at is null and not exists (
       select from destination_deliveries d
       where d.account_id = :account_id and d.destination_id = :destination_id and d.conversion_id = visited.conversion_id)),
   queued as (${REQUEUE})
   select conversion_id, conversion_id in (select conversion_id from chosen) as is_queued from visited
   order by conversion_id`,
);

export const requeueConversion = statement('destinations.requeue_conversion', {
  ...DESTINATION,
  conversion_id: 'uuid',
  now: 'timestamptz',
}).returns<{ conversion_id: string }>(
  `with chosen as materialized (
     select c.id as conversion_id, c.version, not exists (
       select from destination_deliveries d
       where d.account_id = :account_id and d.destination_id = :destination_id and d.conversion_id = c.id) as is_first
     from conversions c where c.account_id = :account_id and c.id = :conversion_id),
   queued as (${REQUEUE})
   select conversion_id from chosen`,
);

/** What no later attempt changes. */
const FINAL = `('too_old', 'erased', 'withdrawn', 'consent_denied', 'consent_missing', 'platform_cannot_adjust', 'already_retracted')`;

/** Queues conversions dated in a period that the destination has not decided on for good, in their order. Returns those it visited. */
export const requeueChanged = statement('destinations.requeue_changed', {
  ...REPLAY,
  after_time: 'timestamptz',
  after_id: 'uuid',
  to: 'timestamptz',
}).returns<{ conversion_id: string; created_on: Date; is_queued: boolean }>(
  `with visited as materialized (
     select c.id as conversion_id, c.version, c.created_on, c.withdrawn_at, d.conversion_id is null as is_first, d.status, d.reason
     from (
       select * from conversions c
       where c.account_id = :account_id and (c.created_on, c.id) > (:after_time, :after_id) and c.created_on < :to
       order by c.created_on, c.id limit :limit) c
     left join destination_deliveries d
       on d.account_id = :account_id and d.destination_id = :destination_id and d.conversion_id = c.id),
   chosen as materialized (
     select * from visited where case
       when is_first then withdrawn_at is null
       else status in ('skipped', 'rejected', 'not_adjustable') and coalesce(reason, '') not in ${FINAL} end),
   queued as (${REQUEUE})
   select conversion_id, created_on, conversion_id in (select conversion_id from chosen) as is_queued from visited
   order by created_on, conversion_id`,
);

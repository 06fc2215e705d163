import { statement } from '../../shared/postgres/statement.ts';
import type { DeliveryStatus } from '../contract.ts';

export interface DeliveryRow {
  message_id: string;
  type: string;
  status: DeliveryStatus;
}

const ENDPOINT = { account_id: 'uuid', endpoint_id: 'uuid' } as const;
const PAGE = { ...ENDPOINT, from: 'uuid', before: 'uuid', limit: 'integer' } as const;
const DELIVERIES = `from webhook_deliveries d where d.account_id = :account_id and d.endpoint_id = :endpoint_id
  and d.message_id >= :from and d.message_id < :before`;

/** An endpoint's deliveries, newest first. */
export const listDeliveries = statement('webhooks.list_deliveries', PAGE).returns<DeliveryRow>(
  `select message_id, type, status ${DELIVERIES} order by message_id desc limit :limit`,
);

/** The deliveries with these statuses and types. Each pair is an index scan, so rare ones are found as fast as others. */
export const filterDeliveries = statement('webhooks.filter_deliveries', {
  ...PAGE,
  statuses: 'text[]',
  types: 'text[]',
}).returns<DeliveryRow>(
  `select found.* from unnest(:statuses) as wanted_status cross join unnest(:types) as wanted_type
   cross join lateral (
     select message_id, type, status ${DELIVERIES} and d.status = wanted_status and d.type = wanted_type
     order by message_id desc limit :limit) found
   order by message_id desc limit :limit`,
);

interface AttemptRow {
  message_id: string;
  number: number;
  at: Date;
  status: number | null;
  ms: number;
  error: string | null;
  response: string | null;
}

/** The attempts of some deliveries. `lowest` and `highest` of their ids exclude other partitions. */
export const findAttempts = statement('webhooks.find_attempts', {
  ...ENDPOINT,
  messages: 'uuid[]',
  lowest: 'uuid',
  highest: 'uuid',
}).returns<AttemptRow>(
  `select message_id, number, at, status, ms, error, response from webhook_attempts
   where account_id = :account_id and endpoint_id = :endpoint_id and message_id = any(:messages)
     and message_id >= :lowest and message_id <= :highest
   order by message_id, number`,
);

export const findQueued = statement('webhooks.find_queued', { ...ENDPOINT, messages: 'uuid[]' }).returns<{
  message_id: string;
  due_at: Date | null;
}>(
  // What waits for an earlier delivery is due at infinity.
  `select message_id, nullif(due_at, 'infinity') as due_at from webhook_queue
   where account_id = :account_id and endpoint_id = :endpoint_id and message_id = any(:messages)`,
);

export const findDelivery = statement('webhooks.find_delivery', {
  ...ENDPOINT,
  message_id: 'uuid',
  from: 'uuid',
}).returns<DeliveryRow & { body: string }>(
  `select d.message_id, d.type, d.status, m.body
   from webhook_deliveries d join webhook_messages m on m.account_id = d.account_id and m.id = d.message_id
   where d.account_id = :account_id and d.endpoint_id = :endpoint_id and d.message_id = :message_id
     and m.account_id = :account_id and m.id = :message_id and d.message_id >= :from`,
);

/**
 * Queues delivered or failed deliveries again, oldest first. They keep their ids and attempts. Those of an endpoint with an order are due
 * once they are released. Returns those it visited.
 */
export const requeueDeliveries = statement('webhooks.requeue_deliveries', {
  ...ENDPOINT,
  after: 'uuid',
  before: 'uuid',
  limit: 'integer',
  statuses: 'text[]',
  types: 'text[]',
  now: 'timestamptz',
  is_ordered: 'boolean',
}).returns<{ message_id: string; resource_id: string | null }>(
  `with chosen as materialized (
     select found.message_id from unnest(:statuses) as wanted_status cross join unnest(:types) as wanted_type
     cross join lateral (
       select message_id from webhook_deliveries d
       where d.account_id = :account_id and d.endpoint_id = :endpoint_id and d.message_id > :after
         and d.message_id < :before and d.status = wanted_status and d.type = wanted_type
       order by message_id limit :limit) found
     order by message_id limit :limit),
   ordered as materialized (
     select chosen.message_id, m.resource_id, m.sequence
     from chosen
     left join lateral (
       select resource_id, sequence from webhook_messages m
       where :is_ordered and m.account_id = :account_id and m.id = chosen.message_id limit 1) m on true),
   queued as (
     insert into webhook_queue (account_id, endpoint_id, message_id, due_at, attempts, tries, resource_id, sequence)
     select :account_id, :endpoint_id, message_id, case when resource_id is null then :now else 'infinity' end,
       (select count(*) from webhook_attempts a
        where a.account_id = :account_id and a.endpoint_id = :endpoint_id and a.message_id = ordered.message_id), 0, resource_id, sequence
     from ordered
     on conflict do nothing),
   pending as (
     update webhook_deliveries d set status = 'pending' from chosen
     where d.account_id = :account_id and d.endpoint_id = :endpoint_id and d.message_id = chosen.message_id
       and d.message_id > :after and d.message_id < :before)
   select message_id, resource_id from ordered order by message_id`,
);

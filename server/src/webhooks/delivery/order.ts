import { rows, statement } from '../../shared/postgres/statement.ts';
import { DELIVERIES } from './write-messages.ts';

/**
 * Taken before deliveries of endpoints with an order are queued or end, so that a delivery that is queued behind another one
 * is released when that one ends, whichever transaction commits first. The statements that follow see what was committed before.
 */
export const lockOrder = statement('webhooks.lock_order', { endpoints: 'uuid[]' }).runs(
  "select pg_advisory_xact_lock(hashtextextended('webhooks.order ' || endpoint, 0)) from unnest(:endpoints) as endpoint",
);

/** The endpoints of rows, in the order in which all transactions lock them. */
export const inLockOrder = (of: readonly { endpoint_id: string }[]) =>
  [...new Set(of.map(({ endpoint_id }) => endpoint_id))].sort();

/** Queues deliveries with an order, each behind the earlier ones of its resource. */
export const queueInOrder = statement('webhooks.queue_in_order', { deliveries: DELIVERIES, now: 'timestamptz' }).runs(
  `insert into webhook_queue (account_id, endpoint_id, message_id, due_at, attempts, tries, resource_id, sequence)
   select w.account_id, w.endpoint_id, w.message_id,
     case when w.place = 1 and (
       select true from webhook_queue q
       where q.account_id = w.account_id and q.endpoint_id = w.endpoint_id and q.resource_id = w.resource_id limit 1) is null
       then :now else 'infinity' end,
     0, 0, w.resource_id, w.sequence
   from (
     select d.*, row_number() over (
       partition by d.account_id, d.endpoint_id, d.resource_id order by d.sequence, d.message_id) as place
     from :deliveries as d where d.resource_id is not null) w`,
);

/** Makes the first delivery of each resource due. */
export const releaseFirst = statement('webhooks.release_first', {
  resources: rows({ account_id: 'uuid', endpoint_id: 'uuid', resource_id: 'uuid' }),
  now: 'timestamptz',
}).runs(
  `update webhook_queue q set due_at = :now
   from (select distinct * from :resources as r) w
   cross join lateral (
     select n.message_id, n.due_at from webhook_queue n
     where n.account_id = w.account_id and n.endpoint_id = w.endpoint_id and n.resource_id = w.resource_id
     order by n.sequence, n.message_id limit 1) first
   where q.account_id = w.account_id and q.endpoint_id = w.endpoint_id and q.message_id = first.message_id
     and first.due_at = 'infinity'`,
);

/** Makes all deliveries of an endpoint due, whose order no longer matters. */
export const releaseAll = statement('webhooks.release_all', {
  account_id: 'uuid',
  endpoint_id: 'uuid',
  now: 'timestamptz',
}).runs(
  `update webhook_queue set due_at = :now
   where account_id = :account_id and endpoint_id = :endpoint_id and due_at = 'infinity'`,
);

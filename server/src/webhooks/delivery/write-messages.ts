import { newUuid, publicId } from '../../shared/ids.ts';
import { type RowOf, rows, statement } from '../../shared/postgres/statement.ts';
import type { Payload } from '../topics/payloads.ts';

const MESSAGES = rows({
  account_id: 'uuid',
  id: 'uuid',
  type: 'text',
  // JSON, exactly as it is signed and sent.
  body: 'text',
  session_number: 'bigint?',
  lead_id: 'uuid?',
  resource_id: 'uuid?',
  sequence: 'bigint?',
});

export const DELIVERIES = rows({
  account_id: 'uuid',
  endpoint_id: 'uuid',
  message_id: 'uuid',
  type: 'text',
  // Whether the writing process makes the first attempt.
  is_own: 'boolean',
  // Only for endpoints with an order.
  resource_id: 'uuid?',
  sequence: 'bigint?',
});

/** A payload with its id. */
export type Message = RowOf<typeof MESSAGES>;
/** A message for one endpoint. */
export type NewDelivery = RowOf<typeof DELIVERIES>;

export function createMessage(payload: Payload, now: number): Message {
  const { accountId: account_id, type, timestamp, data, sessionNumber: session_number, leadId: lead_id } = payload;
  const { resourceId: resource_id, sequence } = payload;
  const id = newUuid(now);
  const body = JSON.stringify({ id: publicId('msg', id), type, timestamp, data });
  return { account_id, id, type, body, session_number, lead_id, resource_id, sequence };
}

export function createDelivery(
  message: Message,
  endpoint_id: string,
  is_own: boolean,
  isOrdered: boolean,
): NewDelivery {
  const { account_id, id, type } = message;
  const { resource_id, sequence } = isOrdered ? message : { resource_id: null, sequence: null };
  return { account_id, endpoint_id, message_id: id, type, is_own, resource_id, sequence };
}

/** Writes messages, their deliveries and the queue, without deliveries that have an order. Own deliveries are leased from the start. */
export const writeMessages = statement('webhooks.write_messages', {
  messages: MESSAGES,
  deliveries: DELIVERIES,
  now: 'timestamptz',
  lease_seconds: 'integer',
}).runs(
  `with message as (
     insert into webhook_messages (${MESSAGES.list}) select * from :messages as w),
   delivery as (
     insert into webhook_deliveries (account_id, endpoint_id, message_id, type, status)
     select account_id, endpoint_id, message_id, type, 'pending' from :deliveries as w)
   insert into webhook_queue (account_id, endpoint_id, message_id, due_at, leased_until, attempts, tries)
   select account_id, endpoint_id, message_id, :now,
     case when is_own then now() + make_interval(secs => :lease_seconds) end, 0, 0
   from :deliveries as w where resource_id is null`,
);

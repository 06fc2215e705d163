import { newUuid, publicId } from '../shared/ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import type { Payload } from './payloads.ts';
import { insertDeliveries } from './queries.ts';

/** A payload that has its id. */
export interface Message {
  accountId: string;
  /** UUID. */
  id: string;
  type: string;
  /** JSON, as it is signed and sent. */
  body: string;
  sessionNumber: number | null;
  leadId: string | null;
}

/** A message on its way to an endpoint. */
export interface NewDelivery {
  message: Message;
  endpointId: string;
  /** Whether the process that writes it makes the first attempt itself. */
  isOwn: boolean;
}

export function newMessage({ accountId, type, timestamp, data, sessionNumber, leadId }: Payload, now: number): Message {
  const id = newUuid(now);
  const body = JSON.stringify({ id: publicId('msg', id), type, timestamp, data });
  return { accountId, id, type, body, sessionNumber, leadId };
}

/** Writes messages and their deliveries, by one statement. */
export async function writeMessages(
  tx: Tx,
  messages: readonly Message[],
  deliveries: readonly NewDelivery[],
  now: number,
  leaseSeconds: number,
): Promise<void> {
  if (deliveries.length === 0) return;
  await insertDeliveries(
    tx,
    messages.map(({ accountId }) => accountId),
    messages.map(({ id }) => id),
    messages.map(({ type }) => type),
    messages.map(({ body }) => body),
    messages.map(({ sessionNumber }) => sessionNumber),
    messages.map(({ leadId }) => leadId),
    deliveries.map(({ message }) => message.accountId),
    deliveries.map(({ endpointId }) => endpointId),
    deliveries.map(({ message }) => message.id),
    deliveries.map(({ message }) => message.type),
    new Date(now),
    deliveries.map(({ isOwn }) => isOwn),
    leaseSeconds,
  );
}

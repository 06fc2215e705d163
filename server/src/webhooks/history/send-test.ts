import { badRequest } from '../../shared/errors.ts';
import { publicId } from '../../shared/ids.ts';
import type { Database } from '../../shared/postgres/database.ts';
import { isoTime } from '../../shared/time.ts';
import type { Delivery } from '../contract.ts';
import { createDelivery, createMessage, writeMessages } from '../delivery/write-messages.ts';
import { requireEndpoint } from '../endpoints/serialize.ts';
import type { Partitions } from '../partitions.ts';
import { TEST_TOPIC } from '../topics/topic.ts';
import { testData } from '../topics/webhook.ts';
import { serializeDeliveries } from './list-deliveries.ts';

/** Queues a `webhook.test`, whatever the webhook subscribes to. @throws 404; 400 `webhook_disabled` */
export async function sendTest(
  db: Database,
  partitions: Partitions,
  accountId: string,
  webhookId: string,
  now: number,
): Promise<Delivery> {
  const { id: endpointId } = await requireActiveEndpoint(db, accountId, webhookId);
  const data = testData(publicId('whk', endpointId));
  const about = { sessionNumber: null, leadId: null, resourceId: null, sequence: null };
  const payload = { accountId, type: TEST_TOPIC, timestamp: isoTime(now), data, ...about };
  const message = createMessage(payload, now);
  await partitions.ensureFor(message.id);
  const deliveries = [createDelivery(message, endpointId, false, false)];
  await writeMessages(db, { messages: [message], deliveries, now: new Date(now), lease_seconds: 0 });
  const row = { message_id: message.id, type: TEST_TOPIC, status: 'pending' as const };
  const [delivery] = await serializeDeliveries(db, accountId, endpointId, [row]);
  return delivery as Delivery;
}

/** @throws 404; 400 `webhook_disabled` */
export async function requireActiveEndpoint(...webhook: Parameters<typeof requireEndpoint>) {
  const endpoint = await requireEndpoint(...webhook);
  if (endpoint.status === 'active') return endpoint;
  throw badRequest('webhook_disabled', 'The webhook is disabled. Enable it first: PATCH it with status "active".');
}

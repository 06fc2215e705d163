import { badRequest } from '../shared/errors.ts';
import { publicId } from '../shared/ids.ts';
import type { Database } from '../shared/postgres/database.ts';
import { isoTime } from '../shared/time.ts';
import type { Delivery } from './contract.ts';
import { answerDeliveries } from './deliveries.ts';
import { endpointId, found } from './endpoint.ts';
import { TEST_KIND } from './kinds.ts';
import type { Partitions } from './partitions.ts';
import { findEndpoint } from './queries.ts';
import { newMessage, writeMessages } from './write-messages.ts';

/** Pushes a `webhook.test` to the endpoint, whatever it subscribes to, by the way of all others. @throws 404; 400 where it is disabled */
export async function sendTest(
  db: Database,
  partitions: Partitions,
  accountId: string,
  webhookId: string,
  now: number,
): Promise<Delivery> {
  const [row] = await findEndpoint(db, accountId, endpointId(webhookId));
  const endpoint = found(row);
  if (endpoint.status !== 'active') throw disabled();
  const data = { id: publicId('whk', endpoint.id), message: 'This is a test.', sequence: 1 };
  const payload = { accountId, type: TEST_KIND, timestamp: isoTime(now), data, sessionNumber: null, leadId: null };
  const message = newMessage(payload, now);
  await partitions.prepareFor(message.id);
  await writeMessages(db, [message], [{ message, endpointId: endpoint.id, isOwn: false }], now, 0);
  const written = { message_id: message.id, type: TEST_KIND, status: 'pending' as const };
  const [answer] = await answerDeliveries(db, accountId, endpoint.id, [written]);
  if (!answer) throw new Error('the test was written and not found');
  return answer;
}

export function disabled() {
  return badRequest('webhook_disabled', 'The webhook is disabled: enable it first, by a PATCH with status "active".');
}

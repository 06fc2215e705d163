import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '../../src/webhooks/test-support.ts';

/** So slow that a kill finds attempts under way. */
const RESPONSE_MS = 10;

export interface WebhookReceiver {
  url: string;
  /** The webhook ids under which each event was delivered. */
  delivered: Map<string, Set<string>>;
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const delivered: WebhookReceiver['delivered'] = new Map();
  const server = createServer(async (request, response) => {
    try {
      const { id, data } = (await json(request)) as { id: string; data: { id: string } };
      assert.equal(id, request.headers['webhook-id']);
      delivered.set(data.id, (delivered.get(data.id) ?? new Set()).add(id));
      await sleep(RESPONSE_MS);
      response.end();
    } catch {
      // The service was killed in the middle of its request.
      response.destroy();
    }
  });
  return { url: `http://127.0.0.1:${await listen(server)}/hook`, delivered };
}

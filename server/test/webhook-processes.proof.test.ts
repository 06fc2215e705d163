// Slow: two services that deliver while they are killed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { post, sendOk, startDatabase } from '../chaos/support.ts';
import { startReceiver } from '../src/webhooks/test-support.ts';
import { commandJson, newDataDir, startService } from './service-process.ts';
import { until } from './until.ts';

const CLIENTS = 4;
const EVENTS = 100;

test('two services on one database share the deliveries, and send none twice', async () => {
  const { url: DATABASE_URL } = await startDatabase();
  const env = { DATABASE_URL, WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' };
  const { token, apiKey } = await commandJson(['accounts', 'create', 'Two'], env);
  const start = () => startService({ ...env, DATA_DIR: newDataDir() });
  const [first, second] = [await start(), await start()];
  const receiver = await startReceiver();
  receiver.respond = (response) => void setTimeout(() => response.end(), 10);
  await sendOk(first, 'POST /v1/webhooks', { token, body: { url: receiver.url, events: ['event.recorded'] } });
  const acknowledged = new Set<string>();
  const sendEvents = async (service: typeof first) => {
    for (let i = 0; i < EVENTS; i++) {
      const { status, body } = await post(service, '/v1/events', { api_key: apiKey, event: 'x' });
      if (status === 200) acknowledged.add(body.event_id);
    }
  };
  await Promise.all([first, second].flatMap((service) => Array.from({ length: CLIENTS }, () => sendEvents(service))));
  const all = 2 * CLIENTS * EVENTS;
  assert.equal(acknowledged.size, all);
  // The other takes over what a process holds that stops in order.
  second.kill('SIGTERM');
  assert.equal((await second.ended).code, 0);
  await until(() => receiver.received.length >= all);
  first.kill('SIGTERM');
  assert.equal((await first.ended).code, 0);
  const received = receiver.received.map(({ body }) => body.data.id);
  assert.equal(received.length, all);
  assert.deepEqual(new Set(received), acknowledged);
});

/** The test endpoint of an account shows what arrived, and whether its signature is right. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { until } from '../../../test/until.ts';
import { deliveringService, newWebhook } from '../test-support.ts';

const service = await deliveringService();
const DAY = 24 * 3_600_000;

const look = async (as: Awaited<ReturnType<typeof service.newAccount>>) => {
  const { status, body } = await service.call('GET /v1/webhooks/test-endpoint', { as });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};

test('a webhook with its URL delivers there, signed, although the service cannot be reached from itself', async () => {
  const [account, other] = [await service.newAccount(), await service.newAccount()];
  const { url, arrivals } = await look(account);
  assert.deepEqual(arrivals, []);
  const webhook = await newWebhook(service, account, url, { events: ['event.recorded'] });
  await service.call('POST /v1/events', { body: { api_key: account.apiKey, event: 'tried' } });
  await until(async () => (await look(account)).arrivals.length === 1);
  const [arrival] = (await look(account)).arrivals;
  assert.deepEqual([arrival.signature, arrival.webhookId], ['valid', webhook.id]);
  const payload = new StandardWebhook(webhook.secret).verify(arrival.body, arrival.headers) as {
    data: { event: string };
  };
  assert.equal(payload.data.event, 'tried');
  const delivery = async () =>
    (await service.call(`GET /v1/webhooks/${webhook.id}/deliveries`, { as: account })).body.deliveries[0];
  // The attempt is recorded once it was answered.
  await until(async () => (await delivery()).attempts.length === 1);
  const { status, attempts } = await delivery();
  assert.deepEqual([status, attempts[0].status], ['delivered', 200]);
  assert.deepEqual((await look(other)).arrivals, []);
});

test('anything may be sent there; what is not signed by a webhook of the account is told apart', async () => {
  const account = await service.newAccount();
  const { url } = await look(account);
  const path = new URL(url).pathname;
  const post = (body: string, headers: Record<string, string> = {}, to = path) =>
    service.call(`POST ${to}`, { body, headers: { cookie: 'secret=1', ...headers } });
  const signed = { 'webhook-id': 'msg_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AAAA' };
  assert.equal((await post('no json', { 'content-type': 'text/plain' })).status, 200);
  assert.equal((await post('{}', signed)).status, 200);
  await newWebhook(service, account, url, { events: ['event.recorded'] });
  assert.equal((await post('{"a":1}', signed)).status, 200);
  const { arrivals } = await look(account);
  assert.deepEqual(
    arrivals.map(({ body, signature }: Record<string, string>) => [body, signature]),
    [
      ['{"a":1}', 'invalid'],
      ['{}', 'unknown'],
      ['no json', 'missing'],
    ],
  );
  assert.ok(arrivals.every(({ headers }: { headers: object }) => !('cookie' in headers)));
  assert.equal((await post('{}', {}, `${path.slice(0, -1)}${path.endsWith('0') ? '1' : '0'}`)).status, 404);

  for (let i = 0; i < 60; i++) {
    service.clock.now += 1_000;
    await post(`{"i":${i}}`);
  }
  const kept = (await look(account)).arrivals;
  assert.deepEqual([kept.length, kept[0].body], [50, '{"i":59}']);
  service.clock.now += DAY + 1;
  assert.deepEqual((await look(account)).arrivals, []);
});

test('its owner clears it', async () => {
  const account = await service.newAccount();
  const { url } = await look(account);
  await service.call(`POST ${new URL(url).pathname}`, { body: '{}' });
  assert.equal((await look(account)).arrivals.length, 1);
  assert.equal((await service.call('DELETE /v1/webhooks/test-endpoint', { as: account })).status, 200);
  assert.deepEqual((await look(account)).arrivals, []);
});

/** Stored payloads: erased with their lead, erased by retention, dropped by the day. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Account } from '../../test/harness.ts';
import { until } from '../../test/until.ts';
import { Partitions } from './partitions.ts';
import { deliveringService, newWebhook, startReceiver } from './test-support.ts';

const service = await deliveringService();
const DAY = 24 * 3_600_000;

async function post(account: Account, path: string, body: unknown) {
  const response = await service.call(`POST ${path}`, { as: account, body });
  assert.equal(response.status, 200, JSON.stringify(response.body));
  return response.body;
}

async function bodies(account: Account) {
  const sql = 'select type, body from webhook_messages where account_id = $1 order by id';
  return (await service.db.query<{ type: string; body: string }>(sql, [account.uuid])).rows;
}

/** The stored responses of endpoints. */
async function responses(account: Account): Promise<string[]> {
  const sql =
    'select response from webhook_attempts where account_id = $1 and response is not null order by message_id';
  return (await service.db.query<{ response: string }>(sql, [account.uuid])).rows.map(({ response }) => response);
}

/** An account with two leads, whose endpoint fails and repeats the payload in its response. */
async function visited() {
  const account = await service.newAccount();
  const receiver = await startReceiver();
  receiver.respond = (response, { text }) => response.writeHead(500).end(`Not now: ${text}`);
  const webhook = await newWebhook(service, account, receiver.url);
  const { apiKey: api_key } = account;
  for (const name of ['ada-lovelace', 'bob-builder']) {
    const visit = await post(account, '/v1/visits', { api_key, url: `https://shop.example/?gclid=${name}-click` });
    const properties = { email: `${name}@shop.example`, sessionHash: visit.sessionHash, value: 3 };
    await post(account, '/v1/events', { api_key, event: 'order', properties });
    await post(account, '/v1/events', { api_key, event: 'alone', properties: { email: `${name}@shop.example` } });
  }
  // Of each lead: two events, lead.created (and perhaps lead.updated), a conversion.
  await until(async () => (await bodies(account)).length >= 8 && receiver.received.length >= 8);
  // No payload is created after a test moves the clock.
  await until(async () => {
    const { rows } = await service.db.query('select from outbox where account_id = $1', [account.uuid]);
    return rows.length === 0;
  });
  return { account, receiver, webhook };
}

test('erasing a lead erases it, and no other lead, from every stored payload; pending payloads are delivered erased', async () => {
  const { account, receiver } = await visited();
  const before = await bodies(account);
  await until(async () => (await responses(account)).length >= 8);
  const stored = await responses(account);
  const { id } = await post(account, '/v1/leads/erase', { email: 'ada-lovelace@shop.example' });
  await until(async () => {
    const { body: job } = await service.call(`GET /v1/jobs/get-by-id?id=${id}`, { as: account });
    return job.status === 'completed';
  });
  const after = (await bodies(account)).slice(0, before.length);
  for (const { type, body } of after) assert.doesNotMatch(body, /ada-lovelace/, type);
  const erased = after.map(({ body }) => JSON.parse(body)).filter(({ data }) => data.erased);
  assert.ok(erased.length >= 4);
  for (const { data } of erased) assert.deepEqual(Object.keys(data), ['id', 'sequence', 'erased']);
  assert.deepEqual(
    await responses(account),
    stored.filter((response) => !response.includes('ada-lovelace')),
  );
  assert.ok(
    stored.some((text) => text.includes('ada-lovelace')) && stored.some((text) => text.includes('bob-builder')),
  );
  const bobs = (all: { body: string }[]) =>
    all.filter(({ body }) => body.includes('bob-builder')).map(({ body }) => body);
  assert.deepEqual(bobs(after), bobs(before));

  receiver.received.length = 0;
  receiver.respond = (response) => response.end();
  service.clock.now += 6_000;
  await until(() => receiver.received.filter(({ body }) => body.data.erased).length === erased.length);
  assert.ok(!receiver.received.some(({ text }) => text.includes('ada-lovelace')));
});

test('retention erases payloads about visitors and leads that are older than the data retention', async () => {
  const { account, receiver } = await visited();
  // Otherwise, eight days of failures would disable the webhook.
  receiver.respond = (response) => response.end();
  service.clock.now += 8 * DAY;
  await post(account, '/v1/events', { api_key: account.apiKey, event: 'fresh', properties: { note: 'kept' } });
  await until(async () => (await bodies(account)).some(({ body }) => body.includes('fresh')));
  const patch = { as: account, body: { retentionDays: 7 } };
  assert.equal((await service.call('PATCH /v1/tracking/settings', patch)).status, 200);
  await until(async () => !(await bodies(account)).some(({ body }) => /ada-lovelace|bob-builder/.test(body)));
  assert.ok((await bodies(account)).some(({ body }) => body.includes('kept')));
});

test('the partitions of a day are dropped once its deliveries can no longer be read, and not before', async () => {
  const { account, webhook } = await visited();
  const days = async () => {
    const { rows } = await service.db.query(
      "select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'webhook_messages'::regclass",
    );
    return rows.map((row) => row.name as string);
  };
  const day = Math.floor(service.clock.now / DAY);
  const partitions = new Partitions(service.db);
  await partitions.applyRetention(service.clock.now + 30 * DAY);
  assert.ok((await days()).includes(`webhook_messages_day${day}`));
  assert.ok((await bodies(account)).length >= 8);
  service.clock.now += 36 * DAY;
  const path = `GET /v1/webhooks/${webhook.id}/deliveries`;
  assert.deepEqual((await service.call(path, { as: account })).body.deliveries, []);
  await partitions.applyRetention(service.clock.now + DAY);
  assert.ok(!(await days()).includes(`webhook_messages_day${day}`));
  assert.deepEqual(await bodies(account), []);
});

test('an endpoint that hangs does not delay others and occupies only a few connections', async () => {
  const account = await service.newAccount();
  const hung = await startReceiver();
  hung.respond = () => {};
  const other = await startReceiver();
  for (const { url } of [hung, other]) await newWebhook(service, account, url, { events: ['event.recorded'] });
  const { apiKey: api_key } = account;
  for (let i = 0; i < 3; i++) {
    const items = Array.from({ length: 100 }, (_, n) => ({ event: { event: `e-${i}-${n}` } }));
    await post(account, '/v1/batch', { api_key, items });
  }
  await until(() => other.received.length === 300);
  assert.equal(new Set(other.received.map(({ body }) => body.id)).size, 300);
  assert.ok(hung.received.length <= 8, `${hung.received.length}`);
});

/** Every kind reaches a real receiver, signed and complete. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import type { Account } from '../../test/harness.ts';
import { until } from '../../test/until.ts';
import { ALL_KINDS, DESCRIBED, type Kind, payloadSchema } from './kinds.ts';
import { newWebhook, pushingService, type Received, startReceiver, verified } from './test-support.ts';

const service = await pushingService();

const ajv = new Ajv({ strict: false, allErrors: true });
addFormats.default(ajv);

/** What the schema promises, and not a member more. */
function assertAsDescribed({ body }: Received): void {
  const schema = payloadSchema(body.type as Kind);
  const data = { ...DESCRIBED[body.type as Kind].data, additionalProperties: false };
  const validate = ajv.compile({ ...schema, additionalProperties: false, properties: { ...schema.properties, data } });
  assert.ok(validate(body), `${body.type}: ${JSON.stringify(validate.errors)} ${JSON.stringify(body)}`);
}

async function subscribed(events?: string[]) {
  const account = await service.newAccount();
  const receiver = await startReceiver();
  const webhook = await newWebhook(service, account, receiver.url, events && { events });
  const post = async (path: string, body: unknown) => {
    const answer = await service.call(`POST ${path}`, { as: account, body });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body;
  };
  const next = async (n = 1) => {
    await until(() => receiver.received.length >= n, 10_000);
    assert.equal(receiver.received.length, n, JSON.stringify(receiver.received.map(({ body }) => body)));
    for (const each of receiver.received) {
      verified(webhook.secret, each);
      assertAsDescribed(each);
    }
    return receiver.received.splice(0).map(({ body }) => body);
  };
  return { account, receiver, webhook, post, next };
}

async function landing(account: Account, url = 'https://shop.example/?gclid=click-1&utm_campaign=summer') {
  const body = { api_key: account.apiKey, url };
  return (await service.call('POST /v1/visits', { body })).body;
}

test('every kind has an example that is as it is described', () => {
  for (const kind of ALL_KINDS) {
    const body = { id: 'msg_x', type: kind, timestamp: '2026-11-20T08:00:00.000Z', data: DESCRIBED[kind].example };
    assertAsDescribed({ path: '', headers: {}, text: '', body });
  }
});

test('an event is pushed with its properties, session and lead, and its lead with its sessions', async () => {
  const { account, post, next } = await subscribed();
  const visit = await landing(account);
  const { apiKey: api_key } = account;
  const properties = { email: 'Ada@shop.example', sessionHash: visit.sessionHash, step: 3, event_id: 'mine' };
  const { event_id } = await post('/v1/events', { api_key, event: 'signup', properties });
  const pushed = await next(2);
  const { data: event } = pushed.find(({ type }) => type === 'event.recorded');
  const { data: lead } = pushed.find(({ type }) => type === 'lead.created');
  assert.deepEqual([event.id, event.clientEventId, event.event, event.sequence], [event_id, 'mine', 'signup', 1]);
  assert.deepEqual(event.properties, properties);
  assert.deepEqual([event.session.hash, event.session.campaign], [visit.sessionHash, 'summer']);
  assert.deepEqual(event.lead, { id: lead.id, email: 'ada@shop.example' });
  assert.deepEqual([lead.firstSession.id, lead.latestSession.id, lead.sequence], [visit.sessionId, visit.sessionId, 1]);
  assert.equal(lead.firstSeenAt, event.occurredAt);

  service.clock.now += 5_000;
  await post('/v1/events', { api_key, event: 'back', properties: { email: 'ada@shop.example' } });
  const again = await next(2);
  const { data: seen } = again.find(({ type }) => type === 'lead.updated');
  assert.deepEqual([seen.id, seen.sequence, seen.firstSeenAt], [lead.id, 2, lead.firstSeenAt]);
  assert.equal(Date.parse(seen.lastSeenAt) - Date.parse(lead.lastSeenAt), 5_000);
});

test('events without anything to look up are pushed, a repeated one is not, and nobody hears of what it did not ask for', async () => {
  const { account, post, next } = await subscribed(['event.recorded']);
  const { apiKey: api_key } = account;
  const send = (event: string, properties = {}) => post('/v1/events', { api_key, event, properties });
  const ids = await Promise.all([
    send('a'),
    send('b'),
    send('c', { event_id: 'same' }),
    send('c', { event_id: 'same' }),
  ]);
  await send('c', { event_id: 'same', email: 'ada@shop.example' });
  const pushed = await next(3);
  const told = pushed.map(({ data }) => data.id).sort();
  assert.deepEqual(told, [...new Set(ids.map(({ event_id }) => event_id))].sort());
  const other = await subscribed(['event.recorded']);
  await send('d');
  await next(1);
  assert.equal(other.receiver.received.length, 0);
});

test('a conversion is pushed when it is reported and when it is restated, each as it was then', async () => {
  const { account, post, next } = await subscribed();
  const visit = await landing(account);
  const report = { gclid: 'click-1', eventId: 'order-1', value: 129.9, currency: 'EUR', extra: { note: 'x' } };
  const { _id } = await post('/v1/analytics/report-conversion', report);
  const [made] = await next();
  assert.equal(made.type, 'conversion.reported');
  const { session, ...data } = made.data;
  assert.equal(session.id, visit.sessionId);
  assert.deepEqual([session.campaign, session.clickIds], ['summer', { gclid: 'click-1' }]);
  assert.equal(session.landingUrl, 'https://shop.example/?gclid=click-1&utm_campaign=summer');
  assert.equal(data.id, _id);
  assert.deepEqual(
    [data.eventId, data.value, data.currency, data.identifier, data.extra, data.sequence],
    ['order-1', '129.9', 'EUR', { gclid: 'click-1' }, { note: 'x' }, 1],
  );

  await post('/v1/analytics/report-conversion', [
    { gclid: 'click-1', eventId: 'order-1', value: 64.95 },
    { gclid: 'click-1', eventId: 'order-1', currency: 'USD', value: 0 },
  ]);
  const restated = await next(2);
  restated.sort((a, b) => a.data.sequence - b.data.sequence);
  assert.deepEqual(
    restated.map((each) => [each.type, each.data.id, each.data.value, each.data.currency, each.data.sequence]),
    [
      ['conversion.restated', _id, '64.95', 'EUR', 2],
      ['conversion.restated', _id, '0', 'USD', 3],
    ],
  );
});

test('a conversion that finds its session late is pushed as matched, an unmatched one is not', async () => {
  const { account, post, next } = await subscribed();
  const { status } = await post('/v1/analytics/report-conversion', { gclid: 'late', eventId: 'order-2', value: 5 });
  assert.equal(status, 'unmatched');
  await landing(account, 'https://shop.example/?gclid=late');
  const [matched] = await next();
  assert.deepEqual(
    [matched.type, matched.data.value, matched.data.session.clickIds],
    ['conversion.matched', '5', { gclid: 'late' }],
  );
});

test('an entry is pushed with each of its versions', async () => {
  const { account, post, next } = await subscribed();
  const fields = [{ id: 'title', label: 'Title', type: 'text' }];
  const { id } = await post('/v1/cms/collections', { name: 'Posts', fields });
  const path = `/v1/cms/collections/${id}/entries`;
  const made = await post(path, { values: { title: 'one' } });
  const change = (body: unknown) => service.call(`PATCH ${path}/${made.id}`, { as: account, body });
  const changed = (await change({ values: { title: 'two' } })).body;
  const deleted = (await service.call(`DELETE ${path}/${made.id}`, { as: account })).body;
  const restored = (await change({ status: 'active' })).body;
  const pushed = (await next(4)).sort((a, b) => a.data.sequence - b.data.sequence);
  assert.deepEqual(
    pushed.map(({ type, data }) => [type, data]),
    [
      ['entry.created', { ...made, sequence: 1 }],
      ['entry.updated', { ...changed, sequence: 2 }],
      ['entry.deleted', { ...deleted, sequence: 3 }],
      ['entry.updated', { ...restored, sequence: 4 }],
    ],
  );
});

test('a job is pushed when it is done', async () => {
  const { account, post, next } = await subscribed();
  const { id } = await post('/v1/analytics/export', { dataset: 'events', format: 'csv' });
  const [done] = await next();
  assert.equal(done.type, 'job.completed');
  const { body: job } = await service.call(`GET /v1/jobs/get-by-id?id=${id}`, { as: account });
  assert.deepEqual(done.data, { ...job, sequence: 1 });
});

test('an endpoint is tested, whatever it subscribes to', async () => {
  const { webhook, post, next } = await subscribed(['lead.created']);
  const delivery = await post(`/v1/webhooks/${webhook.id}/test`, undefined);
  assert.deepEqual([delivery.type, delivery.status, delivery.attempts], ['webhook.test', 'pending', []]);
  const [tested] = await next();
  assert.deepEqual([tested.id, tested.type, tested.data.id], [delivery.id, 'webhook.test', webhook.id]);
});

/** Every topic reaches a real receiver, signed and complete. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import type { Account } from '../../../test/harness.ts';
import { until } from '../../../test/until.ts';
import { parseId } from '../../shared/ids.ts';
import { writeOutbox } from '../../shared/outbox.ts';
import { deliveringService, newWebhook, type Received, startReceiver, verified } from '../test-support.ts';
import { payloadSchema } from './openapi.ts';
import { REGISTRY } from './registry.ts';
import { ALL_TOPICS, type Topic } from './topic.ts';

const service = await deliveringService();

const ajv = new Ajv({ strict: false, allErrors: true });
addFormats.default(ajv);

/** Exactly the members of the schema. */
function assertMatchesSchema({ body }: Received): void {
  const [envelope, own] = payloadSchema(body.type as Topic).allOf;
  const data = { ...REGISTRY[body.type as Topic].data, additionalProperties: false };
  const properties = { ...envelope.properties, ...own.properties, data };
  const validate = ajv.compile({ ...own, required: Object.keys(properties), additionalProperties: false, properties });
  assert.ok(validate(body), `${body.type}: ${JSON.stringify(validate.errors)} ${JSON.stringify(body)}`);
}

test('the documentation lists every topic', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../../docs/webhooks.md'), 'utf8');
  assert.deepEqual(
    ALL_TOPICS.filter((topic) => !new RegExp(`^\\|[^|]*\`${topic}\``, 'm').test(text)),
    [],
  );
});

async function subscribed(events?: string[]) {
  const account = await service.newAccount();
  const receiver = await startReceiver();
  const webhook = await newWebhook(service, account, receiver.url, events && { events });
  const post = async (path: string, body: unknown) => {
    const response = await service.call(`POST ${path}`, { as: account, body });
    assert.equal(response.status, 200, JSON.stringify(response.body));
    return response.body;
  };
  const next = async (n = 1) => {
    await until(() => receiver.received.length >= n);
    assert.equal(receiver.received.length, n, JSON.stringify(receiver.received.map(({ body }) => body)));
    for (const each of receiver.received) {
      verified(webhook.secret, each);
      assertMatchesSchema(each);
    }
    return receiver.received.splice(0).map(({ body }) => body);
  };
  return { account, receiver, webhook, post, next };
}

async function landing(account: Account, url = 'https://shop.example/?gclid=click-1&utm_campaign=summer') {
  const body = { api_key: account.apiKey, url };
  return (await service.call('POST /v1/visits', { body })).body;
}

test('the example of every topic matches its schema', () => {
  for (const topic of ALL_TOPICS) {
    const body = { id: 'msg_x', type: topic, timestamp: '2026-11-20T08:00:00.000Z', data: REGISTRY[topic].example };
    assertMatchesSchema({ path: '', headers: {}, text: '', body });
  }
});

test('an event is sent with its properties, session and lead, and its lead with its sessions', async () => {
  const { account, post, next } = await subscribed();
  const visit = await landing(account);
  const { apiKey: api_key } = account;
  const properties = { email: 'Ada@shop.example', sessionHash: visit.sessionHash, step: 3 };
  const { event_id } = await post('/v1/events', { api_key, event: 'signup', id: 'mine', properties });
  const sent = await next(2);
  const { data: event } = sent.find(({ type }) => type === 'event.recorded');
  const { data: lead } = sent.find(({ type }) => type === 'lead.created');
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

test('an event is sent once, however often it is repeated, and only to webhooks that subscribe to it', async () => {
  const { account, post, next } = await subscribed(['event.recorded']);
  const { apiKey: api_key } = account;
  const send = (event: string, more = {}) => post('/v1/events', { api_key, event, ...more });
  const ids = await Promise.all([send('a'), send('b'), send('c', { id: 'same' }), send('c', { id: 'same' })]);
  await send('c', { id: 'same', properties: { email: 'ada@shop.example' } });
  const sent = await next(3);
  const received = sent.map(({ data }) => data.id).sort();
  assert.deepEqual(received, [...new Set(ids.map(({ event_id }) => event_id))].sort());
  const other = await subscribed(['event.recorded']);
  await send('d');
  await next(1);
  assert.equal(other.receiver.received.length, 0);
});

test('a lead that is seen again is sent at most once a second', async () => {
  const { account, post, next, receiver } = await subscribed(['lead.created', 'lead.updated']);
  const identify = (email: string) =>
    post('/v1/events', { api_key: account.apiKey, event: 'seen', properties: { email } });
  await identify('ada@shop.example');
  await next();
  for (let i = 0; i < 5; i++) await identify('ada@shop.example');
  service.clock.now += 999;
  await identify('ada@shop.example');
  service.clock.now += 1_002;
  await identify('ada@shop.example');
  const [updated] = await next();
  assert.equal(updated.type, 'lead.updated');
  // Another lead is not delayed by it; nothing else was sent before.
  await identify('bob@shop.example');
  const [created] = await next();
  assert.deepEqual([created.type, created.data.email], ['lead.created', 'bob@shop.example']);
  assert.equal(receiver.received.length, 0);
});

test('a conversion is sent when it is reported and when it is restated, each time in its state at that change', async () => {
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

test('a late match is sent as conversion.matched; an unmatched conversion is not sent', async () => {
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

test('each version of an entry is sent', async () => {
  const { account, post, next } = await subscribed();
  const fields = [{ id: 'title', label: 'Title', type: 'text' }];
  const { id } = await post('/v1/cms/collections', { name: 'Posts', fields });
  const path = `/v1/cms/collections/${id}/entries`;
  const made = await post(path, { values: { title: 'one' } });
  const change = (body: unknown) => service.call(`PATCH ${path}/${made.id}`, { as: account, body });
  const changed = (await change({ values: { title: 'two' } })).body;
  const deleted = (await service.call(`DELETE ${path}/${made.id}`, { as: account })).body;
  const restored = (await change({ status: 'active' })).body;
  const sent = (await next(4)).sort((a, b) => a.data.sequence - b.data.sequence);
  assert.deepEqual(
    sent.map(({ type, data }) => [type, data]),
    [
      ['entry.created', { ...made, sequence: 1 }],
      ['entry.updated', { ...changed, sequence: 2 }],
      ['entry.deleted', { ...deleted, sequence: 3 }],
      ['entry.updated', { ...restored, sequence: 4 }],
    ],
  );
});

test('a job is sent when it ends', async () => {
  const { account, post, next } = await subscribed();
  const { id } = await post('/v1/analytics/export', { dataset: 'events', format: 'csv' });
  const [done] = await next();
  assert.equal(done.type, 'job.completed');
  const { body: job } = await service.call(`GET /v1/jobs/get-by-id?id=${id}`, { as: account });
  assert.deepEqual(done.data, { ...job, sequence: 1 });
});

test('a job that fails is sent with its error', async () => {
  const { account, post, next } = await subscribed(['job.failed']);
  const { id } = await post('/v1/analytics/export', { dataset: 'events', format: 'csv' });
  const read = async () => (await service.call(`GET /v1/jobs/get-by-id?id=${id}`, { as: account })).body;
  await until(async () => (await read()).status === 'completed');
  const uuid = parseId('job', id) ?? '';
  const error = { code: 'storage_full', detail: 'There is no space left.' };
  await service.db.query("update jobs set status = 'failed', result = null, error = $2 where id = $1", [uuid, error]);
  await writeOutbox(service.db, account.uuid, 'job.failed', [{ resourceId: uuid, sequence: 1 }], service.clock.now);
  const [failed] = await next();
  assert.deepEqual([failed.type, failed.data], ['job.failed', { ...(await read()), sequence: 1 }]);
  assert.deepEqual(failed.data.error, error);
});

test('a test is sent whatever the webhook subscribes to', async () => {
  const { webhook, post, next } = await subscribed(['lead.created']);
  const delivery = await post(`/v1/webhooks/${webhook.id}/test`, undefined);
  assert.deepEqual([delivery.type, delivery.status, delivery.attempts], ['webhook.test', 'pending', []]);
  const [tested] = await next();
  assert.deepEqual([tested.id, tested.type, tested.data.id], [delivery.id, 'webhook.test', webhook.id]);
});

test('publishing names the locales that change, and their slugs', async () => {
  const { account, post, next } = await subscribed(['entry.published', 'entry.unpublished']);
  const locales = { default: 'en', locales: [{ locale: 'en' }, { locale: 'de' }] };
  await service.call('PUT /v1/cms/locales', { as: account, body: locales });
  const slug = { id: 'slug', label: 'Slug', type: 'text', format: 'slug', localized: true };
  const { id } = await post('/v1/cms/collections', { name: 'Posts', publishing: true, fields: [slug] });
  const entry = await post(`/v1/cms/collections/${id}/entries`, { values: { slug: 'hello', 'slug@de': 'hallo' } });
  const change = (verb: string, body: object) => post(`/v1/cms/collections/${id}/entries/${entry.id}/${verb}`, body);
  await change('publish', { locales: ['en'] });
  await change('publish', { locales: ['de'] });
  await change('unpublish', { locales: ['de'] });
  await change('unpublish', {});
  const sent = (await next(4)).sort((one, other) => one.data.sequence - other.data.sequence);
  assert.deepEqual(
    sent.map(({ type, data }) => [type, data.slug, data.locales, data.slugs, data.publishedLocales]),
    [
      ['entry.published', 'hello', ['en'], { en: 'hello' }, { en: 1 }],
      ['entry.published', 'hello', ['de'], { de: 'hallo' }, { en: 1, de: 1 }],
      ['entry.unpublished', 'hello', ['de'], { de: 'hallo' }, { en: 1 }],
      ['entry.unpublished', 'hello', ['en'], { en: 'hello' }, {}],
    ],
  );
});

test('a webhook of one collection receives only its entries, with the slug that is or was published', async () => {
  const { account, receiver, webhook, post, next } = await subscribed(['entry.published', 'entry.unpublished']);
  const fields = [{ id: 'slug', label: 'Slug', type: 'text', format: 'slug' }];
  const create = () => post('/v1/cms/collections', { name: 'Posts', publishing: true, fields });
  const [posts, others] = [await create(), await create()];
  await service.call(`PATCH /v1/cms/collections/${posts.id}`, { as: account, body: { key: 'posts' } });
  const change = { collectionIds: ['posts', posts.id] };
  const changed = await service.call(`PATCH /v1/webhooks/${webhook.id}`, { as: account, body: change });
  assert.deepEqual(changed.body.collectionIds, [posts.id]);
  for (const { id } of [others, posts]) {
    const entries = `/v1/cms/collections/${id}/entries`;
    const entry = await post(entries, { values: { slug: 'hello' } });
    await post(`${entries}/${entry.id}/publish`, {});
    await service.call(`PATCH ${entries}/${entry.id}`, { as: account, body: { values: { slug: 'draft' } } });
    await post(`${entries}/${entry.id}/unpublish`, {});
  }
  const sent = await next(2);
  assert.deepEqual(sent.map(({ type, data }) => [type, data.collectionId, data.slug]).sort(), [
    ['entry.published', posts.id, 'hello'],
    ['entry.unpublished', posts.id, 'hello'],
  ]);
  assert.equal(receiver.received.length, 0);
});

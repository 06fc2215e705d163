/** Runs the Zapier app by Zapier's own runner against a service. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startReceiver } from '../../server/src/webhooks/test-support.ts';
import { until } from '../../server/test/until.ts';
import { TRIGGERS } from '../catalog.ts';
import { ARTICLES, startHeadwater } from './service.ts';

const APP = join(import.meta.dirname, '../zapier/index.js');
const { default: app } = await import(APP);
const zapier = createRequire(APP)('zapier-platform-core');
const runApp = zapier.createAppTester(app);

const service = await startHeadwater();
after(() => service.stop());
const receiver = await startReceiver();
const authData = { url: `${service.url}/`, token: service.token };
const { triggers, searches, creates } = app;
const run = (perform: unknown, inputData: object = {}, more: object = {}) =>
  runApp(perform, { authData, inputData, meta: {}, ...more });

const articles = await service.call('POST /v1/cms/collections', ARTICLES);

/** What Zapier's servers hand to a trigger for a request to its URL. */
const received = ({ text, headers, body }: (typeof receiver.received)[number], subscribeData: object) => ({
  subscribeData,
  cleanedRequest: body,
  rawRequest: {
    content: text,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [`Http-${name}`, value])),
  },
});

test('the definition is valid', async () => {
  const { results } = await zapier.createAppHandler(app)({ command: 'validate' });
  assert.deepEqual(results, []);
});

test('the connection is named by the account; a wrong token says what is wrong', async () => {
  assert.equal((await run(app.authentication.test)).name, 'Shop');
  const wrong = { authData: { ...authData, token: 'hw_sk_wrong' } };
  await assert.rejects(runApp(app.authentication.test, wrong), /token|key/i);
});

test('entries are created from the fields of their collection, updated, published and found', async () => {
  assert.deepEqual(await run(triggers.collections.operation.perform), [{ id: articles.id, name: 'Articles' }]);
  const collectionId = articles.id;
  const [fields] = await runApp(creates.createEntry.operation.inputFields.slice(-1)[0], {
    authData,
    inputData: { collectionId },
  }).then((all: object[]) => [all]);
  assert.deepEqual(
    fields.map(({ key, type, list, required }: Record<string, unknown>) => [key, type, list ?? false, required]),
    [
      ['value:title', 'text', false, true],
      ['value:price', 'number', false, false],
      ['value:body', 'text', false, false],
      ['value:tags', 'text', true, false],
      ['value:seo', 'string', false, false],
    ],
  );
  const entry = await run(creates.createEntry.operation.perform, {
    collectionId,
    'value:title': 'Dry skin',
    'value:price': 12.5,
    'value:body': '# Care',
    'value:tags': ['skin', 'care'],
    'value:seo': '{"title":"Care"}',
  });
  assert.deepEqual([entry.values.price, entry.values.tags, entry.values.seo.title], [12.5, ['skin', 'care'], 'Care']);
  assert.equal(entry.values.body.content[0].type, 'heading');
  const entryId = entry.id;
  await run(creates.updateEntry.operation.perform, { collectionId, entryId, 'value:title': 'Oily skin' });
  await run(creates.publishEntry.operation.perform, { collectionId, entryId });
  const found = await run(searches.findEntries.operation.perform, { collectionId, q: 'oily', state: 'published' });
  assert.deepEqual(
    found.map((each: { id: string }) => each.id),
    [entryId],
  );
  assert.deepEqual(
    await run(searches.findEntries.operation.perform, { collectionId, where: '{"price":{"gt":13}}' }),
    [],
  );
  await assert.rejects(
    run(creates.createEntry.operation.perform, { collectionId, 'value:seo': '{' }),
    /SEO is no JSON/,
  );
  await assert.rejects(
    run(creates.createEntry.operation.perform, { collectionId, 'value:title': 'A', 'value:price': 'much' }),
    /number/i,
  );
});

test('conversions are reported, events recorded, and found', async () => {
  const { operation } = creates.reportConversion;
  const sale = { identifier: 'gclid', identifierValue: 'zap-1', value: '12.90', currency: 'EUR', eventId: 'z-1' };
  assert.equal((await run(operation.perform, sale)).status, 'unmatched');
  const [unmatched] = await run(searches.findUnmatchedConversions.operation.perform, { q: 'z-1' });
  assert.equal(unmatched.value, '12.90');
  const properties = '{"email":"ada@shop.example","value":20,"currency":"EUR"}';
  const event = await run(creates.recordEvent.operation.perform, { event: 'call_booked', properties });
  assert.match(event.event_id, /^evt_/);
  const [lead] = await run(searches.findLeads.operation.perform, { q: 'ada@' });
  assert.equal(lead.email, 'ada@shop.example');
  assert.equal((await run(searches.findConversions.operation.perform, { event: 'call_booked' }))[0].value, '20');
});

for (const { key, topics } of TRIGGERS) {
  test(`${key} subscribes to ${topics.join(', ')}, and unsubscribes`, async () => {
    const { operation } = triggers[key];
    const inputData = { filters: [{ field: 'value', operator: 'gte', value: '10' }] };
    const more = { targetUrl: receiver.url };
    const subscribeData = await run(operation.performSubscribe, inputData, more);
    const webhook = await service.call(`GET /v1/webhooks/${subscribeData.id}`);
    assert.deepEqual([webhook.url, webhook.events], [receiver.url, topics]);
    assert.deepEqual(webhook.filters.at(-1), { field: 'value', operator: 'gte', value: 10 });
    const samples = await run(operation.performList);
    assert.ok(samples.length > 0 && samples.every(({ id, data }: { id: string; data: object }) => id && data));
    await run(operation.performUnsubscribe, {}, { subscribeData });
    const { webhooks } = await service.call('GET /v1/webhooks');
    assert.deepEqual(webhooks, []);
  });
}

test('a message starts a Zap if it is signed, and not if it is forged', async () => {
  const { operation } = triggers.conversionRefunded;
  const subscribeData = await run(operation.performSubscribe, {}, { targetUrl: receiver.url });
  const landing = { api_key: service.token, url: 'https://shop.example/?gclid=zap-2' };
  const { sessionId } = await service.call('POST /v1/visits', landing);
  const sessions = await run(searches.findSessions.operation.perform, { q: 'zap-2' });
  assert.deepEqual(
    sessions.map(({ id }: { id: number }) => id),
    [sessionId],
  );
  for (const value of ['50', '40', '0']) {
    const sale = { identifier: 'gclid', identifierValue: 'zap-2', value, currency: 'EUR', eventId: 'order-1' };
    assert.equal((await run(creates.reportConversion.operation.perform, sale)).status, 'reported');
  }
  await until(() => receiver.received.length > 0);
  const [message] = receiver.received;
  assert.ok(message);
  const [item] = await run(operation.perform, {}, received(message, subscribeData));
  assert.deepEqual([item.type, item.data.value, item.data.eventId], ['conversion.restated', '0', 'order-1']);
  const forged = { ...message, text: message.text.replace('"0"', '"9"') };
  for (const each of [
    received(forged, subscribeData),
    received(message, {}),
    { ...received(message, subscribeData), rawRequest: {} },
  ]) {
    await assert.rejects(run(operation.perform, {}, each), /signature/);
  }
  assert.equal(receiver.received.length, 1);
});

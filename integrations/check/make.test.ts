/**
 * Carries out the requests of Make's app against a service. Make publishes no runner, so `evaluate` executes the few expressions that the app
 * uses as Make documents them: what has no value is left out.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startReceiver } from '../../server/src/webhooks/test-support.ts';
import { until } from '../../server/test/until.ts';
import { TRIGGERS } from '../catalog.ts';
import { generatedFiles } from '../generate.ts';
import { ARTICLES, startHeadwater } from './service.ts';

type Scope = Record<string, unknown>;

const FUNCTIONS: Scope = {
  iff: (condition: unknown, yes: unknown, no: unknown) => (condition ? yes : no),
  length: (value: { length?: number } | undefined) => value?.length ?? 0,
  ifempty: (value: unknown, other: unknown) => (value === undefined || value === null || value === '' ? other : value),
  get: (object: Scope, name: string) => object[name],
  encodeURL: (value: string) => encodeURIComponent(value),
  toCollection: (rows: Scope[] | undefined, name: string, value: string) =>
    rows && Object.fromEntries(rows.map((row) => [row[name], row[value]])),
};

function expression(text: string, scope: Scope): unknown {
  const javascript = text
    .replace(/\bif\(/g, 'iff(')
    .replace(/ = /g, ' === ')
    .replace(/(?<=\w)\.(?=\w)/g, '?.');
  const all = { ...FUNCTIONS, ...scope };
  return new Function(...Object.keys(all), `return ${javascript}`)(...Object.values(all));
}

function evaluate(value: unknown, scope: Scope): unknown {
  if (typeof value === 'string') {
    const whole = /^\{\{((?:(?!\}\}).)*)\}\}$/.exec(value)?.[1];
    if (whole !== undefined) return expression(whole, scope);
    return value.replace(/\{\{(.*?)\}\}/g, (_, text) => String(expression(text, scope) ?? ''));
  }
  if (Array.isArray(value)) return value.map((each) => evaluate(each, scope));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, evaluate(each, scope)]));
}

const files = generatedFiles();
// biome-ignore lint/suspicious/noExplicitAny: files of many shapes
const read = (path: string): any => JSON.parse(files.get(`make/src/${path}`) ?? assert.fail(`there is no ${path}`));
const base = read('general/base.iml.json');
const app = read('makecomapp.json').components;

const service = await startHeadwater();
after(() => service.stop());
const receiver = await startReceiver();
const connection = { url: service.url, token: service.token };
const articles = await service.call('POST /v1/cms/collections', ARTICLES);

/** The outputs of a communication. @throws the message that Make shows */
// biome-ignore lint/suspicious/noExplicitAny: outputs of every shape
async function run(file: string, given: Scope = {}): Promise<any[]> {
  const { url, method, qs = {}, body, response, temp, pagination } = read(file);
  const scope: Scope = { parameters: {}, connection, webhook: {}, payload: {}, ...given };
  scope.temp = evaluate(temp ?? {}, scope);
  const outputs: unknown[] = [];
  let query: Scope = qs;
  for (;;) {
    const target = new URL(String(evaluate(url.startsWith('{{') ? url : base.baseUrl + url, scope)));
    for (const [name, value] of Object.entries(evaluate(query, scope) as Scope)) {
      if (value !== undefined) target.searchParams.set(name, String(value));
    }
    const sent = body === undefined ? {} : { body: JSON.stringify(evaluate(body, scope)) };
    const headers = evaluate({ ...base.headers, 'content-type': 'application/json' }, scope) as Record<string, string>;
    const answer = await fetch(target, { method, headers, ...sent });
    const received = { ...scope, body: await answer.json(), statusCode: answer.status };
    if (answer.status !== 200) throw new Error(String(evaluate(base.response.error.message, received)));
    if (response?.data) return [evaluate(response.data, received)];
    const { iterate, output, limit } = response ?? {};
    const container = typeof iterate === 'object' ? iterate.container : iterate;
    const items = container ? (evaluate(container, received) as unknown[]) : [undefined];
    for (const item of items) {
      const each = { ...received, item };
      if (typeof iterate === 'object' && !evaluate(iterate.condition, each)) continue;
      outputs.push(evaluate(output, each));
    }
    const most = limit ? Number(evaluate(limit, scope)) : Number.POSITIVE_INFINITY;
    if (outputs.length >= most || !pagination || !evaluate(pagination.condition, received))
      return outputs.slice(0, most);
    query = { ...qs, ...(evaluate(pagination.qs, received) as Scope) };
  }
}

const module = (key: string, parameters: Scope = {}) => run(app.module[key].codeFiles.communication, { parameters });

test('the connection is named by the account; a wrong token says what is wrong', async () => {
  const parameters = { url: service.url, token: service.token };
  const file = app.connection.headwater.codeFiles.communication;
  assert.deepEqual(await run(file, { parameters }), [connection]);
  await assert.rejects(run(file, { parameters, connection: { ...connection, token: 'hw_sk_no' } }), /\[401\]/);
});

test('entries are created from the fields of their collection, updated, published and found', async () => {
  const collectionId = articles.id;
  assert.deepEqual(await run(app.rpc.listCollections.codeFiles.communication), [
    { label: 'Articles', value: collectionId },
  ]);
  const fields = await run(app.rpc.collectionFields.codeFiles.communication, { parameters: { collectionId } });
  assert.deepEqual(
    fields.map(({ name, type }) => [name, type]),
    [
      ['title', 'text'],
      ['price', 'number'],
      ['body', 'text'],
      ['tags', 'any'],
      ['seo', 'any'],
    ],
  );
  const [entry] = await module('createEntry', { collectionId, values: { title: 'Dry skin', price: 12.5 } });
  const entryId = entry.id;
  await module('updateEntry', { collectionId, entryId, values: { title: 'Oily skin' } });
  await module('publishEntry', { collectionId, entryId });
  const found = await module('findEntries', { collectionId, q: 'oily', state: 'published', limit: 10 });
  assert.deepEqual(
    found.map(({ id, values }) => [id, values.price]),
    [[entryId, 12.5]],
  );
  const values = { title: 'Other' };
  const operations = Array.from({ length: 120 }, () => ({ op: 'create', collection: collectionId, values }));
  await service.call('POST /v1/cms/batch', { operations });
  assert.equal((await module('findEntries', { collectionId, limit: 115 })).length, 115);
  await assert.rejects(module('createEntry', { collectionId, values: { price: 'much' } }), /\[400\]/);
});

test('conversions are reported, events recorded, and found', async () => {
  const sale = { identifier: 'gclid', gclid: 'make-1', value: '12.90', currency: 'EUR', eventId: 'm-1' };
  assert.equal((await module('reportConversion', sale))[0].status, 'unmatched');
  assert.equal((await module('findUnmatchedConversions', { q: 'm-1', limit: 1 }))[0].value, '12.90');
  const properties = [
    { name: 'email', value: 'ada@shop.example' },
    { name: 'value', value: 20 },
    { name: 'currency', value: 'EUR' },
  ];
  assert.match((await module('recordEvent', { event: 'call_booked', properties }))[0].event_id, /^evt_/);
  assert.equal((await module('findLeads', { q: 'ada@', limit: 1 }))[0].email, 'ada@shop.example');
  assert.equal((await module('findConversions', { event: 'call_booked', limit: 1 }))[0].value, '20');
  assert.deepEqual(await module('findSessions', { q: 'nobody', limit: 1 }), []);
});

const attach = async (key: string, parameters: Scope) => {
  const { attach, detach } = app.webhook[key].codeFiles;
  const [webhook] = await run(attach, { parameters, webhook: { url: receiver.url } });
  return { webhook, detach: () => run(detach, { webhook }) };
};

for (const { key, topics, filters } of TRIGGERS) {
  test(`${key} subscribes to ${topics.join(', ')}, and unsubscribes`, async () => {
    const chosen = [{ field: 'value', operator: 'gte', value: 10 }];
    const { webhook, detach } = await attach(key, filters ? {} : { filters: chosen });
    const created = await service.call(`GET /v1/webhooks/${webhook.externalHookId}`);
    assert.deepEqual([created.url, created.events, created.filters], [receiver.url, topics, filters ?? chosen]);
    await detach();
    assert.deepEqual((await service.call('GET /v1/webhooks')).webhooks, []);
  });
}

test('a trigger reads the message from the service, which knows no forged one', async () => {
  const { webhook, detach } = await attach('entryPublished', { collectionIds: [articles.id], filters: [] });
  const [{ id: entryId }] = await module('createEntry', { collectionId: articles.id, values: { title: 'News' } });
  await module('publishEntry', { collectionId: articles.id, entryId });
  await until(() => receiver.received.length > 0);
  const file = app.module.entryPublished.codeFiles.communication;
  const payload = receiver.received[0]?.body;
  const [message] = await run(file, { webhook, payload: { ...payload, data: { values: { title: 'Fake' } } } });
  assert.deepEqual(message, payload);
  await assert.rejects(run(file, { webhook, payload: { ...payload, id: 'msg_forged' } }), /\[404\]/);
  await detach();
});

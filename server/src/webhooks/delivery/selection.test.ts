/** What an endpoint chooses to receive: filters, fields, thin payloads and Ed25519 signatures. */
import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { test } from 'node:test';
import { until } from '../../../test/until.ts';
import { deliveringService, newWebhook, type Received, startReceiver, verified } from '../test-support.ts';

const service = await deliveringService();
const receiver = await startReceiver();
const events = ['event.recorded'];

/** Records events, the last of which is called `end`, and returns what arrived until then. */
async function receive(more: Record<string, unknown>, sent: Record<string, unknown>[]) {
  const account = await service.newAccount();
  const path = `/${account.id}`;
  const webhook = await newWebhook(service, account, `${receiver.url}${path}`, { events, ...more });
  for (const properties of sent) {
    const body = { api_key: account.apiKey, event: 'x', properties };
    assert.equal((await service.call('POST /v1/events', { body })).status, 200);
  }
  const arrived = () => receiver.received.filter((each) => each.path.endsWith(path));
  const isLast = ({ body }: Received) => body.data.properties?.last === true;
  await until(() => arrived().some(isLast));
  return { account, webhook, arrived: arrived() };
}

const amounts = [{ amount: '9.50' }, { amount: 10 }, { amount: 'ten' }, {}, { amount: ['12'], last: true }];

for (const [filter, expected] of [
  [{ operator: 'gte', value: 10 }, [10]],
  [{ operator: 'lt', value: 10 }, ['9.50']],
  [{ operator: 'eq', value: 9.5 }, ['9.50']],
  [{ operator: 'ne', value: 10 }, ['9.50', 'ten', undefined]],
  [{ operator: 'in', value: ['ten', null] }, ['ten', undefined]],
  [{ operator: 'contains', value: 'e' }, ['ten']],
  [{ operator: 'exists', value: false }, [undefined]],
  [{ operator: 'gt', value: 'a' }, ['ten']],
] as const) {
  test(`a filter ${filter.operator} ${JSON.stringify(filter.value)} sends only messages that meet it`, async () => {
    // Sent to another webhook of the same account, which has no filter, the last message says that all were considered.
    const account = await service.newAccount();
    const [filtered, all] = [`/${account.id}/filtered`, `/${account.id}/all`];
    await newWebhook(service, account, receiver.url + all, { events });
    const filters = [{ field: 'properties.amount', ...filter }];
    await newWebhook(service, account, receiver.url + filtered, { events, filters });
    for (const properties of amounts.slice(0, 4)) {
      await service.call('POST /v1/events', { body: { api_key: account.apiKey, event: 'x', properties } });
    }
    const at = (path: string) => receiver.received.filter((each) => each.path.endsWith(path));
    await until(() => at(all).length >= 4 && at(filtered).length >= expected.length);
    const { body } = await service.call('GET /v1/webhooks', { as: account });
    const id = body.webhooks[1].id;
    const { deliveries } = (await service.call(`GET /v1/webhooks/${id}/deliveries`, { as: account })).body;
    assert.equal(deliveries.length, expected.length);
    const values = at(filtered).map((each) => each.body.data.properties.amount);
    const sorted = (list: readonly unknown[]) => list.map(String).sort();
    assert.deepEqual(sorted(values), sorted(expected));
  });
}

test('fields are the only members sent, besides those that identify the resource', async () => {
  const fields = ['event', 'session.source', 'properties.last'];
  const { arrived, webhook } = await receive({ fields }, [{ secret: 1, last: true }]);
  const [{ body } = assert.fail()] = arrived;
  assert.deepEqual(Object.keys(body).sort(), ['data', 'id', 'timestamp', 'type']);
  const { id, sequence, ...rest } = body.data;
  assert.match(id, /^evt_/);
  assert.equal(sequence, 1);
  assert.deepEqual(rest.properties, { last: true });
  assert.ok(!('receivedAt' in rest) && !JSON.stringify(body).includes('secret'));
  assert.ok(verified(webhook.secret, arrived[0] as Received));
});

test('a thin payload says which resource changed and nothing about it', async () => {
  const account = await service.newAccount();
  const path = `/${account.id}`;
  await newWebhook(service, account, receiver.url + path, { events, payload: 'thin' });
  await newWebhook(service, account, `${receiver.url + path}/full`, { events });
  await service.call('POST /v1/events', { body: { api_key: account.apiKey, event: 'x', properties: { a: 1 } } });
  const at = (end: string) => receiver.received.find((each) => each.path.endsWith(end));
  await until(() => at(path) !== undefined && at('/full') !== undefined && at(`${path}/full`) !== undefined);
  const [thin, full] = [at(path)?.body, at(`${path}/full`)?.body];
  assert.deepEqual(thin.data, { id: full.data.id, sequence: 1 });
  assert.equal(full.data.properties.a, 1);
  assert.notEqual(thin.id, full.id);
});

/** Whether one of the message's `v1a` signatures is valid for a public key as the API returns it. */
function isSigned({ headers, text }: Received, publicKey: string): boolean {
  const raw = Buffer.from(publicKey.replace('whpk_', ''), 'base64');
  const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') } });
  const signed = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`);
  const signatures = (headers['webhook-signature'] ?? '').split(' ').filter((each) => each.startsWith('v1a,'));
  return signatures.some((each) => verify(null, signed, key, Buffer.from(each.slice(4), 'base64')));
}

test('with ed25519 messages are signed with a key pair beside the secret, through rotations, until it is turned off', async () => {
  const { account, webhook, arrived } = await receive({ ed25519: true }, [{ last: true }]);
  const call = async (route: string, body?: unknown) =>
    (
      await service.call(`${route.split(' ')[0]} /v1/webhooks/${webhook.id}${route.split(' ')[1] ?? ''}`, {
        as: account,
        body,
      })
    ).body;
  const { publicKey: first } = await call('GET');
  assert.equal(Buffer.from(first.replace(/^whpk_/, ''), 'base64').length, 32);
  const [message = assert.fail()] = arrived;
  assert.ok(isSigned(message, first));
  assert.ok(verified(webhook.secret, message), 'the secret signs as well');
  assert.ok(!isSigned({ ...message, text: `${message.text} ` }, first));

  const next = async () => {
    const { id } = await call('POST /test', {});
    await until(() => receiver.received.some(({ headers }) => headers['webhook-id'] === id));
    return receiver.received.find(({ headers }) => headers['webhook-id'] === id) as Received;
  };
  const rotated = await call('POST /rotate-secret', {});
  assert.notEqual(rotated.publicKey, first);
  const both = await next();
  assert.ok(isSigned(both, first) && isSigned(both, rotated.publicKey));
  assert.ok(verified(webhook.secret, both) && verified(rotated.secret, both));

  assert.deepEqual(await call('PATCH', { ed25519: true }).then(({ publicKey }) => publicKey), rotated.publicKey);
  assert.equal((await call('PATCH', { ed25519: false })).publicKey, null);
  const without = await next();
  assert.ok(!isSigned(without, rotated.publicKey));
  assert.ok(verified(rotated.secret, without), 'the secret stays the same');
  const { publicKey } = await call('PATCH', { ed25519: true });
  assert.ok(![first, rotated.publicKey].includes(publicKey));
  assert.ok(isSigned(await next(), publicKey));
});

test('filters whose value does not fit, and fields of thin payloads, are refused with all faults', async () => {
  const account = await service.newAccount();
  const filters = [
    { field: 'value', operator: 'in', value: 1 },
    { field: 'value', operator: 'exists', value: 'yes' },
    { field: 'value', operator: 'gt', value: true },
    { field: 'value', operator: 'eq', value: null },
  ];
  const body = { url: receiver.url, payload: 'thin', fields: ['value'], filters };
  const refused = await service.call('POST /v1/webhooks', { as: account, body });
  assert.equal(refused.status, 400);
  assert.deepEqual(
    refused.body.errors.map(({ pointer }: { pointer: string }) => pointer),
    ['/filters/0/value', '/filters/1/value', '/filters/2/value', '/fields'],
  );
  const { id } = await newWebhook(service, account, receiver.url, { payload: 'thin' });
  const change = await service.call(`PATCH /v1/webhooks/${id}`, { as: account, body: { fields: ['value'] } });
  assert.deepEqual([change.status, change.body.code], [400, 'fields_conflict']);
  for (const field of ['', '.', 'a..b', 'a.', 'a\u0000b']) {
    const wrong = { filters: [{ field, operator: 'eq', value: 1 }] };
    assert.equal((await service.call(`PATCH /v1/webhooks/${id}`, { as: account, body: wrong })).status, 400, field);
  }
});

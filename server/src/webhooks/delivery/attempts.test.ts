/** Responses and failures of endpoints, over real sockets; the clock is moved, never waited for. */
import assert from 'node:assert/strict';
import { createServer as createTcpServer } from 'node:net';
import { test } from 'node:test';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import type { Account } from '../../../test/harness.ts';
import { until } from '../../../test/until.ts';
import { deliveringService, listen, newWebhook, type Receiver, startReceiver, verified } from '../test-support.ts';

const service = await deliveringService();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

interface Subscribed {
  account: Account;
  webhook: { id: string; secret: string };
}

async function subscribe(url: string): Promise<Subscribed> {
  const account = await service.newAccount();
  return { account, webhook: await newWebhook(service, account, url, { events: ['event.recorded'] }) };
}

async function record({ account }: Subscribed, event = 'x'): Promise<void> {
  const { status } = await service.call('POST /v1/events', { body: { api_key: account.apiKey, event } });
  assert.equal(status, 200);
}

// biome-ignore lint/suspicious/noExplicitAny: as the API returns it
const deliveries = async ({ account, webhook }: Subscribed, query = ''): Promise<any[]> =>
  (await service.call(`GET /v1/webhooks/${webhook.id}/deliveries${query}`, { as: account })).body.deliveries;

const read = async ({ account, webhook }: Subscribed) =>
  (await service.call(`GET /v1/webhooks/${webhook.id}`, { as: account })).body;

/** The only delivery, once it has this many attempts. */
async function attempted(to: Subscribed, attempts: number) {
  await until(async () => ((await deliveries(to))[0]?.attempts.length ?? 0) >= attempts);
  const [delivery] = await deliveries(to);
  assert.equal(delivery.attempts.length, attempts);
  return delivery;
}

/** Responds with this status. */
const status = (code: number, headers: Record<string, string> = {}): Receiver['respond'] => {
  return (response) => response.writeHead(code, headers).end();
};

/** Advances the clock to the next attempt. */
function toNext(delivery: { nextAttemptAt: string }): void {
  service.clock.now = Math.max(service.clock.now, Date.parse(delivery.nextAttemptAt));
}

test('a failed delivery is retried after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h under the same id, and then fails', async () => {
  const receiver = await startReceiver();
  receiver.respond = status(500);
  const to = await subscribe(receiver.url);
  await record(to);
  const delays = [5_000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
  for (const [i, delay] of delays.entries()) {
    const delivery = await attempted(to, i + 1);
    assert.equal(delivery.status, 'pending');
    const last = delivery.attempts.at(-1);
    assert.deepEqual([last.status, last.error], [500, 'status: the response status is not 2xx']);
    const waits = (Date.parse(delivery.nextAttemptAt) - Date.parse(last.at)) / delay;
    assert.ok(waits > 0.89 && waits < 1.11, `${waits} of ${delay}`);
    toNext(delivery);
  }
  const given = await attempted(to, 10);
  assert.deepEqual([given.status, given.nextAttemptAt], ['failed', null]);
  assert.deepEqual([...new Set(receiver.received.map(({ headers }) => headers['webhook-id']))], [given.id]);
  assert.equal(new Set(receiver.received.map(({ text }) => text)).size, 1);
  assert.equal((await read(to)).status, 'active');
});

test('the first 1,000 characters of an unsuccessful response are stored', async () => {
  const receiver = await startReceiver();
  const long = `\0Wrong: ${'é'.repeat(3_000)}`;
  const responses: [number, string, string | null][] = [
    [400, long, long.slice(1, 1_001)],
    [503, '', null],
    [200, 'fine', null],
  ];
  const to = await subscribe(receiver.url);
  receiver.respond = (response) => {
    const [code, body] = responses[receiver.received.length - 1] ?? [200, ''];
    response.writeHead(code).end(body);
  };
  await record(to);
  toNext(await attempted(to, 1));
  toNext(await attempted(to, 2));
  const { attempts } = await attempted(to, 3);
  const stored = attempts.map(({ status: code, response }: { status: number; response: string }) => [code, response]);
  assert.deepEqual(
    stored,
    responses.map(([code, , stored]) => [code, stored]),
  );
});

test('a retry that succeeds delivers the message and clears failingSince', async () => {
  const receiver = await startReceiver();
  receiver.respond = status(503);
  const to = await subscribe(receiver.url);
  await record(to);
  const failed = await attempted(to, 1);
  await until(async () => (await read(to)).failingSince !== null);
  receiver.respond = status(204);
  toNext(failed);
  const delivery = await attempted(to, 2);
  assert.deepEqual(
    [delivery.status, delivery.attempts[1].status, delivery.attempts[1].error],
    ['delivered', 204, null],
  );
  await until(async () => (await read(to)).failingSince === null);
});

test('only 2xx responses deliver a message', async () => {
  const receiver = await startReceiver();
  const to = await subscribe(receiver.url);
  const outcomes = new Map([200, 201, 202, 204, 206, 299].map((code) => [code, 'delivered']));
  for (const code of [300, 304, 399, 400, 401, 404, 408, 409, 429, 499, 500, 503, 599]) outcomes.set(code, 'pending');
  for (const [code, expected] of outcomes) {
    receiver.respond = status(code);
    await record(to, `${code}`);
    await until(async () => (await deliveries(to))[0]?.attempts[0]?.status === code);
    assert.equal((await deliveries(to))[0].status, expected, `${code}`);
  }
});

test('a redirect is a failure and is not followed', async () => {
  const elsewhere = await startReceiver();
  const receiver = await startReceiver();
  receiver.respond = status(307, { location: elsewhere.url });
  const to = await subscribe(receiver.url);
  await record(to);
  const { attempts, status: result } = await attempted(to, 1);
  assert.deepEqual(
    [attempts[0].status, attempts[0].error, result],
    [307, 'redirect: redirects are not followed', 'pending'],
  );
  assert.equal(elsewhere.connections, 0);
});

test('410 disables the webhook immediately; once enabled again, it receives what happens from then on', async () => {
  const receiver = await startReceiver();
  receiver.respond = status(410);
  const to = await subscribe(receiver.url);
  await record(to);
  assert.equal((await attempted(to, 1)).status, 'failed');
  const disabled = await read(to);
  assert.deepEqual([disabled.status, disabled.disabledReason], ['disabled', 'gone']);
  await record(to, 'missed');
  receiver.respond = status(200);
  const patch = { as: to.account, body: { status: 'active' } };
  assert.equal((await service.call(`PATCH /v1/webhooks/${to.webhook.id}`, patch)).body.disabledReason, null);
  await record(to, 'received');
  await until(() => receiver.received.length === 2);
  assert.equal(receiver.received[1]?.body.data.event, 'received');
});

test('Retry-After lengthens the delay, up to a day, and never shortens it', async () => {
  const receiver = await startReceiver();
  for (const [retryAfter, least, most] of [
    ['3600', HOUR, HOUR],
    ['999999999', 24 * HOUR, 24 * HOUR],
    ['1', 4_500, 5_500],
    ['soon', 4_500, 5_500],
  ] as const) {
    receiver.respond = status(429, { 'retry-after': retryAfter });
    const to = await subscribe(receiver.url);
    await record(to);
    const { attempts, nextAttemptAt } = await attempted(to, 1);
    const waits = Date.parse(nextAttemptAt) - Date.parse(attempts[0].at);
    assert.ok(waits >= least && waits <= most, `${retryAfter}: ${waits}`);
  }
});

test('five days of failures disable the webhook; what it did not receive can be replayed', async () => {
  const receiver = await startReceiver();
  receiver.respond = status(500);
  const to = await subscribe(receiver.url);
  await record(to, 'first');
  await attempted(to, 1);
  service.clock.now += 5 * 24 * HOUR - MINUTE;
  await until(async () => (await deliveries(to))[0].attempts.length === 2);
  assert.equal((await read(to)).status, 'active');
  service.clock.now += 2 * MINUTE;
  await record(to, 'last');
  await until(async () => (await read(to)).status === 'disabled');
  assert.equal((await read(to)).disabledReason, 'failing');
  await until(async () => (await deliveries(to, '?status=failed')).length === 2);
  assert.deepEqual(await deliveries(to, '?status=pending'), []);

  receiver.respond = status(200);
  receiver.received.length = 0;
  const path = `/v1/webhooks/${to.webhook.id}`;
  const refused = await service.call(`POST ${path}/replay`, { as: to.account, body: { status: 'failed' } });
  assert.deepEqual([refused.status, refused.body.code], [400, 'webhook_disabled']);
  await service.call(`PATCH ${path}`, { as: to.account, body: { status: 'active' } });
  const job = await service.call(`POST ${path}/replay`, { as: to.account, body: { status: 'failed' } });
  assert.equal(job.body.type, 'replay_webhook');
  const ended = async () => (await service.call(`GET /v1/jobs/get-by-id?id=${job.body.id}`, { as: to.account })).body;
  // The job may end after its deliveries.
  await until(async () => (await ended()).status === 'completed');
  assert.deepEqual((await ended()).result, { replayed: 2 });
  await until(async () => (await deliveries(to, '?status=delivered')).length === 2);
  assert.deepEqual(receiver.received.map(({ body }) => body.data.event).sort(), ['first', 'last']);
});

test('a single delivery can be replayed; it keeps its id and its attempts', async () => {
  const receiver = await startReceiver();
  const to = await subscribe(receiver.url);
  await record(to);
  await record(to, 'other');
  await until(() => receiver.received.length === 2);
  const id = receiver.received.find(({ body }) => body.data.event === 'x')?.body.id;
  const path = `/v1/webhooks/${to.webhook.id}`;
  await until(async () => (await deliveries(to, '?status=delivered')).length === 2);
  const body = { deliveryId: id };
  assert.equal((await service.call(`POST ${path}/replay`, { as: to.account, body })).status, 200);
  await until(() => receiver.received.length === 3);
  assert.equal(receiver.received[2]?.body.id, id);
  await until(async () => {
    const { body: delivery } = await service.call(`GET ${path}/deliveries/${id}`, { as: to.account });
    return delivery.attempts.length === 2 && delivery.status === 'delivered' && delivery.payload.id === id;
  });
});

test('a replay accepts every RFC 3339 time, and anything else is 400', async () => {
  const receiver = await startReceiver();
  const to = await subscribe(receiver.url);
  await record(to);
  await until(async () => (await deliveries(to, '?status=delivered')).length === 1);
  const day = new Date(service.clock.now).toISOString().slice(0, 10);
  const path = `POST /v1/webhooks/${to.webhook.id}/replay`;
  const replay = async (range: Record<string, string>) => {
    const { body: job, status } = await service.call(path, { as: to.account, body: { status: 'delivered', ...range } });
    assert.equal(status, 200, JSON.stringify(job));
    const read = () => service.call(`GET /v1/jobs/get-by-id?id=${job.id}`, { as: to.account });
    await until(async () => !['queued', 'running'].includes((await read()).body.status));
    await until(async () => (await deliveries(to, '?status=delivered')).length === 1);
    return (await read()).body.result?.replayed;
  };
  assert.equal(await replay({ from: `${day}T00:00:00+16:00` }), 1);
  assert.equal(await replay({ from: '2020-01-01T00:00:00,5Z', to: '2020-01-01T23:59:60Z' }), 0);
  for (const from of ['', 'yesterday', day, '2026-11-21T12:00:61Z']) {
    assert.equal((await service.call(path, { as: to.account, body: { from } })).status, 400, from);
  }
});

test('a reset, invalid HTTP, failed TLS and a closed port are failures with distinct reasons', async () => {
  const reset = await listen(createTcpServer((socket) => socket.once('data', () => socket.resetAndDestroy())));
  const babble = await listen(createTcpServer((socket) => socket.once('data', () => socket.end('hello\r\n'))));
  const closed = createTcpServer();
  const closedPort = await listen(closed);
  closed.close();
  for (const [url, error] of [
    [`http://127.0.0.1:${reset}/`, /^connection_reset$/],
    [`http://127.0.0.1:${babble}/`, /^response_malformed/],
    [`https://127.0.0.1:${babble}/`, /^tls_failed/],
    [`http://127.0.0.1:${closedPort}/`, /^connection_refused$/],
  ] as const) {
    const to = await subscribe(url);
    await record(to);
    const { attempts } = await attempted(to, 1);
    assert.match(attempts[0].error, error, url);
    assert.equal(attempts[0].status, null);
  }
});

test('after a rotation, the new and the previous secret both sign for 24 hours', async () => {
  const receiver = await startReceiver();
  const to = await subscribe(receiver.url);
  const path = `/v1/webhooks/${to.webhook.id}`;
  const { body: rotated } = await service.call(`POST ${path}/rotate-secret`, { as: to.account });
  assert.match(rotated.secret, /^whsec_/);
  assert.notEqual(rotated.secret, to.webhook.secret);
  const until24 = Date.parse(rotated.previousSecretUntil);
  assert.equal(until24 - service.clock.now, 24 * HOUR);
  const check = async (secret: string) => {
    const [last] = receiver.received.slice(-1);
    assert.ok(last);
    // The library compares the timestamp with its own clock.
    const at = Number(last.headers['webhook-timestamp']);
    const signature = new StandardWebhook(secret).sign(
      last.headers['webhook-id'] ?? '',
      new Date(at * 1000),
      last.text,
    );
    return last.headers['webhook-signature']?.split(' ').includes(signature);
  };
  await record(to);
  await until(() => receiver.received.length === 1);
  assert.deepEqual([await check(rotated.secret), await check(to.webhook.secret)], [true, true]);
  service.clock.now = until24;
  await record(to);
  await until(() => receiver.received.length === 2);
  assert.deepEqual([await check(rotated.secret), await check(to.webhook.secret)], [true, false]);
  assert.equal((await read(to)).previousSecretUntil, null);
});

test('the signature does not verify a changed payload or another secret', async (context) => {
  const receiver = await startReceiver();
  const to = await subscribe(receiver.url);
  await record(to);
  await until(() => receiver.received.length === 1);
  const [received] = receiver.received;
  assert.ok(received);
  context.mock.timers.enable({ apis: ['Date'], now: service.clock.now });
  assert.deepEqual(verified(to.webhook.secret, received), received.body);
  assert.throws(() => verified(to.webhook.secret, { ...received, text: received.text.replace('"x"', '"y"') }));
  assert.throws(() => verified('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', received));
});

test('a secret is returned only by the request that creates it, and is stored encrypted', async () => {
  const to = await subscribe('https://hooks.example/');
  const shown = await Promise.all([
    service.call('GET /v1/webhooks', { as: to.account }),
    service.call(`GET /v1/webhooks/${to.webhook.id}`, { as: to.account }),
    service.call(`PATCH /v1/webhooks/${to.webhook.id}`, { as: to.account, body: { description: 'x' } }),
  ]);
  for (const { body } of shown) assert.ok(!JSON.stringify(body).includes('secret"'), JSON.stringify(body));
  const headers = { 'idempotency-key': 'one' };
  const create = () =>
    service.call('POST /v1/webhooks', { as: to.account, headers, body: { url: 'https://hooks.example/' } });
  const [first, again] = [await create(), await create()];
  assert.deepEqual(first.body, again.body);
  const bytes = Buffer.from(first.body.secret.slice(6), 'base64');
  const { rows } = await service.db.query(
    'select e.secret, k.response::text as stored from webhook_endpoints e, idempotency_keys k',
  );
  for (const { secret, stored } of rows) {
    assert.ok(!secret.includes(bytes));
    assert.ok(!stored.includes('whsec_'));
  }
});

test('a deleted webhook receives nothing more and cannot be read', async () => {
  const receiver = await startReceiver();
  receiver.respond = status(500);
  const to = await subscribe(receiver.url);
  await record(to);
  const delivery = await attempted(to, 1);
  const path = `/v1/webhooks/${to.webhook.id}`;
  assert.equal((await service.call(`DELETE ${path}`, { as: to.account })).body.status, 'deleted');
  for (const each of [path, `${path}/deliveries`]) {
    assert.equal((await service.call(`GET ${each}`, { as: to.account })).status, 404);
  }
  toNext(delivery);
  await record(to);
  await until(async () => {
    const { rows } = await service.db.query('select from webhook_queue q where q.account_id = $1', [to.account.uuid]);
    return rows.length === 0;
  });
  assert.equal(receiver.received.length, 1);
});

test('deliveries are listed newest first, in pages, filtered by status and type', async () => {
  const receiver = await startReceiver();
  const to = await subscribe(receiver.url);
  for (let i = 0; i < 7; i++) await record(to, `event-${i}`);
  await service.call(`POST /v1/webhooks/${to.webhook.id}/test`, { as: to.account });
  await until(async () => (await deliveries(to, '?status=delivered')).length === 8);
  const path = `GET /v1/webhooks/${to.webhook.id}/deliveries`;
  const seen: string[] = [];
  for (let token: string | null = ''; token !== null; ) {
    const { body } = await service.call(`${path}?pageSize=3&type=event.recorded&pageToken=${token}`, {
      as: to.account,
    });
    seen.push(...body.deliveries.map(({ id }: { id: string }) => id));
    token = body.nextPageToken;
  }
  assert.equal(new Set(seen).size, 7);
  assert.deepEqual(seen, seen.toSorted().reverse());
  assert.equal((await deliveries(to, '?type=webhook.test')).length, 1);
  assert.deepEqual(await deliveries(to, '?status=failed'), []);
  const { body: first } = await service.call(`${path}?pageSize=3`, { as: to.account });
  const moved = await service.call(`${path}?pageSize=3&status=failed&pageToken=${first.nextPageToken}`, {
    as: to.account,
  });
  assert.deepEqual([moved.status, moved.body.code], [400, 'page_token_invalid']);
});

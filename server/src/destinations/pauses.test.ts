// Slow: outages of each platform, with dozens of conversions.
/** A destination never stops without a word: refused events do not hold up others, and a fault of the destination pauses it. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Call, Reply } from '../../test/platforms/fake.ts';
import type { FakeName } from '../../test/platforms/fakes.ts';
import { until } from '../../test/until.ts';
import { MAX_REFUSALS } from './delivery/health.ts';
import {
  CONNECTIONS,
  type Delivery,
  decidedDelivery,
  deliveryOf,
  newDestination,
  report,
  sendingService,
  visit,
} from './test-support.ts';

const service = await sendingService();
const ticking = setInterval(() => service.pass(5_000), 50);
after(() => clearInterval(ticking));

type Account = Awaited<ReturnType<typeof service.newAccount>>;

/** Conversions of one session, reported in one request. Returns their ids by event id. */
async function convertMany(account: Account, name: FakeName, count: number): Promise<Map<string, string>> {
  const { clickId } = CONNECTIONS[name];
  const click = `many-${name}`;
  const hash = await visit(service, account, clickId, click, { email: 'ada@shop.example' });
  const items = Array.from({ length: count }, (_, i) => {
    const createdOn = new Date(service.clock.now - i * 1000).toISOString();
    return { hash, eventId: `${name}-${i}`, value: i + 1, currency: 'EUR', createdOn };
  });
  const { body } = await service.call('POST /v1/analytics/report-conversion', { as: account, body: items });
  return new Map(items.map(({ eventId }, i) => [eventId, body[i]._id]));
}

const read = async (account: Account, id: string) =>
  (await service.call(`GET /v1/destinations/${id}`, { as: account })).body;

/** What waits for a retry is due, and the destination may be tried again. Without moving the clock, which IDs are made with. */
async function retryNow(account: Account): Promise<void> {
  const now = new Date(service.clock.now);
  const { uuid } = account;
  await service.db.query('update destination_queue set due_at = $2 where account_id = $1 and due_at > $2', [uuid, now]);
  await service.db.query('update destinations set blocked_until = $2 where account_id = $1', [uuid, now]);
}

const startAt = '2020-01-01T00:00:00Z';
const REFUSED: Reply = { status: 400, body: { error: 'The request is invalid.' } };

test('of 1,000 events that are refused together, the one at fault is found however few requests a turn may make', async () => {
  const account = await service.newAccount();
  const { microsoft } = service.platforms;
  microsoft.intercept = ({ body }) =>
    body.OfflineConversions?.some((each: { ConversionValue: number }) => each.ConversionValue === 1)
      ? REFUSED
      : undefined;
  const id = await newDestination(service, account, 'microsoft', { startAt });
  const conversions = await convertMany(account, 'microsoft', 1000);
  await until(async () => {
    const { counts } = await read(account, id);
    return counts.sent + counts.rejected === 1000;
  });
  microsoft.intercept = undefined;
  const { counts, status } = await read(account, id);
  assert.deepEqual([counts.sent, counts.rejected, status], [999, 1, 'active']);
  const refused = await deliveryOf(service, account, conversions.get('microsoft-0') ?? '');
  assert.deepEqual([refused.status, refused.reason], ['rejected', 'refused']);
  assert.match(refused.response, /The request is invalid/);
  assert.ok(microsoft.calls.length < 60, `${microsoft.calls.length} requests`);
});

const graphError = (code: number, error_subcode?: number): Reply => ({
  status: 400,
  body: { error: { message: `No permission (${code})`, code, error_subcode } },
});
const rpc = (status: number, name: string, field?: string): Reply => ({
  status,
  body: {
    error: { code: status, status: name, message: name, details: [{ fieldViolations: field ? [{ field }] : [] }] },
  },
});

/** Responses that say that the destination is at fault, whatever is sent. */
const FAULTS: [FakeName, string, Reply][] = [
  ['linkedin', 'a retired version', { status: 426, body: { code: 'NONEXISTENT_VERSION', message: 'Not active' } }],
  [
    'linkedin',
    'a lost permission',
    { status: 403, body: { code: 'ACCESS_DENIED', message: 'Not enough permissions' } },
  ],
  ['meta', 'a retired version', graphError(2635)],
  ['meta', 'a pixel that cannot be loaded', graphError(100, 33)],
  ['meta', 'a lost permission', graphError(200)],
  ['google', 'a disabled API', rpc(403, 'PERMISSION_DENIED')],
  ['google', 'a missing conversion action', rpc(400, 'INVALID_ARGUMENT', 'destinations[0].product_destination_id')],
  ['microsoft', 'a user without access', { status: 400, body: { OperationErrors: [{ Code: 106, Message: 'No' }] } }],
  ['tiktok', 'a pixel without permission', { status: 200, body: { code: 40_001, message: 'No permission' } }],
  ['pinterest', 'a retired endpoint', { status: 410, body: { message: 'Gone' } }],
  ['snapchat', 'a redirection', { status: 308, body: {} }],
  ['reddit', 'a lost permission', { status: 403, body: { message: 'Forbidden' } }],
  ['x', 'a retired version', { status: 404, body: { errors: [{ code: 'NOT_FOUND' }] } }],
  ['taboola', 'a disabled account', { status: 403, body: {} }],
  ['outbrain', 'a retired endpoint', { status: 404, body: {} }],
];

test('a fault of the destination pauses it with the words of the platform, and everything is sent once it has passed', async () => {
  for (const [name, what, reply] of FAULTS) {
    const account = await service.newAccount();
    const fake = service.platforms[name];
    fake.intercept = () => reply;
    const id = await newDestination(service, account, name, { startAt });
    const conversions = await convertMany(account, name, 3);
    await until(async () => (await read(account, id)).status === 'paused');
    const { pauseReason, error, counts } = await read(account, id);
    assert.deepEqual([pauseReason, counts.rejected, counts.queued], ['access', 0, 3], `${name}: ${what}`);
    const words = JSON.stringify(reply.body);
    if (words !== '{}') assert.ok(error.includes(words.slice(0, 40)), `${name}: ${what}: ${error}`);
    // Restored at the platform: the next attempt is an hour after the latest.
    fake.intercept = undefined;
    const { rows } = await service.db.query('select blocked_until from destinations where account_id = $1', [
      account.uuid,
    ]);
    const waits = rows[0].blocked_until.getTime() - service.clock.now;
    assert.ok(waits > 50 * 60_000 && waits <= 60 * 60_000, `${waits}`);
    await retryNow(account);
    for (const conversion of conversions.values()) {
      const { status, reason } = await decidedDelivery(service, account, conversion);
      assert.deepEqual([status, reason], ['sent', null], `${name}: ${what}`);
    }
    const after = await read(account, id);
    assert.deepEqual([after.status, after.pauseReason, after.error], ['active', null, null], `${name}: ${what}`);
  }
});

test('refusals in a row with one code pause the destination; once resumed, all are sent, or stay refused', async () => {
  for (const isFixed of [true, false]) {
    const account = await service.newAccount();
    const { meta } = service.platforms;
    meta.intercept = () => graphError(100, 2804019);
    const id = await newDestination(service, account, 'meta', { startAt });
    const conversions = await convertMany(account, 'meta', 60);
    await until(async () => (await read(account, id)).status === 'paused');
    const paused = await read(account, id);
    assert.equal(paused.pauseReason, 'refusals');
    assert.match(paused.error, /^\d+ conversions in a row were refused with the code 100\/2804019: .*No permission/);
    assert.ok(paused.counts.rejected < MAX_REFUSALS, JSON.stringify(paused.counts));
    if (isFixed) meta.intercept = undefined;
    const resumed = await service.call(`PATCH /v1/destinations/${id}`, { as: account, body: { mode: 'live' } });
    assert.deepEqual([resumed.body.status, resumed.body.pauseReason], ['active', null]);
    for (const conversion of conversions.values()) {
      await until(async () => {
        const { status } = await decidedDelivery(service, account, conversion);
        return status === (isFixed ? 'sent' : 'rejected');
      });
    }
    assert.equal((await read(account, id)).status, 'active');
    meta.intercept = undefined;
  }
});

test('an event whose request breaks the platform does not hold up the others', async () => {
  const account = await service.newAccount();
  const { tiktok } = service.platforms;
  tiktok.intercept = ({ body }: Call) =>
    body.data.some((each: { event_id: string }) => each.event_id === 'tiktok-3')
      ? { status: 500, body: {} }
      : undefined;
  const id = await newDestination(service, account, 'tiktok', { startAt });
  const conversions = await convertMany(account, 'tiktok', 40);
  // Others are accepted meanwhile.
  let sent = 0;
  await until(async () => {
    await retryNow(account);
    await visit(service, account, 'ttclid', `other-${++sent}`);
    await report(service, account, { ttclid: `other-${sent}`, value: 1, currency: 'EUR', eventId: `other-${sent}` });
    return (await read(account, id)).counts.sent >= 39 + sent - 3;
  });
  tiktok.intercept = undefined;
  const stuck: Delivery = await deliveryOf(service, account, conversions.get('tiktok-3') ?? '');
  assert.ok(['queued', 'uncertain'].includes(stuck.status), stuck.status);
});

test('values of the publishable key are sent only where the destination trusts them', async () => {
  const track = async (account: Account, value: number) => {
    const click = `public-${value}`;
    const sessionHash = await visit(service, account, 'gclid', click);
    const body = { api_key: account.apiKey, event: 'order', properties: { sessionHash, value, currency: 'EUR' } };
    const headers = { origin: 'https://shop.example', 'user-agent': 'Mozilla/5.0 (Test)' };
    assert.equal((await service.call('POST /v1/events', { body, headers })).status, 200);
    await until(async () => {
      const { body } = await service.call('GET /v1/conversions', { as: account });
      return body.conversions.some((each: Delivery) => Number(each.value) === value);
    });
    const { body: list } = await service.call('GET /v1/conversions', { as: account });
    const { id } = list.conversions.find((each: Delivery) => Number(each.value) === value);
    return { id, delivery: await decidedDelivery(service, account, id) };
  };
  const account = await service.newAccount();
  const id = await newDestination(service, account, 'google', { startAt });
  const made = await read(account, id);
  assert.equal(made.trustPublicValues, false);
  const { id: conversion, delivery } = await track(account, 987.65);
  assert.deepEqual([delivery.status, delivery.reason], ['skipped', 'value_untrusted']);
  assert.ok(!service.platforms.google.calls.some(({ text }) => text.includes('987.65')));
  await service.call(`PATCH /v1/destinations/${id}`, { as: account, body: { trustPublicValues: true } });
  await service.call(`POST /v1/destinations/${id}/replay`, { as: account, body: { conversionId: conversion } });
  await until(async () => (await deliveryOf(service, account, conversion)).status === 'sent');
});

test('Microsoft, which knows an order by click and second: orders of one day are distinct, and a refund reaches the right one', async () => {
  const account = await service.newAccount();
  const { microsoft } = service.platforms;
  await newDestination(service, account, 'microsoft', { startAt });
  const hash = await visit(service, account, 'msclkid', 'one-click');
  const createdOn = new Date(service.clock.now - 2 * 86_400_000).toISOString().slice(0, 10);
  const order = (i: number, value: number) =>
    report(service, account, { hash, eventId: `day-${i}`, value, currency: 'EUR', createdOn });
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) ids.push(await order(i, i + 1));
  for (const id of ids) assert.equal((await decidedDelivery(service, account, id)).status, 'sent');
  const counted = () => microsoft.ledger.filter(({ id }) => id.startsWith('one-click '));
  assert.deepEqual(
    counted()
      .map(({ value }) => value)
      .sort(),
    [1, 2, 3, 4, 5],
  );
  const times = counted().map(({ id }) => id.split(' ')[1] ?? '');
  assert.ok(
    times.every((time) => time.startsWith(createdOn)),
    times.join(),
  );
  await order(3, 0);
  await until(async () => (await deliveryOf(service, account, ids[3] ?? '')).status === 'retracted');
  assert.deepEqual(
    counted()
      .filter(({ isRetracted }) => isRetracted)
      .map(({ value }) => value),
    [4],
  );
  // Two that an earlier version sent with the same second.
  await service.db.query(
    `update destination_deliveries d set sent = jsonb_set(sent, '{occurredAt}', to_jsonb($2::text))
     where account_id = $1 and conversion_id in (select id from conversions where event_id in ('day-0', 'day-1'))`,
    [account.uuid, `${createdOn}T00:00:00.000Z`],
  );
  await order(0, 0);
  await until(async () => (await deliveryOf(service, account, ids[0] ?? '')).status === 'not_adjustable');
  assert.equal((await deliveryOf(service, account, ids[0] ?? '')).reason, 'ambiguous_time');
  assert.equal(counted().filter(({ isRetracted }) => isRetracted).length, 1);
});

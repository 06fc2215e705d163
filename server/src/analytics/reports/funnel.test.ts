import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import type { Account } from '../../../test/harness.ts';
import { service } from '../../../test/shared.ts';
import { isoTime } from '../../shared/time.ts';
import { aggregateNewRows } from '../aggregation/aggregate-new-rows.ts';
import { readEventValues } from '../engine/event-values.ts';

const MINUTE = 60_000;
const BASE = Date.parse('2026-03-10T12:00:00Z');
const PERIOD = { from: '2026-03-10', to: '2026-03-11', timeZone: 'UTC' };

async function ok(request: string, as: Account, body: unknown) {
  const response = await service.call(request, { as, body, headers: { 'user-agent': 'Mozilla/5.0 (X11) Chrome/153' } });
  assert.equal(response.status, 200, `${request}: ${JSON.stringify(response.body)}`);
  return response.body;
}

type Done = [minute: number, name: string, properties?: Record<string, unknown>];

/** A session whose actions are pages (starting with `/`) and events, at minutes of the day. */
async function session(as: Account, query: string, actions: Done[], day = BASE) {
  const url = (path: string) => `https://shop.example${path}?${query}`;
  const time = (minute: number) => isoTime(day + minute * MINUTE);
  const { sessionHash } = await ok('POST /v1/visits', as, { api_key: as.token, url: url('/'), occurredAt: time(0) });
  for (const [minute, name, properties = {}] of actions) {
    const body = name.startsWith('/')
      ? { url: url(name), sessionHash, occurredAt: time(minute) }
      : { event: name, properties: { ...properties, sessionHash }, occurredAt: time(minute) };
    await ok(name.startsWith('/') ? 'POST /v1/visits' : 'POST /v1/events', as, { api_key: as.token, ...body });
  }
}

const visit = (as: Account) => ok('POST /v1/visits', as, { api_key: as.token, url: 'https://shop.example/' });

async function shop() {
  const account = await service.newAccount();
  await session(account, 'utm_source=google', [
    [1, '/pricing'],
    [3, 'signup', { plan: 'Pro', seats: 12 }],
    [9, 'order', { value: 5 }],
  ]);
  await session(account, 'utm_source=google', [
    [2, '/plans'],
    [4, 'signup', { plan: 'free', seats: '2' }],
  ]);
  await session(account, 'utm_source=bing', [
    [1, '/pricing'],
    [2, 'signup', {}],
    [22, 'renewal'],
  ]);
  await session(account, 'utm_source=bing', [[1, '/pricing']], BASE - 86_400_000);
  await aggregateNewRows({ db: service.db, clock: () => service.clock.now });
  const funnel = (body: object) => ok('POST /v1/analytics/funnel', account, { ...PERIOD, ...body });
  const counts = async (body: object) => (await funnel(body)).steps.map(({ count }: { count: number }) => count);
  return { account, funnel, counts };
}

test('a step can be any of several pages and events', async () => {
  const { counts, funnel } = await shop();
  const steps = [
    { anyOf: [{ page: '/pricing' }, { page: '/plans' }] },
    { anyOf: [{ event: 'order' }, { event: 'renewal' }] },
  ];
  assert.deepEqual(await counts({ steps }), [3, 2]);
  assert.deepEqual(await counts({ steps: [{ page: '/pricing' }, { event: 'order' }] }), [2, 1]);
  assert.deepEqual((await funnel({ steps })).steps[0].anyOf, steps[0]?.anyOf);
});

test('conditions on properties compare texts in any case and numbers, and a missing property', async () => {
  const { counts } = await shop();
  const where = async (property: string, operator: string, ...values: string[]) =>
    (await counts({ steps: [{ page: '/' }, { event: 'signup', where: [{ property, operator, values }] }] }))[1];
  assert.equal(await where('plan', 'is', 'Pro'), 1);
  assert.equal(await where('plan', 'is', 'pro'), 0);
  assert.equal(await where('plan', 'is', 'Pro', 'free'), 2);
  assert.equal(await where('plan', 'isNot', 'Pro'), 2);
  assert.equal(await where('plan', 'contains', 'PR'), 1);
  assert.equal(await where('plan', 'containsNot', 'pr'), 2);
  assert.equal(await where('seats', 'atLeast', '2'), 2);
  assert.equal(await where('seats', 'atMost', '2'), 1);
  assert.equal(await where('seats', 'atLeast', 'many'), 0);
  assert.equal(await where("it's", 'is', "'); drop table events; --"), 0);
  const both = [
    { property: 'plan', operator: 'is', values: ['Pro'] },
    { property: 'seats', operator: 'atMost', values: ['5'] },
  ];
  assert.deepEqual(await counts({ steps: [{ event: 'signup', where: both }] }), [0]);
});

test('conditions on properties do not find events of another account, of another period or of bots', async () => {
  const { account, counts } = await shop();
  const other = await service.newAccount();
  await session(other, '', [[1, 'signup', { plan: 'Pro' }]]);
  await session(account, '', [[1, 'signup', { plan: 'Pro' }]], BASE - 40 * 86_400_000);
  await aggregateNewRows({ db: service.db, clock: () => service.clock.now });
  const where = [{ property: 'plan', operator: 'is', values: ['Pro'] }];
  assert.deepEqual(await counts({ steps: [{ event: 'signup', where }] }), [1]);
});

test('a funnel reports the time between steps, a comparison and a breakdown', async () => {
  const { funnel } = await shop();
  const steps = [{ page: '/pricing' }, { event: 'signup' }, { event: 'order' }];
  const report = await funnel({ steps, compare: 'previous', breakdownBy: 'source' });
  assert.deepEqual(
    report.steps.map(({ count, fromPrevious }: Record<string, unknown>) => [count, fromPrevious]),
    [
      [2, null],
      [2, { median: 90, average: 90 }],
      [1, { median: 360, average: 360 }],
    ],
  );
  assert.deepEqual(report.timeToConvert, { median: 480, average: 480 });
  assert.deepEqual(report.previous.steps, [
    { count: 1, ofFirst: 1 },
    { count: 0, ofFirst: 0 },
    { count: 0, ofFirst: 0 },
  ]);
  assert.equal(report.previous.from, '2026-03-09T00:00:00.000Z');
  const rows = report.breakdown.rows.map(({ value, counts }: Record<string, unknown>) => [value, counts]);
  assert.deepEqual(rows.sort(), [
    ['bing', [1, 1, 0]],
    ['google', [1, 1, 1]],
  ]);
  assert.deepEqual([(await funnel({ steps })).previous, (await funnel({ steps })).breakdown], [null, null]);
});

test('an event is broken down by a property, in sessions that pass the filters', async () => {
  const { account } = await shop();
  const get = async (more: string) => {
    const { timeZone, ...days } = PERIOD;
    const query = `${new URLSearchParams({ ...days, timeZone, event: 'signup' })}${more}`;
    const response = await service.call(`GET /v1/analytics/event-properties?${query}`, { as: account });
    assert.equal(response.status, 200, JSON.stringify(response.body));
    return response.body;
  };
  const { properties, rows } = await get('');
  assert.deepEqual([properties.includes('plan'), properties.includes('seats'), rows], [true, true, []]);
  assert.deepEqual((await get('&property=plan')).rows, [
    { value: null, events: 1, sessions: 1 },
    { value: 'Pro', events: 1, sessions: 1 },
    { value: 'free', events: 1, sessions: 1 },
  ]);
  assert.deepEqual((await get('&property=plan&contains=PRO')).rows, [{ value: 'Pro', events: 1, sessions: 1 }]);
  const filtered = await get('&property=seats&filter[source]=google&limit=1');
  assert.deepEqual([filtered.rows.length, filtered.more], [1, true]);
});

test('events of many sessions are read by time, with the same result, also those that arrived late or dated ahead', async () => {
  const account = await service.newAccount();
  const times = [-3 * 86_400_000, -86_400_000 - 1, -60_000, 0, 50 * MINUTE].map((ms) => service.clock.now + ms);
  for (const time of times) {
    const properties = { sessionHash: (await visit(account)).sessionHash, at: String(time) };
    await ok('POST /v1/events', account, { api_key: account.token, event: 'x', properties, occurredAt: isoTime(time) });
  }
  const { rows } = await service.db.query<{ session_number: string }>(
    'select session_number from events where account_id = $1',
    [account.uuid],
  );
  const client = new pg.Client(service.db.connection);
  await client.connect();
  const selection = {
    accountId: account.uuid,
    event: 'x',
    from: (times[0] ?? 0) + 1,
    to: times[4] ?? 0,
    properties: ['at'],
  };
  const read = async (maxLookups: number) => {
    const found: string[] = [];
    const numbers = rows.map((row) => Number(row.session_number));
    await readEventValues(client, selection, numbers, ({ values, at }) => found.push(`${values[0]} ${at}`), maxLookups);
    return found.sort();
  };
  assert.deepEqual(
    await read(0),
    times
      .slice(1, 4)
      .map((time) => `${time} ${time}`)
      .sort(),
  );
  assert.deepEqual(await read(9), await read(0));
  await client.end();
});

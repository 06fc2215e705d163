import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Account, testService } from '../../test/harness.ts';
import { aggregateNewRows } from '../analytics/aggregation/aggregate-new-rows.ts';
import { parseId } from '../shared/ids.ts';
import { isoTime } from '../shared/time.ts';
import { findExperiment } from './queries.ts';
import { readMetric } from './read-metric.ts';

const service = await testService();
const { call, db, clock } = service;
const DAY = 86_400_000;
const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36';
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';

async function ok(request: string, as: Account, body?: unknown) {
  const answer = await call(request, { as, headers: { 'user-agent': CHROME }, ...(body !== undefined && { body }) });
  assert.equal(answer.status, 200, `${request}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

async function faultsOf(request: string, as: Account, body?: unknown): Promise<string[]> {
  const answer = await call(request, { as, ...(body !== undefined && { body }) });
  assert.equal(answer.status, 400, JSON.stringify(answer.body));
  return answer.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`);
}

/** An account that has recorded a purchase and a sign-up. */
async function newShop(): Promise<Account> {
  const shop = await service.newAccount();
  const { sessionHash } = await visit(shop, 'first');
  await ok('POST /v1/analytics/report-conversion', shop, { sessionHash, event: 'purchase', value: 1, currency: 'EUR' });
  await ok('POST /v1/events', shop, { api_key: shop.apiKey, event: 'signup' });
  return shop;
}

const visit = (as: Account, visitorId: string) =>
  ok('POST /v1/visits', as, { api_key: as.apiKey, url: 'https://shop.example/', visitorId });

const draft = (key: string, more: object = {}) => ({
  key,
  name: 'Headline',
  variants: [
    { key: 'a', weight: 0.5 },
    { key: 'b', weight: 0.5 },
  ],
  metric: { event: 'purchase', kind: 'revenue', currency: 'EUR' },
  window: '2d',
  settleAfter: '3d',
  coverage: 1,
  ...more,
});

const expose = (as: Account, experiment: string, variant: string, properties: object) =>
  ok('POST /v1/events', as, {
    api_key: as.apiKey,
    event: 'experiment_exposure',
    properties: { experiment, variant, ...properties },
  });

test('an experiment is a draft, runs, stops and ships, and does nothing else', async () => {
  const shop = await newShop();
  const created = await ok('POST /v1/experiments', shop, draft('headline', { hypothesis: 'Shorter is better' }));
  assert.deepEqual([created.status, created.startedAt, created.guardrails, created.content], ['draft', null, [], []]);
  const path = `/v1/experiments/${created.id}`;
  assert.deepEqual(await ok(`GET ${path}`, shop), created);
  assert.deepEqual((await ok('GET /v1/experiments?status=draft', shop)).experiments, [created]);
  assert.deepEqual((await ok('GET /v1/experiments?status=running', shop)).experiments, []);
  assert.deepEqual(await faultsOf(`POST ${path}/stop`, shop), [' experiment_not_running']);
  assert.deepEqual(await faultsOf(`POST ${path}/ship`, shop, { variant: 'b' }), [' experiment_not_running']);
  assert.equal((await ok(`PATCH ${path}`, shop, { window: '4d' })).window, '4d');
  const running = await ok(`POST ${path}/start`, shop, {});
  assert.equal(running.status, 'running');
  assert.equal(running.startedAt, isoTime(clock.now));
  assert.deepEqual(await faultsOf(`POST ${path}/start`, shop), [' experiment_not_draft']);
  const stopped = await ok(`POST ${path}/stop`, shop);
  assert.deepEqual([stopped.status, stopped.stoppedAt], ['stopped', isoTime(clock.now)]);
  assert.deepEqual(await faultsOf(`POST ${path}/start`, shop), [' experiment_not_draft']);
  assert.deepEqual(await faultsOf(`POST ${path}/ship`, shop, { variant: 'c' }), ['/variant not_allowed']);
  const detailOf = async (request: string, body?: unknown) => (await call(request, { as: shop, body })).body.detail;
  assert.equal(await detailOf(`POST ${path}/stop`), 'The experiment is stopped. Create another one with a new key.');
  assert.equal(
    await detailOf(`PATCH ${path}`, { coverage: 0.5 }),
    '`/coverage` does not change once the experiment has ended. Create another experiment with a new key.',
  );
  const shipped = await ok(`POST ${path}/ship`, shop, { variant: 'b' });
  assert.deepEqual([shipped.status, shipped.shippedVariant], ['shipped', 'b']);
});

test('what decides a running experiment is frozen, and its name is not', async () => {
  const shop = await newShop();
  const { id } = await ok('POST /v1/experiments', shop, draft('frozen'));
  const running = await ok(`POST /v1/experiments/${id}/start`, shop);
  const change = {
    variants: [
      { key: 'a', weight: 0.4 },
      { key: 'b', weight: 0.6 },
    ],
    metric: { event: 'signup', kind: 'events' },
    window: '3d',
    settleAfter: '1d',
  };
  assert.deepEqual(await faultsOf(`PATCH /v1/experiments/${id}`, shop, change), [
    '/variants experiment_frozen',
    '/metric experiment_frozen',
    '/window experiment_frozen',
    '/settleAfter experiment_frozen',
  ]);
  assert.deepEqual(await ok(`GET /v1/experiments/${id}`, shop), running);
  const renamed = await ok(`PATCH /v1/experiments/${id}`, shop, { ...running, name: 'Other', coverage: 0.5 });
  assert.deepEqual(renamed, { ...running, name: 'Other', coverage: 0.5, updatedAt: renamed.updatedAt });
});

test('bad definitions are refused by name, all faults at once', async () => {
  const shop = await newShop();
  const weights = [
    { key: 'a', weight: 0.5 },
    { key: 'a', weight: 0.4 },
  ];
  const bad = draft('bad', { variants: weights, metric: { event: 'nothing', kind: 'revenue', currency: 'XX' } });
  assert.deepEqual(await faultsOf('POST /v1/experiments', shop, bad), [
    '/variants weights_invalid',
    '/variants/1/key duplicate',
    '/metric/currency currency_invalid',
    '/metric/event metric_unknown',
  ]);
  await ok('PATCH /v1/tracking/settings', shop, { retentionDays: 30 });
  const long = draft('long', { window: '14d', settleAfter: '30d' });
  assert.deepEqual(await faultsOf('POST /v1/experiments', shop, long), ['/window window_too_long']);
  await ok('POST /v1/experiments', shop, draft('taken'));
  assert.deepEqual(await faultsOf('POST /v1/experiments', shop, draft('taken')), ['/key key_taken']);
  const shares = (weight: number) => [1, 2, 3].map((i) => ({ key: `v${i}`, weight }));
  await ok('POST /v1/experiments', shop, draft('thirds', { variants: shares(1 / 3) }));
  await ok('POST /v1/experiments', shop, draft('typed', { variants: shares(0.3333333) }));
  const detailOf = async (weight: number) =>
    (await call('POST /v1/experiments', { as: shop, body: draft('less', { variants: shares(weight) }) })).body.detail;
  assert.equal(await detailOf(0.33333), 'The weights of the variants sum to 0.99999. They must sum to 1.');
  assert.match(await detailOf(0), /^`\/variants\/0\/weight` must be above 0\./);
});

test('experiments on one entry need a namespace, in which they share no visitor', async () => {
  const shop = await newShop();
  const fields = [{ id: 'title', label: 'Title', type: 'text' }];
  const { id: collectionId } = await ok('POST /v1/cms/collections', shop, { name: 'Pages', fields });
  const { id: entryId } = await ok(`POST /v1/cms/collections/${collectionId}/entries`, shop, {
    values: { title: 'x' },
  });
  const content = [{ collectionId, entryId }];
  const start = async (key: string, more: object) => {
    const { id } = await ok('POST /v1/experiments', shop, draft(key, { content, ...more }));
    return { id, start: `POST /v1/experiments/${id}/start` };
  };
  const first = await start('first', { namespace: 'home', coverage: 0.5 });
  const alone = await start('alone', {});
  const second = await start('second', { namespace: 'home' });
  await ok(first.start, shop);
  assert.deepEqual(await faultsOf(alone.start, shop), ['/content/0 experiment_overlap']);
  const { preceding } = await ok(second.start, shop);
  assert.deepEqual(
    preceding.map(({ key }: { key: string }) => key),
    ['first'],
  );
  let both = 0;
  let either = 0;
  for (let i = 0; i < 40; i++) {
    const variantIn = async ({ id }: { id: string }) =>
      (await ok(`GET /v1/experiments/${id}/assignment?visitorId=visitor-${i}`, shop)).variant;
    const variants = [await variantIn(first), await variantIn(second)].filter((variant) => variant !== null);
    if (variants.length === 2) both++;
    if (variants.length > 0) either++;
  }
  assert.deepEqual([both, either], [0, 40]);
  // Whoever entered the second one would be in both.
  const cover = (coverage: number) => [`PATCH /v1/experiments/${first.id}`, shop, { coverage }] as const;
  assert.deepEqual(await faultsOf(...cover(0.6)), ['/coverage experiment_overlap']);
  await ok(...cover(0.3));
  await ok(...cover(0.5));
  await ok(`POST /v1/experiments/${second.id}/stop`, shop);
  await ok(...cover(1));
});

test('the assignment is the published hash, and nobody is exposed by it', async () => {
  const shop = await newShop();
  const three = [0.2, 0.3, 0.5].map((weight, i) => ({ key: 'abc'[i], weight }));
  const { id } = await ok('POST /v1/experiments', shop, draft('seed', { variants: three, coverage: 0.5 }));
  await ok(`POST /v1/experiments/${id}/start`, shop);
  const fnv = (text: string) => {
    let hash = 2_166_136_261n;
    for (let i = 0; i < text.length; i++) hash = ((hash ^ BigInt(text.charCodeAt(i))) * 16_777_619n) & 0xffffffffn;
    return hash;
  };
  for (let i = 0; i < 30; i++) {
    const bucket = Number(fnv(String(fnv(`seedperson-${i}`))) % 10_000n);
    const variant =
      bucket < 1_000 ? 'a' : bucket >= 2_000 && bucket < 3_500 ? 'b' : bucket >= 5_000 && bucket < 7_500 ? 'c' : null;
    assert.deepEqual(await ok(`GET /v1/experiments/${id}/assignment?visitorId=person-${i}`, shop), { bucket, variant });
  }
  const { arms } = await ok(`GET /v1/experiments/${id}/results`, shop);
  assert.deepEqual(
    arms.map(({ visitors }: { visitors: number }) => visitors),
    [0, 0, 0],
  );
});

test('settled revenue decides, after refunds; bots, own visits, erased persons and late money do not', async () => {
  const shop = await newShop();
  const start = Math.max(clock.now, Date.parse('2026-11-24T00:00:00Z'));
  clock.now = start;
  const { id } = await ok(
    'POST /v1/experiments',
    shop,
    draft('money', { guardrails: [{ event: 'signup', kind: 'events' }] }),
  );
  await ok(`POST /v1/experiments/${id}/start`, shop);
  const results = async (query = '') => {
    await aggregateNewRows({ db, clock: () => clock.now });
    return ok(`GET /v1/experiments/${id}/results${query}`, shop);
  };
  const report = (sessionHash: string, eventId: string, value: number) =>
    ok('POST /v1/analytics/report-conversion', shop, {
      sessionHash,
      eventId,
      event: 'purchase',
      value,
      currency: 'EUR',
    });
  const sessions: string[] = [];
  for (let i = 0; i < 60; i++) {
    const { sessionHash } = await visit(shop, `person${i}`);
    sessions.push(sessionHash);
    await expose(shop, 'money', i % 2 === 0 ? 'a' : 'b', { sessionHash });
    await report(sessionHash, `order-${i}`, i % 2 === 0 ? 10 + (i % 5) : 30 + (i % 5));
  }
  // A second device of the same person, to whom the first variant belongs; and an exposure to something else.
  const { sessionHash: other } = await visit(shop, 'other-device');
  await expose(shop, 'money', 'a', { sessionHash: sessions[0], email: 'p0@shop.example' });
  await expose(shop, 'money', 'b', { sessionHash: other, email: 'p0@shop.example' });
  await expose(shop, 'money', 'nothing', { sessionHash: other });
  await report(other, 'order-other', 100);
  const early = await results();
  assert.deepEqual(
    early.arms.map(({ visitors, settledVisitors }: { visitors: number; settledVisitors: number }) => [
      visitors,
      settledVisitors,
    ]),
    [
      [30, 0],
      [30, 0],
    ],
  );
  assert.equal(early.contaminated, 1);
  assert.equal(early.comparisons[0].decision, 'undecided');
  assert.equal(early.toDate.comparisons[0].lift > 0, true);
  assert.equal('decision' in early.toDate.comparisons[0], false);
  assert.match(early.summary, /No visitor has settled/);

  clock.now = start + 2 * DAY;
  // Refunded before it settles.
  await report(sessions[1] as string, 'order-1', 0);
  clock.now = start + 6 * DAY;
  const settled = await results();
  const sums = settled.arms.map(({ settledRevenue }: { settledRevenue: string }) => Number(settledRevenue));
  assert.deepEqual(sums, [30 * 12 + 100, 30 * 32 - 31]);
  assert.equal(settled.comparisons[0].variant, 'b');
  assert.equal(settled.comparisons[0].metric, 'purchase');
  assert.equal(settled.sampleRatio.ok, true);
  assert.deepEqual(settled.sampleRatio.observed, [30, 30]);

  clock.now = start + 8 * DAY;
  // Too late to decide, but true.
  await report(sessions[3] as string, 'order-3', 0);
  const late = await results();
  assert.deepEqual(late.arms[1].settledRevenue, settled.arms[1].settledRevenue);
  assert.equal(Number(late.arms[1].revenue), Number(settled.arms[1].revenue) - 33);
  assert.deepEqual(await faultsOf(`GET /v1/experiments/${id}/results?asKnownOn=yesterday`, shop), [
    '?asKnownOn timestamp_invalid',
  ]);
  const past = await results(`?asKnownOn=${isoTime(start + 6 * DAY)}`);
  assert.deepEqual({ ...past, summary: '' }, { ...settled, summary: '' });

  await db.query('update sessions set is_internal = true where account_id = $1 and hash = $2', [
    shop.uuid,
    sessions[5],
  ]);
  await db.query(
    "update events set properties = '{}' where account_id = $1 and session_number = (select number from sessions where account_id = $1 and hash = $2)",
    [shop.uuid, sessions[7]],
  );
  const without = await results();
  assert.deepEqual(without.sampleRatio.observed, [30, 28]);
});

test('what a publishable key forges changes no other account, adds no variant and fails nothing', async () => {
  const [shop, other] = [await newShop(), await newShop()];
  const { sessionHash } = await visit(shop, 'forger');
  const theirs = await visit(other, 'theirs');
  const ids = [];
  for (const as of [shop, other]) {
    const { id } = await ok('POST /v1/experiments', as, draft('forged'));
    await ok(`POST /v1/experiments/${id}/start`, as);
    ids.push(id);
  }
  // As random as a text can be that no index compresses.
  const long = Array.from({ length: 500 }, () => crypto.randomUUID()).join('');
  await expose(shop, long, 'a', { visitorId: 'long-key' });
  await expose(shop, 'forged', long, { visitorId: 'long-variant' });
  await expose(shop, 'forged', 'c', { visitorId: 'no-variant' });
  await expose(shop, 'forged', 'a', { visitorId: 'erased:somebody' });
  await expose(shop, 'forged', 'a', { visitorId: long });
  await expose(shop, 'forged', 'b', { sessionHash });
  // A session of another account is none of this one.
  await expose(shop, 'forged', 'b', { sessionHash: theirs.sessionHash, visitorId: 'own' });
  const visitors = async (id: string, as: Account) =>
    (await ok(`GET /v1/experiments/${id}/results`, as)).arms.map((arm: { visitors: number }) => arm.visitors);
  assert.deepEqual(await visitors(ids[0], shop), [1, 2]);
  assert.deepEqual(await visitors(ids[1], other), [0, 0]);
});

test('exposures of a server without a session count, and those before the start or after the stop do not', async () => {
  const shop = await newShop();
  const { id } = await ok('POST /v1/experiments', shop, draft('server'));
  await expose(shop, 'server', 'a', { visitorId: 'early' });
  clock.now += 1_000;
  await ok(`POST /v1/experiments/${id}/start`, shop);
  clock.now += 1_000;
  await expose(shop, 'server', 'b', { visitorId: 'alone' });
  clock.now += 1_000;
  await ok(`POST /v1/experiments/${id}/stop`, shop);
  clock.now += 1_000;
  await expose(shop, 'server', 'b', { visitorId: 'late' });
  const { arms, summary } = await ok(`GET /v1/experiments/${id}/results`, shop);
  assert.deepEqual(
    arms.map(({ visitors }: { visitors: number }) => visitors),
    [0, 1],
  );
  assert.equal(typeof summary, 'string');
});

test('the audience is of whoever was first exposed in it; an exposure on a server is of the session of its visitor', async () => {
  const shop = await newShop();
  const { id } = await ok(
    'POST /v1/experiments',
    shop,
    draft('phones', { audience: { filters: { device: ['mobile'] } } }),
  );
  await ok(`POST /v1/experiments/${id}/start`, shop);
  const visitBy = async (visitorId: string, agent = CHROME): Promise<{ sessionHash: string }> => {
    const body = { api_key: shop.apiKey, url: 'https://shop.example/', visitorId };
    return (await call('POST /v1/visits', { as: shop, body, headers: { 'user-agent': agent } })).body;
  };
  const email = 'ada@shop.example';
  const { sessionHash: desktop } = await visitBy('desktop');
  await expose(shop, 'phones', 'a', { sessionHash: desktop, email });
  clock.now += 1_000;
  const { sessionHash: phone } = await visitBy('phone', PHONE);
  await expose(shop, 'phones', 'b', { sessionHash: phone, email });
  // A server renders the page, and then it loads. Later visits change nothing.
  for (const visitorId of ['rendered', 'rendered-2', 'own', 'desktop-2'])
    await expose(shop, 'phones', 'b', { visitorId });
  clock.now += 1_000;
  for (const visitorId of ['rendered', 'rendered-2', 'own']) await visitBy(visitorId, PHONE);
  await visitBy('desktop-2');
  await db.query("update sessions set is_internal = true where account_id = $1 and visitor_id = 'own'", [shop.uuid]);
  clock.now += DAY;
  await visitBy('desktop-2', PHONE);
  await visitBy('rendered');
  const { arms, segments } = await ok(`GET /v1/experiments/${id}/results?segment=device`, shop);
  const visitors = (of: { visitors: number }[]) => of.map((arm) => arm.visitors);
  assert.deepEqual(visitors(arms), [0, 2]);
  assert.deepEqual(
    segments.segments.map((each: { value: string; arms: [] }) => [each.value, visitors(each.arms)]),
    [['mobile', [0, 2]]],
  );
});

test('`asKnownOn` knows no exposure that was received later, whenever it happened', async () => {
  const shop = await newShop();
  const { id } = await ok('POST /v1/experiments', shop, draft('offline', { holdout: 0.1 }));
  await ok(`POST /v1/experiments/${id}/start`, shop);
  const visitors = async (query: string) =>
    (await ok(`GET /v1/experiments/${id}/results${query}`, shop)).arms.map((arm: { visitors: number }) => arm.visitors);
  const happened = clock.now + 1_000;
  const before = clock.now + 2_000;
  clock.now += 3_000;
  await ok('POST /v1/events', shop, {
    ...{ api_key: shop.apiKey, event: 'experiment_exposure', occurredAt: isoTime(happened) },
    properties: { experiment: 'offline', variant: 'b', visitorId: 'was-offline' },
  });
  assert.deepEqual(await visitors(`?asKnownOn=${isoTime(before)}`), [0, 0]);
  assert.deepEqual(await visitors(`?asKnownOn=${isoTime(clock.now)}`), [0, 1]);
  assert.deepEqual(await visitors(''), [0, 1]);
});

test('before the start, the own history tells how many visitors it takes; a young account plans with what it has', async () => {
  const shop = await newShop();
  clock.now = Math.max(clock.now, Date.parse('2026-11-24T00:00:00Z'));
  const { id } = await ok(
    'POST /v1/experiments',
    shop,
    draft('plan', { metric: { event: 'signup', kind: 'events' }, holdout: 0.1, coverage: 0.5 }),
  );
  for (let i = 0; i < 20; i++) {
    const { sessionHash } = await visit(shop, `plan-${i}`);
    for (let k = 0; k < i % 4; k++) {
      await ok('POST /v1/events', shop, { api_key: shop.apiKey, event: 'signup', properties: { sessionHash } });
    }
  }
  await db.query("update sessions set is_internal = true where account_id = $1 and visitor_id = 'plan-3'", [shop.uuid]);
  clock.now += 1_000;
  const { plans, ...history } = await ok(`GET /v1/experiments/${id}/power`, shop);
  // 19 of the 20 visitors and that of `newShop`, of whom 45 % take part.
  assert.deepEqual([history.visitors, history.power], [9, 0.8]);
  const sum = 5 * (0 + 1 + 2 + 3) - 3;
  assert.ok(Math.abs(history.mean - sum / 20) < 1e-9, `${history.mean}`);
  assert.deepEqual(
    plans.map(({ lift }: { lift: number }) => lift),
    [0.02, 0.05, 0.1, 0.2],
  );
  const [one] = (await ok(`GET /v1/experiments/${id}/power?lift=0.1&power=0.8`, shop)).plans;
  assert.deepEqual(one, plans[2]);
  assert.ok(
    Math.abs(one.visitors / plans[3].visitors - 4) < 0.01,
    'half of the difference takes four times the visitors',
  );
  assert.ok(one.days > one.visitors / 9 && Number.isInteger(one.days));
  const empty = await service.newAccount();
  await ok('POST /v1/events', empty, { api_key: empty.apiKey, event: 'signup' });
  const none = await ok('POST /v1/experiments', empty, draft('plan', { metric: { event: 'signup', kind: 'events' } }));
  const nothing = await ok(`GET /v1/experiments/${none.id}/power`, empty);
  assert.deepEqual([nothing.visitors, nothing.mean, nothing.plans[0].visitors], [0, null, null]);
});

test('segments and the pace are for exploration and decide nothing', async () => {
  const shop = await newShop();
  clock.now = Math.max(clock.now, Date.parse('2026-11-24T00:00:00Z'));
  const metric = { event: 'signup', kind: 'events' };
  const { id } = await ok('POST /v1/experiments', shop, draft('parts', { metric, window: '1d', settleAfter: '0d' }));
  await ok(`POST /v1/experiments/${id}/start`, shop);
  for (let i = 0; i < 40; i++) {
    const url = `https://shop.example/?utm_source=${i % 4 === 0 ? 'mail' : 'ads'}`;
    const { sessionHash } = await ok('POST /v1/visits', shop, { api_key: shop.apiKey, url, visitorId: `part-${i}` });
    await expose(shop, 'parts', i % 2 === 0 ? 'a' : 'b', { sessionHash });
    for (let k = 0; k < (i % 3) + (i % 2); k++) {
      await ok('POST /v1/events', shop, { api_key: shop.apiKey, event: 'signup', properties: { sessionHash } });
    }
  }
  clock.now += 2 * DAY;
  const results = await ok(`GET /v1/experiments/${id}/results?segment=source`, shop);
  const { segments, pace } = results;
  assert.deepEqual([segments.by, segments.isExploration], ['source', true]);
  const visitorsOf = ({ value, arms }: { value: string; arms: { visitors: number }[] }) => [
    value,
    arms.map(({ visitors }) => visitors),
  ];
  assert.deepEqual(segments.segments.map(visitorsOf), [
    ['ads', [10, 20]],
    ['mail', [10, 0]],
  ]);
  assert.ok(
    segments.segments.every(({ comparisons }: { comparisons: object[] }) =>
      comparisons.every((each) => !('decision' in each)),
    ),
  );
  const whole = results.comparisons[0];
  const part = segments.segments[0].comparisons[0];
  assert.ok(part.high - part.low > whole.high - whole.low, 'the interval of a part is wider');
  assert.equal(pace.visitorsPerDay, 20);
  assert.ok(pace.visitorsNeeded > 40);
  const days = pace.visitorsNeeded / 20 + 1;
  assert.ok(Math.abs(Date.parse(pace.decisionExpectedAt) - (clock.now - 2 * DAY + days * DAY)) < DAY / 100);
  assert.ok(results.summary.includes(pace.decisionExpectedAt.slice(0, 10)));
  const { segments: none, ...same } = await ok(`GET /v1/experiments/${id}/results`, shop);
  assert.equal(none, null);
  assert.deepEqual(same.arms, results.arms);
  assert.equal((await call(`GET /v1/experiments/${id}/results?segment=email`, { as: shop })).status, 400);
});

test('who visits from ever other sources makes no more than ten segments, and no longer a result', async () => {
  const shop = await newShop();
  const metric = { event: 'signup', kind: 'events' } as const;
  const { id } = await ok('POST /v1/experiments', shop, draft('sources', { metric }));
  await ok(`POST /v1/experiments/${id}/start`, shop);
  for (let i = 0; i < 14; i++) {
    const url = `https://shop.example/?utm_source=${i < 3 ? 'ads' : `forged-${i}`}`;
    const { sessionHash } = await ok('POST /v1/visits', shop, { api_key: shop.apiKey, url, visitorId: `source-${i}` });
    await expose(shop, 'sources', 'a', { sessionHash });
  }
  const { arms, segments } = await ok(`GET /v1/experiments/${id}/results?segment=source`, shop);
  assert.equal(arms[0].visitors, 14);
  const visitors = segments.segments.map((each: { arms: { visitors: number }[] }) => each.arms[0]?.visitors);
  assert.deepEqual(visitors, [3, ...Array(9).fill(1)]);
  const [row] = await findExperiment(db, { account_id: shop.uuid, id: parseId('exp', id) ?? '' });
  assert.ok(row?.started_at);
  const period = { startedAt: row.started_at, stoppedAt: new Date(clock.now), knownOn: clock.now };
  const read = await readMetric(service, shop.uuid, row, metric, period, 'source');
  assert.deepEqual(
    read.filter(({ segment }) => segment === null).map((rest) => rest.visitors),
    [2],
  );
});

// Results that are read from sums are those that are computed from what was recorded, whatever happened.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomOf } from '../../simulate/load.ts';
import { testService } from '../../test/harness.ts';
import { until } from '../../test/until.ts';
import { createTestUser } from '../../test/users.ts';
import { aggregateNewRows } from '../analytics/aggregation/aggregate-new-rows.ts';
import { JobRunner } from '../jobs/runner.ts';
import { parseId } from '../shared/ids.ts';

import type { Metric } from './contract.ts';
import { findExperiment } from './queries.ts';
import { metricsOf, readMetric } from './read-metric.ts';
import { readArmsFromSums } from './sums.ts';
import { updateSums } from './sums-worker.ts';

const service = await testService();
const { call, clock, db, control } = service;
const deps = { db, control, clock: () => clock.now };
const runner = service.workers.find((worker) => worker instanceof JobRunner) ?? assert.fail('there is no runner');
runner.start();

const HOUR = 3_600_000;
const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36';
const STEPS = 160;
/** `SEEDS=1-50 npm test -- server/src/experiments/sums` tries the first 50. */
const [FIRST = 1, LAST = FIRST] = (process.env.SEEDS ?? '1').split('-').map(Number);
const SEEDS = Array.from({ length: LAST - FIRST + 1 }, (_, i) => FIRST + i);

for (const seed of SEEDS)
  test(`at every moment they equal each other, after all that can happen to visitors, leads, sales and exposures (${seed})`, async () => {
    const shop = await service.newAccount();
    const random = randomOf(seed);
    const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
    const send = async (request: string, body: object, agent = CHROME, as: typeof shop | undefined = shop) => {
      const headers = { 'user-agent': agent };
      const answer = await call(request, { body, headers, ...(as && { as }) });
      assert.equal(answer.status, 200, `${request}: ${JSON.stringify(answer.body)}`);
      return answer.body;
    };
    const { apiKey: api_key } = shop;
    const sessions: string[] = [];
    const visitors: string[] = [];
    let orders = 0;

    const visit = async (visitorId: string, agent?: string) => {
      const { sessionHash } = await send(
        'POST /v1/visits',
        { api_key, url: `https://shop.example/?utm_source=${pick(['mail', 'shop'])}`, visitorId },
        agent,
        undefined,
      );
      sessions.push(sessionHash);
      visitors.push(visitorId);
    };
    const event = (event: string, properties: object, more: object = {}) =>
      send('POST /v1/events', { api_key, event, properties, ...more }, CHROME, undefined);
    const report = (body: object) =>
      send('POST /v1/analytics/report-conversion', { event: 'purchase', currency: 'EUR', ...body });
    await visit('first');
    await report({ sessionHash: sessions[0], eventId: 'order-0', value: 1 });
    await event('signup', {});

    const { id } = await send('POST /v1/experiments', {
      key: 'exact',
      name: 'Exact',
      variants: ['a', 'b'].map((key) => ({ key, weight: 0.5 })),
      metric: { event: 'purchase', kind: 'revenue', currency: 'EUR' },
      guardrails: [
        { event: 'signup', kind: 'events' },
        { event: 'purchase', kind: 'conversions' },
        { event: 'purchase', kind: 'revenue', currency: 'EUR', cap: 20 },
        { event: 'purchase', kind: 'revenue', currency: 'EUR', cap: 0.7 },
      ],
      window: '6h',
      settleAfter: '5h',
    });
    await send(`POST /v1/experiments/${id}/start`, {});

    const email = () => `person-${Math.floor(random() * 8)}@shop.example`;
    const exposure = { experiment: 'exact' };
    /** What can happen, and how often. */
    const steps: [number, () => Promise<unknown>][] = [
      [5, () => visit(`visitor-${Math.floor(random() * 30)}`)],
      [1, () => visit(`visitor-${Math.floor(random() * 30)}`, 'Googlebot/2.1 (+http://www.google.com/bot.html)')],
      [1, () => visit(`server-${Math.floor(random() * 4)}`, 'python-requests/2.32')],
      [6, () => event('experiment_exposure', { ...exposure, variant: pick(['a', 'b']), sessionHash: pick(sessions) })],
      [
        2,
        () =>
          event('experiment_exposure', {
            ...exposure,
            variant: pick(['a', 'b']),
            sessionHash: pick(sessions),
            email: email(),
          }),
      ],
      [2, () => event('experiment_exposure', { ...exposure, variant: pick(['a', 'b']), visitorId: pick(visitors) })],
      [1, () => event('experiment_exposure', { ...exposure, variant: pick(['a', 'b']), email: email() })],
      [
        1,
        () =>
          event(
            'experiment_exposure',
            { ...exposure, variant: 'a', sessionHash: pick(sessions) },
            { occurredAt: new Date(clock.now + HOUR / 2).toISOString() },
          ),
      ],
      [2, () => event('signup', { sessionHash: pick(sessions), email: email() })],
      [1, () => event('signup', { email: email() })],
      [
        1,
        () =>
          event(
            'order_seen',
            { sessionHash: pick(sessions), value: 7, currency: 'EUR' },
            { id: `order-${orders + 1}` },
          ),
      ],
      [
        4,
        () =>
          report({ sessionHash: pick(sessions), eventId: `order-${++orders}`, value: 5 + Math.floor(random() * 30) }),
      ],
      [1, () => report({ sessionHash: pick(sessions), eventId: `order-${++orders}`, value: 9, currency: 'USD' })],
      [
        2,
        () =>
          report({
            eventId: `order-${Math.floor(random() * orders)}`,
            sessionHash: pick(sessions),
            value: pick([0, 3, 11]),
          }),
      ],
      [
        3,
        async () => {
          clock.now += Math.floor(random() * 2 * HOUR);
        },
      ],
    ];
    const imports: string[] = [];
    const row = (eventId: string) => ({
      ...{
        event: 'purchase',
        currency: 'EUR',
        sessionHash: pick(sessions),
        eventId,
        value: 5 + Math.floor(random() * 30),
      },
      createdOn: new Date(clock.now + pick([-5, -1, 0.4]) * HOUR).toISOString(),
    });
    const importRows = async () => {
      const { id } = await send('POST /v1/conversions/imports', { name: 'orders.csv' });
      imports.push(id);
      await send(`POST /v1/conversions/imports/${id}/reports`, [
        row(`order-${++orders}`),
        row(`order-${Math.floor(random() * orders)}`),
      ]);
    };
    const undo = async () => {
      const [undone] = imports.splice(Math.floor(random() * imports.length), 1);
      if (undone === undefined) return;
      const get = `GET /v1/conversions/imports/${undone}`;
      await send(`POST /v1/conversions/imports/${undone}/undo`, {});
      await until(async () => (await call(get, { as: shop })).body.status === 'undone');
      // What only the import had becomes one of the session of the next report.
      await report({ sessionHash: pick(sessions), eventId: `order-${orders}`, value: 4 });
    };
    steps.push([2, importRows], [1, undo]);
    const urn = steps.flatMap(([often, step]) => Array.from({ length: often }, () => step));
    const erase = async (request: string, body: object) => {
      const job = await send(request, body);
      await until(
        async () => (await call(`GET /v1/jobs/get-by-id?id=${job.id}`, { as: shop })).body.status === 'completed',
      );
    };

    let compared = 0;
    let turns = 0;
    const segments = new Set<string>();
    const compare = async (what: string) => {
      const [row] = await findExperiment(db, { account_id: shop.uuid, id: parseId('exp', id) ?? '' });
      if (!row?.started_at) return assert.fail();
      const period = {
        startedAt: row.started_at,
        stoppedAt: row.stopped_at ?? new Date(clock.now),
        knownOn: clock.now,
      };
      const compareBy = async (metric: number, each: Metric, segment: 'source' | null) => {
        const key = { account_id: shop.uuid, experiment_id: row.id, metric };
        const summed = await readArmsFromSums(deps, key, each, clock.now, segment, 0);
        const computed = await readMetric(deps, shop.uuid, row, each, period, segment);
        // Sums of binary fractions depend on their order. What is not settled is not read as settled.
        const rounded = (value: number) => Number(value.toPrecision(12));
        const notSettled = { settled_sum: 0, settled_squares: 0, settled_revenue: '', settled_conversions: 0 };
        const read = (rows: typeof computed) =>
          rows.map((of) => ({
            ...{ ...of, sum: rounded(of.sum), squares: rounded(of.squares) },
            ...{ settled_sum: rounded(of.settled_sum), settled_squares: rounded(of.settled_squares) },
            ...(of.day === null && notSettled),
          }));
        // Without an exposure there is nothing to sum up.
        assert.deepEqual(read(summed ?? []), read(computed), `${what}: ${each.kind} ${each.cap} ${segment}`);
        compared += computed.reduce((sum, { visitors }) => sum + visitors, 0);
        for (const { segment } of computed) if (segment !== null) segments.add(segment);
      };
      for (const [metric, each] of metricsOf(row.definition).entries()) await compareBy(metric, each, null);
      // By the kinds of caps in turn.
      const capped = metricsOf(row.definition).filter(({ kind }) => kind === 'revenue');
      await compareBy(0, capped[turns++ % capped.length] ?? row.definition.metric, 'source');
    };
    const compareNow = async (what: string) => {
      await aggregateNewRows(deps);
      await updateSums(deps, 0);
      await compare(what);
    };

    for (let i = 0; i < STEPS; i++) {
      await pick(urn)();
      // At the same time.
      const erased = i === 100 ? [1, 2] : [];
      await Promise.all(erased.map((n) => erase('POST /v1/leads/erase', { email: `person-${n}@shop.example` })));
      if (i === 120) {
        const { rows } = await db.query(
          `select visitor_id from sessions where account_id = $1 and visitor_id not like 'erased:%'
         group by 1 having count(lead_id) = 0 order by count(*) desc limit 1`,
          [shop.uuid],
        );
        await erase('POST /v1/visitors/erase', { visitorId: rows[0]?.visitor_id });
      }
      if (i === 140) await send(`POST /v1/experiments/${id}/stop`, {});
      if (i % 4 === 3) await compareNow(`after step ${i}`);
    }
    // Exposures that were dated in the future come to pass, without any new row.
    clock.now += HOUR * 0.6;
    await compareNow('half an hour later');
    // Time passes, and nothing is written.
    for (let hours = 0; hours < 12; hours++) {
      clock.now += HOUR * 1.1;
      await compare(`${hours} hours later`);
    }
    const { arms } = await call(`GET /v1/experiments/${id}/results`, { as: shop }).then(({ body }) => body);
    const settled = arms.reduce((sum: number, arm: { settledVisitors: number }) => sum + arm.settledVisitors, 0);
    assert.ok(settled > 0, JSON.stringify(arms));
    assert.ok(compared > 1_000, `${compared}`);
    assert.ok(segments.has('mail') && segments.has('shop'));
  });

test('sums that do not tell what is true now are not read: in another currency, old ones, in accounts with retention, and while persons are erased that they may contain', async () => {
  const shop = await service.newAccount();
  const send = async (request: string, body: object) => {
    const answer = await call(request, { as: shop, body, headers: { 'user-agent': CHROME } });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body;
  };
  const { apiKey: api_key } = shop;
  const { sessionHash } = await send('POST /v1/visits', { api_key, url: 'https://shop.example/', visitorId: 'v' });
  const sale = { sessionHash, event: 'purchase', currency: 'USD', value: 10, eventId: 'o' };
  await send('POST /v1/analytics/report-conversion', sale);
  const metric = { event: 'purchase', kind: 'revenue' } as const;
  const variants = ['a', 'b'].map((key) => ({ key, weight: 0.5 }));
  const owner = await createTestUser(service, shop);
  const convert = async (body: object) =>
    assert.equal((await call('PATCH /v1/account', { by: owner, body })).status, 200);
  await convert({ currency: 'EUR', exchangeRates: { USD: '0.5' } });
  const { id } = await send('POST /v1/experiments', { key: 'k', name: 'K', variants, metric });
  await send(`POST /v1/experiments/${id}/start`, {});
  const properties = { experiment: 'k', variant: 'a', sessionHash };
  await send('POST /v1/events', { api_key, event: 'experiment_exposure', properties });
  // Both sales were at the time of the exposure.
  await send('POST /v1/analytics/report-conversion', { ...sale, eventId: 'p' });
  const key = { account_id: shop.uuid, experiment_id: parseId('exp', id) ?? '', metric: 0 };
  const revenue = async () => (await readArmsFromSums(deps, key, metric, clock.now))?.[0]?.revenue;
  const update = async () => {
    await aggregateNewRows(deps);
    await updateSums(deps, 0);
    return revenue();
  };

  const job = [shop.uuid, '00000000-0000-7000-8000-000000000001'];
  await db.query(
    `insert into jobs (account_id, id, type, params, status, created_at, due_at)
     values ($1, $2, 'erase_lead', '{}', 'queued', now(), 'infinity')`,
    job,
  );
  assert.equal(await update(), undefined);
  await db.query('delete from jobs where account_id = $1 and id = $2', job);
  assert.equal(await update(), '10');
  await convert({ exchangeRates: { USD: '0.8' } });
  assert.equal(await revenue(), undefined);
  assert.equal(await update(), '16');
  await convert({ currency: 'USD' });
  assert.equal(await revenue(), undefined);
  assert.equal(await update(), '20');
  clock.now += 16 * 60_000;
  assert.equal(await revenue(), undefined);
  assert.equal(await update(), '20');
  await send('PATCH /v1/tracking/settings', { retentionDays: 400 });
  assert.equal(await update(), undefined);
});

// Slow: the days of two shops, a month and a hundred days, with a request for each visit and sale.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Account, testService } from '../../../test/harness.ts';
import { undoHandler } from '../../conversions/imports/undo-job.ts';
import { LateMatcher } from '../../conversions/matching/late-matcher.ts';
import { isoTime } from '../../shared/time.ts';
import { aggregateNewRows } from '../aggregation/aggregate-new-rows.ts';
import { randomFrom } from '../test-traffic.ts';
import { noTotals, roundCounts } from './amounts.ts';
import { creditIncrements } from './credited-increments.ts';

const service = await testService();
const { call, db, clock } = service;
const deps = { db, clock: () => clock.now };
const lateMatch = new LateMatcher({ ...deps, log: service.app.log, sessionIds: service.sessionIds });
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ZONE = 'Europe/Berlin';
const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36';
/** Noon in winter. */
const START = Date.parse('2026-01-10T11:00:00Z');

const dateAt = (ms: number) =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(ZONE).toPlainDate().toString();

async function ok(request: string, as: Account, body?: unknown, agent = CHROME) {
  const answer = await call(request, { as, headers: { 'user-agent': agent }, ...(body !== undefined && { body }) });
  assert.equal(answer.status, 200, `${request}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

async function newAccount(currency: string | null = 'EUR') {
  const account = await service.newAccount();
  await service.control.query('update accounts set time_zone = $2, currency = $3 where id = $1', [
    account.uuid,
    ZONE,
    currency,
  ]);
  return account;
}

async function roas(as: Account, query: string) {
  await aggregateNewRows(deps);
  return ok(`GET /v1/analytics/roas?${query}`, as);
}

const visit = (as: Account, parameters: string, agent?: string) =>
  ok('POST /v1/visits', as, { api_key: as.apiKey, url: `https://shop.example/shoes?${parameters}` }, agent);
const report = (as: Account, ...items: unknown[]) => ok('POST /v1/analytics/report-conversion', as, items);
const putCosts = (as: Account, ...costs: unknown[]) => ok('PUT /v1/analytics/ad-costs', as, { costs });

/** An increment of the tally. */
interface Entry {
  campaign: string;
  clickDay: string;
  knownAt: number;
  value: number;
  currency: string;
  saleDay: string;
  conversions: number;
  refunded: number;
}

test('sums of a shop with restatements, refunds, late matches, imports, undo, bots and four currencies equal an independent tally at any time', async () => {
  const account = await newAccount();
  const { below, pick, chance } = randomFrom(11);
  const entries: Entry[] = [];
  const costs: { date: string; campaign: string; cost: number; currency: string; knownAt: number }[] = [];
  const rates = new Map<string, number>();
  const later: { at: number; run(): Promise<void> }[] = [];
  const written: { at: number; from: string; to: string; body: Record<string, unknown> }[] = [];
  const CAMPAIGNS = ['Spring', 'autumn', 'brand'];
  let next = 0;

  const sell = async (click: string, campaign: string, clickDay: string) => {
    const eventId = `order-${next++}`;
    let value = 1_000 + below(20_000);
    const currency = pick(['EUR', 'USD', 'GBP', 'PLN']);
    const saleDay = dateAt(clock.now);
    const note = (from: number, to: number, isRefund: boolean) =>
      entries.push({
        ...{ campaign, clickDay, knownAt: clock.now, currency, saleDay },
        value: to - from,
        conversions: (to === 0 ? 0 : 1) - (from === 0 ? 0 : 1),
        refunded: isRefund && to < from ? from - to : 0,
      });
    const send = (cents: number) => report(account, { gclid: click, eventId, value: cents / 100, currency });
    await send(value);
    note(0, value, false);
    if (chance(0.4)) {
      later.push({
        at: clock.now + (1 + below(12)) * DAY,
        async run() {
          const changed = chance(0.5) ? 0 : 1_000 + below(20_000);
          // Another time than the first report: the sale stays on its day.
          await report(account, { gclid: click, eventId, value: changed / 100 });
          note(value, changed, true);
          value = changed;
        },
      });
    }
  };

  for (let day = 0; day < 30; day++) {
    clock.now = START + day * DAY + below(9 * HOUR);
    const date = dateAt(clock.now);
    for (const [currency, rate] of [
      ['USD', 1.05 + day / 500],
      ['GBP', 0.85 + day / 1_000],
      ['PLN', 4.2 + day / 100],
    ] as const) {
      rates.set(`${currency} ${date}`, rate);
      await ok('PUT /v1/analytics/exchange-rates', account, { rates: [{ date, base: 'EUR', currency, rate }] });
    }
    for (const campaign of CAMPAIGNS) {
      const cost = {
        date,
        source: 'google',
        campaign: campaign.toLowerCase(),
        currency: pick(['EUR', 'USD']),
        cost: 5 + below(20),
      };
      await putCosts(account, cost);
      costs.push({ ...cost, knownAt: clock.now });
    }
    // The platform corrects yesterday.
    const [yesterday] = costs.slice(-6, -5);
    if (yesterday && chance(0.3)) {
      await putCosts(account, { ...yesterday, knownAt: undefined, source: 'google', cost: 1 });
      costs.push({ ...yesterday, cost: 1 - yesterday.cost, knownAt: clock.now });
    }
    for (let i = 0; i < 4; i++) {
      const campaign = pick(CAMPAIGNS);
      const click = `click-${next++}`;
      if (chance(0.15)) {
        // Reported before the click is known.
        const eventId = `order-${next++}`;
        await report(account, { gclid: click, eventId, value: 12.34, currency: 'EUR' });
        const saleDay = dateAt(clock.now);
        clock.now += 60_000;
        await visit(account, `gclid=${click}&utm_source=google&utm_campaign=${campaign}`);
        clock.now += 60_000;
        await lateMatch.sweep();
        entries.push({
          ...{
            campaign,
            clickDay: date,
            knownAt: clock.now,
            value: 1234,
            currency: 'EUR',
            saleDay,
            conversions: 1,
            refunded: 0,
          },
        });
        continue;
      }
      await visit(account, `gclid=${click}&utm_source=google&utm_campaign=${campaign}`);
      clock.now += 60_000;
      if (chance(0.7)) await sell(click, campaign, date);
      else later.push({ at: clock.now + (1 + below(9)) * DAY, run: () => sell(click, campaign, date) });
    }
    // None of these counts.
    await visit(
      account,
      `gclid=bot-${day}&utm_source=google&utm_campaign=brand`,
      'Googlebot/2.1 (+http://www.google.com/bot.html)',
    );
    await visit(account, `utm_source=google&utm_medium=organic&utm_campaign=brand&ref=${day}`);
    await visit(account, `utm_source=newsletter&utm_campaign=brand&fbclid=mail-${day}`);
    await report(account, { fbclid: `mail-${day}`, value: 500, currency: 'EUR' });
    for (const each of later.filter(({ at }) => at <= clock.now)) {
      later.splice(later.indexOf(each), 1);
      clock.now += 1_000;
      await each.run();
    }
    if (day === 15) {
      const { id } = await ok('POST /v1/conversions/imports', account, { name: 'old.csv' });
      await visit(account, 'gclid=imported&utm_source=google&utm_campaign=brand');
      const knownAt = clock.now - 60_000;
      await ok(`POST /v1/conversions/imports/${id}/reports`, account, [
        {
          gclid: 'imported',
          eventId: 'imported',
          value: 70,
          currency: 'EUR',
          createdOn: isoTime(knownAt),
          knownAt: isoTime(knownAt),
        },
      ]);
      const entry = { campaign: 'brand', clickDay: date, currency: 'EUR', saleDay: dateAt(knownAt), refunded: 0 };
      entries.push({ ...entry, knownAt, value: 7_000, conversions: 1 });
      later.push({
        at: clock.now + 5 * DAY,
        async run() {
          await ok(`POST /v1/conversions/imports/${id}/undo`, account);
          const { signal } = new AbortController();
          await undoHandler(deps).run({
            accountId: account.uuid,
            id: '',
            attempt: 1,
            params: { importId: id },
            signal,
            report() {},
          });
          entries.push({ ...entry, knownAt: clock.now, value: -7_000, conversions: -1 });
        },
      });
    }
    if (day % 6 === 5) {
      const [from, to] = [dateAt(START), dateAt(START + (day + 1) * DAY)];
      const body = await roas(account, `from=${from}&to=${to}&by=campaign&interval=day`);
      written.push({ at: clock.now, from, to, body });
      clock.now += 60_000;
    }
  }

  // Day by day and campaign by campaign, at random times.
  const rateOf = (currency: string, date: string) =>
    currency === 'EUR' ? 1 : 1 / (rates.get(`${currency} ${date}`) ?? Number.NaN);
  const total = (list: readonly { value: number; currency: string; date: string }[]) =>
    list.reduce((sum, { value, currency, date }) => sum + value * rateOf(currency, date), 0);
  const close = (actual: unknown, expected: number, what: string) =>
    assert.ok(Math.abs(Number(actual) - expected) < 0.0051, `${what}: ${actual} is not ${expected}`);
  for (let i = 0; i < 12; i++) {
    const at = i === 0 ? clock.now : START + below(30 * 24) * HOUR;
    const [from, to] = [dateAt(START + below(10) * DAY), dateAt(START + (12 + below(18)) * DAY)];
    const body = await roas(account, `from=${from}&to=${to}&by=campaign&interval=day&asKnownOn=${isoTime(at)}`);
    const known = entries.filter(({ knownAt, clickDay }) => knownAt <= at && clickDay >= from && clickDay < to);
    const spent = costs.filter(({ knownAt, date }) => knownAt <= at && date >= from && date < to);
    const check = (row: Record<string, unknown>, of: readonly Entry[], cost: typeof costs, what: string) => {
      close(row.revenue, total(of.map((each) => ({ ...each, date: each.saleDay }))) / 100, `revenue of ${what}`);
      close(
        row.refunded,
        total(of.map((each) => ({ ...each, value: each.refunded, date: each.saleDay }))) / 100,
        `refunds of ${what}`,
      );
      close(row.cost, total(cost.map((each) => ({ ...each, value: each.cost }))), `cost of ${what}`);
      assert.equal(
        row.conversions,
        of.reduce((sum, each) => sum + each.conversions, 0),
        `conversions of ${what}`,
      );
      assert.equal(row.isComplete, true, what);
    };
    check(body.total, known, spent, `everything at ${isoTime(at)}`);
    for (const campaign of CAMPAIGNS) {
      const row = body.rows.find(({ key }: { key: string | null }) => key?.toLowerCase() === campaign.toLowerCase());
      const [of, cost] = [
        known.filter((each) => each.campaign === campaign),
        spent.filter((each) => each.campaign === campaign.toLowerCase()),
      ];
      if (row || of.length > 0) check(row ?? {}, of, cost, campaign);
    }
    for (const cohort of body.cohorts) {
      const date = dateAt(Date.parse(cohort.start));
      const of = known.filter((each) => each.clickDay === date);
      check(
        cohort,
        of,
        spent.filter((each) => each.date === date),
        date,
      );
    }
  }

  // What was answered then is answered again.
  assert.equal(written.length, 5);
  for (const { at, from, to, body } of written) {
    const again = await roas(account, `from=${from}&to=${to}&by=campaign&interval=day&asKnownOn=${isoTime(at)}`);
    assert.deepEqual({ ...again, asOf: '' }, { ...body, asOf: '' });
  }
});

test('a shop with a constant return shows it for every cohort, and names what is still to come', async () => {
  const account = await newAccount();
  const random = randomFrom(5);
  // 100 days: each click of EUR 10 returns EUR 20 in all, half of it within the day, the rest over two weeks.
  const sales: { id: string; at: number }[] = [];
  for (let day = 0; day < 100; day++) {
    clock.now = Date.parse('2026-01-10T11:00:00Z') + day * DAY;
    await putCosts(account, { date: dateAt(clock.now), source: 'google', campaign: 'all', currency: 'EUR', cost: 20 });
    for (let i = 0; i < 2; i++) {
      const id = `c-${day}-${i}`;
      await visit(account, `gclid=${id}&utm_source=google&utm_campaign=all`);
      for (let n = 0; n < 16; n++) {
        sales.push({ id: `${id}`, at: clock.now + (n < 8 ? 0 : (1 + random.below(14)) * DAY) });
      }
    }
    const due = sales.filter(({ at }) => at <= clock.now + HOUR);
    for (const sale of due) sales.splice(sales.indexOf(sale), 1);
    if (due.length > 0) await report(account, ...due.map(({ id }) => ({ gclid: id, value: 1.25, currency: 'EUR' })));
  }
  clock.now += 6 * HOUR;
  const [from, to] = [dateAt(clock.now - 60 * DAY), dateAt(clock.now + DAY)];
  const body = await roas(account, `from=${from}&to=${to}&horizon=30d&curves=true`);
  assert.equal(body.status, 'ready');
  const old = body.cohorts.slice(1, 3);
  for (const cohort of old) assert.deepEqual([cohort.roas, cohort.maturity, cohort.expectedRoas], [2, 1, 2]);
  const young = body.cohorts.at(-2);
  assert.ok(young.roas < 1.9 && young.maturity < 0.95, JSON.stringify(young));
  assert.ok(young.roasLow <= 2 && young.roasHigh >= 2 && Math.abs(young.expectedRoas - 2) < 0.3, JSON.stringify(young));
  assert.ok(
    Number(young.expectedLow) < Number(young.expectedRevenue) &&
      Number(young.expectedRevenue) < Number(young.expectedHigh),
  );
  assert.ok(Math.abs(body.development.expected[0] - 0.5) < 0.05 && body.development.expected.at(-1) === 1);
  assert.equal(old[0].byAge.at(-1), Number(old[0].revenue));
  assert.ok(body.coverage.cohorts > 0 && body.coverage.observed >= 0.5);
  // The curve of one row: here all sales are of one campaign.
  const query = `from=${from}&to=${to}&horizon=30d&by=campaign&curveSource=Google`;
  const { curve } = await roas(account, `${query}&curveKey=ALL`);
  assert.deepEqual(
    [curve.key, curve.source, curve.expected.length],
    ['all', 'google', body.development.expected.length],
  );
  assert.deepEqual(
    curve.cohorts,
    body.cohorts.map(({ sessions: _, ...each }: { sessions: number }) => ({
      ...each,
      key: curve.key,
      source: 'google',
    })),
  );
  assert.equal((await roas(account, `${query}&curveKey=other`)).curve, undefined);
  const { pooledFrom } = body.development;
  assert.ok(Math.abs(pooledFrom.key + pooledFrom.source + pooledFrom.account - 1) < 0.001);
});

test('before three ages are known, nothing is forecast', async () => {
  clock.now = Date.parse('2026-07-01T10:00:00Z');
  const account = await newAccount();
  await putCosts(account, { date: '2026-07-01', source: 'google', campaign: 'all', currency: 'EUR', cost: 20 });
  await visit(account, 'gclid=a&utm_source=google&utm_campaign=all');
  await report(account, { gclid: 'a', value: 10, currency: 'EUR' });
  clock.now += DAY;
  const body = await roas(account, 'from=2026-07-01&to=2026-07-03');
  assert.equal(body.status, 'tooYoung');
  const { total } = body;
  assert.deepEqual(
    [total.expectedRevenue, total.expectedLow, total.maturity, total.roasHigh],
    [null, null, null, null],
  );
  assert.deepEqual([total.revenue, total.cost, total.roas, total.sessions], ['10', '20', 0.5, 1]);
  assert.deepEqual(body.development.factors, []);
});

test('costs that name no ad group, ad or page are shared by the sessions of their campaign and day, and none is lost', async () => {
  clock.now = Date.parse('2026-07-01T10:00:00Z');
  const account = await newAccount();
  const google = { date: '2026-07-01', source: 'Google', currency: 'EUR' };
  await putCosts(
    account,
    { ...google, campaign: 'Summer', cost: 30 },
    { ...google, campaign: 'Summer', adGroup: 'boots', ad: 'red', cost: 5 },
    { ...google, campaign: 'unseen', cost: 7 },
  );
  for (const [i, term] of ['shoes', 'Shoes', 'boots'].entries()) {
    await visit(
      account,
      `gclid=g${i}&utm_source=google&utm_campaign=summer&utm_term=${term}&utm_content=${i === 0 ? 'blue' : 'red'}`,
    );
  }
  await report(account, { gclid: 'g2', value: 50, currency: 'EUR' });
  const costsBy = async (by: string) => {
    const { rows, total } = await roas(account, `from=2026-07-01&to=2026-07-02&by=${by}`);
    assert.deepEqual([total.cost, total.revenue, total.sessions], ['42', '50', 3], by);
    return Object.fromEntries(
      rows.map((row: Record<string, string>) => [row.key?.toLowerCase() ?? null, [row.cost, row.revenue]]),
    );
  };
  assert.deepEqual(await costsBy('source'), { google: ['42', '50'] });
  assert.deepEqual(await costsBy('campaign'), { summer: ['35', '50'], unseen: ['7', '0'] });
  assert.deepEqual(await costsBy('adGroup'), { shoes: ['20', '0'], boots: ['15', '50'], null: ['7', '0'] });
  assert.deepEqual(await costsBy('ad'), { blue: ['10', '0'], red: ['25', '50'], null: ['7', '0'] });
  assert.deepEqual(await costsBy('landingPage'), { 'shop.example/shoes': ['35', '50'], null: ['7', '0'] });
});

test('shares of clicks are whole numbers that add up to their sum', () => {
  const rows = [0.5, 0.5, 4 / 3, 2 / 3, 0.5, 0.5].map((clicks) => ({ ...noTotals(), clicks, impressions: 3 * clicks }));
  roundCounts(rows);
  assert.deepEqual(
    [rows.map(({ clicks }) => clicks), rows.map(({ impressions }) => impressions)],
    [
      [1, 1, 1, 1, 0, 0],
      [2, 2, 4, 2, 1, 1],
    ],
  );
  // Of fractions that differ by the order in which their parts were added, the first is rounded up.
  const close = [0.5, 0.5 + 1e-12].map((clicks) => ({ ...noTotals(), clicks }));
  roundCounts(close);
  assert.deepEqual(
    close.map(({ clicks }) => clicks),
    [1, 0],
  );
});

test('amounts convert at the rate of their day and are marked where there is none; nothing is added without a rate', async () => {
  clock.now = Date.parse('2026-07-10T10:00:00Z');
  const account = await newAccount();
  const put = (body: unknown, query = '') => call(`PUT /v1/analytics/exchange-rates${query}`, { as: account, body });
  const usd = { base: 'EUR', currency: 'USD' };
  await put({
    rates: [
      { ...usd, date: '2026-07-03', rate: 1.25 },
      { ...usd, date: '2026-07-09', rate: '2' },
    ],
  });
  await visit(account, 'gclid=a&utm_source=google');
  await putCosts(account, { date: '2026-07-10', source: 'google', currency: 'GBP', cost: 1 });
  await report(account, { gclid: 'a', eventId: 'one', value: 10, currency: 'USD', createdOn: '2026-07-05T10:00:00Z' });
  const read = async (query = '') => (await roas(account, `from=2026-07-10&to=2026-07-11${query}`)).total;
  const before = clock.now;
  // Saturday's sale at Friday's rate.
  assert.deepEqual([(await read()).revenue, (await read()).rates], ['8', 'embedded']);
  clock.now += HOUR;
  await report(account, { gclid: 'a', eventId: 'one', value: 5 });
  await put({ rates: [{ ...usd, date: '2026-07-03', rate: 2.5 }] });
  assert.equal((await read()).revenue, '2', 'a restatement converts at the rate of its sale');
  assert.equal((await read(`&asKnownOn=${isoTime(before)}`)).revenue, '8', 'rates are those known then');
  const inDollars = await read('&currency=usd');
  assert.deepEqual([inDollars.currency, inDollars.revenue], ['USD', '5']);
  await report(account, { gclid: 'a', eventId: 'two', value: 99, currency: 'THB' });
  const incomplete = await read();
  assert.deepEqual([incomplete.revenue, incomplete.isComplete, incomplete.conversions], ['2', false, 2]);

  const rates = [
    { ...usd, date: '2026-07-01', rate: 0 },
    { ...usd, date: '2026-07-01', rate: 1.1 },
    { ...usd, base: 'usd', date: '2026-07-02', rate: 1 },
    { ...usd, currency: 'QQQ', date: '2026-07-02', rate: 'x' },
    { ...usd, date: '2026-02-30', rate: -1 },
    'EUR',
    { base: 'EUR', currency: 'QQQ', rate: [] },
  ];
  const refused = await put({ rates });
  assert.equal(refused.status, 400);
  assert.deepEqual(
    refused.body.errors.map((each: { pointer: string }) => each.pointer),
    [
      ...['/rates/0/rate', '/rates/2/currency', '/rates/3/currency', '/rates/3/rate', '/rates/4/date', '/rates/4/rate'],
      ...['/rates/5', '/rates/6/date', '/rates/6/rate', '/rates/6/rate', '/rates/6/currency'],
    ],
  );
  assert.equal((await put({ rates, other: 1 }, '?onError=skip')).status, 400);
  assert.equal((await put({ rates }, '?onError=apply')).status, 400);
  const skipped = await put({ rates }, '?onError=skip');
  assert.deepEqual(
    [skipped.body.written, skipped.body.faults.map((each: { row: number }) => each.row)],
    [1, [1, 3, 4, 4, 5, 5, 6, 7, 7, 7, 7]],
  );
  assert.equal((await put({ rates: [rates[1]] })).body.unchanged, 1);
  const first = await ok('GET /v1/analytics/exchange-rates?pageSize=2', account);
  const rest = await ok(`GET /v1/analytics/exchange-rates?pageSize=2&pageToken=${first.nextPageToken}`, account);
  assert.deepEqual(
    [...first.rates, ...rest.rates].map((each) => [each.date, each.rate]),
    [
      ['2026-07-09', '2'],
      ['2026-07-03', '2.5'],
      ['2026-07-01', '1.1'],
    ],
  );
});

test('bad queries name every fault', async () => {
  const account = await newAccount();
  const answer = await call('GET /v1/analytics/roas?from=2026-07-02&to=2026-07-01&currency=QQQ&horizon=1d', {
    as: account,
  });
  assert.equal(answer.status, 400);
  assert.deepEqual(answer.body.errors.map((each: { pointer: string }) => each.pointer).sort(), [
    '?currency',
    '?horizon',
    '?to',
  ]);
  for (const query of ['horizon=2d', 'horizon=366d', 'horizon=90', 'horizon=', 'horizon=-5d', 'curveKey=brand']) {
    const { body } = await call(`GET /v1/analytics/roas?from=2026-07-01&to=2026-07-02&${query}`, { as: account });
    const [{ pointer, detail }] = body.errors;
    assert.deepEqual(
      [pointer, detail],
      query.startsWith('horizon')
        ? ['?horizon', '`horizon` must be from 3d to 365d.']
        : ['?curveSource', '`curveKey` needs `curveSource`.'],
      query,
    );
  }
  for (const level of ['0.5', '0.95']) {
    const { coverage } = await ok(`GET /v1/analytics/roas?from=2026-07-01&to=2026-07-02&level=${level}`, account);
    assert.equal(coverage.level, Number(level));
  }
  for (const level of ['0.4', '1', 'half', '1e-1']) {
    const { status, body } = await call(`GET /v1/analytics/roas?from=2026-07-01&to=2026-07-02&level=${level}`, {
      as: account,
    });
    assert.deepEqual([status, body.errors[0].pointer], [400, '?level'], level);
  }
  const unreadable = await call('GET /v1/analytics/roas?from=2026-07-01&to=2026-07-02&asKnownOn=yesterday', {
    as: account,
  });
  assert.equal(unreadable.body.errors[0].pointer, '?asKnownOn');
  const ofDay = await ok('GET /v1/analytics/roas?from=2026-06-01&to=2026-06-02&asKnownOn=2026-06-02', account);
  const byTime = 'from=2026-05-31T22:00:00Z&to=2026-06-02T00:00';
  const sameDay = await ok(`GET /v1/analytics/roas?${byTime}&asKnownOn=2026-06-02`, account);
  assert.deepEqual({ ...sameDay, asOf: '' }, { ...ofDay, asOf: '' });
  const noDay = await call('GET /v1/analytics/roas?from=2026-06-01T08:00:00Z&to=2026-06-02T12:00', { as: account });
  assert.deepEqual(
    noDay.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
    [
      ['?from', 'timestamp_invalid'],
      ['?to', 'timestamp_invalid'],
    ],
  );
  assert.equal(ofDay.asKnownOn, '2026-06-01T22:00:00.000Z');
  assert.equal(
    (await ok('GET /v1/analytics/roas?from=2026-07-01&to=2026-07-02&level=0.9', account)).coverage.level,
    0.9,
  );
  for (const level of ['0.999', '1e-1', 'high', '']) {
    const { status } = await call(`GET /v1/analytics/roas?from=2026-07-01&to=2026-07-02&level=${level}`, {
      as: account,
    });
    assert.equal(status, 400, level);
  }
});

test('by entry, clicks count for the content entry of their landing page, and other pages have no key', async () => {
  const account = await newAccount();
  clock.now = START + 100 * DAY;
  const fields = [
    { id: 'title', label: 'Title', type: 'text' },
    { id: 'slug', label: 'Slug', type: 'text', format: 'slug', slugSource: 'title' },
  ];
  const collection = await ok('POST /v1/cms/collections', account, {
    ...{ name: 'Articles', fields, publishing: true, public: true, urlPattern: '/blog/{slug}' },
  });
  const path = `/v1/cms/collections/${collection.id}/entries`;
  const entry = await ok(`POST ${path}`, account, { values: { title: 'Best shoes' } });
  await ok(`POST ${path}/${entry.id}/publish`, account, {});
  const land = (page: string, gclid: string) =>
    ok('POST /v1/visits', account, {
      api_key: account.apiKey,
      url: `https://shop.example${page}?gclid=${gclid}&utm_source=google&utm_campaign=c`,
    });
  await land('/blog/best-shoes', 'e1');
  await land('/blog/best-shoes/', 'e2');
  await land('/about', 'e3');
  clock.now += 60_000;
  await report(
    account,
    { gclid: 'e1', eventId: 'e1', value: 30, currency: 'EUR' },
    { gclid: 'e3', eventId: 'e3', value: 5, currency: 'EUR' },
  );
  const [from, to] = [dateAt(clock.now), dateAt(clock.now + DAY)];
  await putCosts(account, { date: from, source: 'google', campaign: 'c', currency: 'EUR', cost: 9 });
  const { rows } = await roas(account, `from=${from}&to=${to}&by=entry&model=last`);
  assert.deepEqual(
    rows.map((row: Record<string, unknown>) => [row.key, row.sessions, row.conversions, row.revenue, row.cost]),
    [
      [entry.id, 2, 1, '30', '6'],
      [null, 1, 1, '5', '3'],
    ],
  );
});

test('models share each sale among the clicks that led to it: as attribution does, complete to the cent, and as known then', async () => {
  clock.now = START + 200 * DAY;
  const account = await newAccount();
  const { below, pick, chance } = randomFrom(23);
  const from = dateAt(clock.now);
  const sources = ['google', 'bing'];
  const to = () => dateAt(clock.now + DAY);
  const sold: string[] = [];
  let sum = 0;
  for (let i = 0; i < 40; i++) {
    // The visitors of a test are told apart by their agent.
    const agent = `${CHROME} Visitor/${below(12)}`;
    const source = pick(sources);
    const { sessionHash } = await visit(
      account,
      `gclid=m${i}&utm_source=${source}&utm_campaign=c${below(3)}&utm_medium=cpc`,
      agent,
    );
    // Some are the same lead as sessions of other visitors.
    const properties = { email: `lead-${i % 3}@shop.example`, sessionHash };
    if (i % 2 === 0) await ok('POST /v1/events', account, { api_key: account.token, event: 'signup', properties });
    clock.now += below(40) * HOUR + 31 * 60_000;
    if (chance(0.6)) {
      const cents = 100 + below(10_000);
      sum += cents;
      sold.push(`m${i}`);
      await report(account, { gclid: `m${i}`, eventId: `m${i}`, value: cents / 100, currency: 'EUR' });
    }
  }
  await putCosts(
    account,
    ...sources.map((source) => ({ date: from, source, campaign: 'c0', currency: 'EUR', cost: 1 })),
  );
  // Of a visitor and a lead that have more sessions than count, the latest ones do.
  await db.query(
    `with many as (
       insert into sessions (account_id, number, hash, short_hash, visitor_id, lead_id, started_at, last_seen_at, landing_url, device, source,
         medium, campaign, click_ids)
       select $1, 7000000000 + n, 'many-' || n, 'MANY' || n, case when n % 3 = 0 then 'other' else s.visitor_id end,
         case when n % 3 < 2 then s.lead_id end, at, at, s.landing_url, s.device, s.source, 'cpc', 'c' || n * n % 5 % 3, '{}'
       from (
         select session_number, max(created_on) as sold_at from conversions where account_id = $1 group by 1) c
       join sessions s on s.account_id = $1 and s.number = c.session_number and s.lead_id is not null
       cross join generate_series(1, 130) n
       cross join lateral (select c.sold_at - n * interval '1 minute' as at) t
       where c.sold_at = (select max(c.created_on) from conversions c join sessions s on s.account_id = $1 and s.number = c.session_number
         where c.account_id = $1 and s.lead_id is not null)
       returning *),
     of_lead as (
       insert into lead_sessions (account_id, lead_id, started_at, session_number)
       select account_id, lead_id, started_at, number from many where lead_id is not null)
     insert into visits (account_id, id, session_number, url, visitor_id, is_bot, occurred_at, received_at)
     select account_id, gen_random_uuid(), number, landing_url, visitor_id, false, started_at, started_at from many`,
    [account.uuid],
  );
  const models = ['first', 'linear', 'position', 'timeDecay'];
  const answers: { at: number; model: string; body: unknown }[] = [];
  for (const model of ['last', ...models]) {
    const { total, rows } = await roas(account, `from=${from}&to=${to()}&by=campaign&model=${model}`);
    assert.equal(total.revenue, String(sum / 100), model);
    assert.ok(Math.abs(total.conversions - sold.length) < 1e-6, `${model}: ${total.conversions}`);
    const ofRows = rows.reduce((all: number, row: { revenue: string }) => all + Number(row.revenue), 0);
    assert.equal(Math.round(ofRows * 1e4), sum * 100, model);
    if (model === 'last') continue;
    const { rows: attributed } = await ok(
      `GET /v1/analytics/attribution?from=${from}&to=${to()}&by=campaign&windowDays=30`,
      account,
    );
    for (const { value, ...credits } of attributed) {
      const ofKey = rows.filter(({ key }: { key: string }) => key === value);
      const revenue = ofKey.reduce((all: number, row: { revenue: string }) => all + Number(row.revenue), 0);
      const expected = Number(credits[model].revenue[0]?.value ?? 0);
      assert.ok(Math.abs(revenue - expected) < 0.01, `${model} ${value}: ${revenue} is not ${expected}`);
      const conversions = ofKey.reduce((all: number, row: { conversions: number }) => all + row.conversions, 0);
      assert.ok(Math.abs(conversions - credits[model].conversions) < 1e-4, `${model} ${value}`);
    }
    answers.push({ at: clock.now, model, body: { total, rows } });
  }
  const end = to();
  // Refunds take from each click what the sale brought it; what is known later changes no answer of before.
  clock.now += 2 * DAY;
  await report(account, ...sold.map((gclid) => ({ gclid, eventId: gclid, value: 0 })));
  for (const { at, model, body } of answers) {
    const query = `from=${from}&to=${end}&by=campaign&model=${model}`;
    const { total, rows } = await roas(account, `${query}&asKnownOn=${isoTime(at)}`);
    assert.deepEqual({ total, rows }, body, model);
    const now = await roas(account, query);
    assert.deepEqual([now.total.revenue, now.total.refunded], ['0', String(sum / 100)], model);
    for (const row of now.rows) assert.deepEqual([row.revenue, row.conversions], ['0', 0], `${model} ${row.key}`);
  }
  const refused = await call(`GET /v1/analytics/roas?from=${from}&to=${end}&model=markov`, { as: account });
  assert.deepEqual([refused.status, refused.body.errors[0].pointer], [400, '?model']);
});

test('the sales of a visitor with many clicks are shared in small parts', async () => {
  clock.now = START + 400 * DAY;
  const account = await newAccount();
  await putCosts(account, { date: dateAt(clock.now), source: 'google', campaign: 'c', currency: 'EUR', cost: 1 });
  const [sessions, sales] = [100, 2_000];
  await db.query(
    `insert into sessions (account_id, number, hash, short_hash, visitor_id, started_at, last_seen_at, landing_url, device, source, medium,
       campaign, click_ids)
     select $1, 8000000000 + n, 'busy-' || n, 'BUSY' || n, 'busy', at, at, 'https://shop.example/', 'desktop', 'google', 'cpc', 'c' || n % 2, '{}'
     from generate_series(1, $3::int) n cross join lateral (select $2::timestamptz - n * interval '1 hour' as at) t`,
    [account.uuid, new Date(clock.now - HOUR), sessions],
  );
  await db.query(
    `insert into analytics_increments (account_id, conversion_id, number, known_at, sale_at, value, currency, conversions, is_refund,
       session_number, clicked_at, is_bot, is_internal, source, medium, campaign)
     select $1, md5('busy' || n)::uuid, 1, $2::timestamptz, $2::timestamptz, 1, 'EUR', 1, false, 8000000001, date_bin('15 minutes', $2::timestamptz - interval '1 hour', '2000-01-01Z'),
       false, false, 'google', 'cpc', 'c1'
     from generate_series(1, $3::int) n`,
    [account.uuid, new Date(clock.now - 1_000), sales],
  );
  const query = `from=${dateAt(clock.now - 10 * DAY)}&to=${dateAt(clock.now + DAY)}&by=campaign&model=linear`;
  const { rows } = await ok(`GET /v1/analytics/roas?${query}`, account);
  assert.deepEqual(
    (rows as { key: string; revenue: string; conversions: number }[])
      .filter(({ key }) => key !== 'c')
      .map(({ key, revenue, conversions }) => [key, revenue, conversions]),
    [
      ['c0', '1000', 1_000],
      ['c1', '1000', 1_000],
    ],
  );
  const range = {
    account_id: account.uuid,
    known_at: new Date(clock.now),
    unpaid: [],
    currency: 'EUR',
    window: '30 days',
  };
  const period = { from: new Date(clock.now - 10 * DAY), to: new Date(clock.now + DAY) };
  const { signal } = new AbortController();
  const parts: number[] = [];
  for await (const part of creditIncrements(db, 'linear', 'campaign', { ...range, ...period }, signal)) {
    parts.push(part.reduce((sum, { packed }) => sum + packed.length, 0));
  }
  assert.equal(
    parts.reduce((a, b) => a + b, 0),
    sessions * sales,
  );
  assert.ok(Math.max(...parts) <= 25_100, `${Math.max(...parts)} at once`);
});

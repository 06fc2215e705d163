import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Account } from '../../../test/harness.ts';
import { service } from '../../../test/shared.ts';
import { isoTime } from '../../shared/time.ts';
import { aggregateNewRows } from '../aggregation/aggregate-new-rows.ts';

const DAY = 86_400_000;
const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36';

const day = (ago: number) => isoTime(service.clock.now - ago * DAY).slice(0, 10);
const PATH = '/v1/analytics/ad-costs';
const put = (as: Account, costs: unknown) => service.call(`PUT ${PATH}`, { as, body: { costs } });

async function ok(request: string, as: Account, body?: unknown) {
  const headers = { 'user-agent': CHROME };
  const response = await service.call(request, { as, headers, ...(body !== undefined && { body }) });
  assert.equal(response.status, 200, `${request}: ${JSON.stringify(response.body)}`);
  return response.body;
}

async function performance(as: Account, query: string) {
  await aggregateNewRows({ db: service.db, clock: () => service.clock.now });
  return ok(`GET /v1/analytics/ad-performance?from=${day(6)}&to=${day(-1)}&${query}`, as);
}

test('costs are added, replaced and removed, and listed with the latest days first', async () => {
  const account = await service.newAccount();
  const google = { date: '2026-01-05', source: 'google', campaign: 'summer', currency: 'eur', cost: 10 };
  const costs = [google, { ...google, date: '2026-01-06', cost: '0.10', clicks: 3, impressions: 90 }];
  assert.deepEqual((await put(account, costs)).body, { written: 2, removed: 0 });
  const bing = { date: '2026-01-06', source: 'bing', currency: 'USD', cost: 5 };
  const again = [{ ...google, cost: '12.50' }, { ...google, date: '2026-01-06', cost: null }, bing];
  assert.deepEqual((await put(account, again)).body, { written: 2, removed: 1 });
  const { costs: listed, nextPageToken } = await ok(`GET ${PATH}?pageSize=1`, account);
  const { costs: rest } = await ok(`GET ${PATH}?pageSize=1&pageToken=${nextPageToken}`, account);
  const none = { adGroup: null, ad: null, clicks: null, impressions: null };
  const updatedAt = isoTime(service.clock.now);
  assert.deepEqual(
    [...listed, ...rest],
    [
      { ...none, ...bing, campaign: null, cost: '5', updatedAt },
      { ...none, ...google, currency: 'EUR', cost: '12.5', updatedAt },
    ],
  );
  for (const query of ['source=google', 'campaign=summer', 'from=2026-01-05&to=2026-01-06']) {
    const filtered = await ok(`GET ${PATH}?${query}`, account);
    assert.deepEqual(filtered.costs, rest, query);
  }
  assert.deepEqual((await ok(`GET ${PATH}?campaign=`, account)).costs, listed);
});

test('every fault is reported, and then nothing is written', async () => {
  const account = await service.newAccount();
  const good = { date: '2026-01-05', source: 'google', currency: 'EUR', cost: 1 };
  const bad = [
    { ...good, currency: 'XYZ' },
    { ...good, cost: -1 },
    { ...good, source: ' ', cost: 'much' },
    { ...good, campaign: 'a' },
    { ...good, campaign: ' a ' },
    { ...good, date: '2026-02-30', currency: 'XYZ', clicks: -1 },
    null,
  ];
  const { status, body } = await put(account, bad);
  assert.equal(status, 400);
  assert.deepEqual(
    body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
    [
      ['/costs/0/currency', 'currency_invalid'],
      ['/costs/1/cost', 'value_invalid'],
      ['/costs/2/cost', 'value_invalid'],
      ['/costs/2/source', 'too_short'],
      ['/costs/4', 'duplicate'],
      ['/costs/5/date', 'date_invalid'],
      ['/costs/5/clicks', 'out_of_range'],
      ['/costs/5/currency', 'currency_invalid'],
      ['/costs/6', 'type'],
    ],
  );
  for (const date of ['0000-01-01', '2026-02-30', 'today']) {
    assert.equal((await put(account, [{ ...good, date }])).body.code, 'date_invalid', date);
  }
  assert.equal((await put(account, [])).body.code, 'too_few');
  const faulty = await service.call(`PUT ${PATH}?onError=never&other=1`, { as: account, body: { costs: bad } });
  assert.deepEqual(
    faulty.body.errors
      .map(({ pointer }: { pointer: string }) => pointer)
      .filter((each: string) => each.startsWith('?')),
    ['?other', '?onError'],
  );
  assert.deepEqual((await ok(`GET ${PATH}`, account)).costs, []);

  const skipped = await ok(`PUT ${PATH}?onError=skip`, account, { costs: bad });
  assert.deepEqual(
    [skipped.written, skipped.faults.map(({ row, code }: { row: number; code: string }) => [row, code])],
    [
      1,
      [
        ...[
          [1, 'currency_invalid'],
          [2, 'value_invalid'],
          [3, 'value_invalid'],
          [3, 'too_short'],
          [5, 'duplicate'],
        ],
        ...[
          [6, 'date_invalid'],
          [6, 'out_of_range'],
          [6, 'currency_invalid'],
          [7, 'type'],
        ],
      ],
    ],
  );
  const { costs } = await ok(`GET ${PATH}`, account);
  assert.deepEqual(
    costs.map(({ campaign, cost }: Record<string, unknown>) => [campaign, cost]),
    [['a', '1']],
  );
});

test('cost, cost per conversion and return on ad spend are reported by source and by campaign', async () => {
  const account = await service.newAccount();
  const visit = (query: string) =>
    ok('POST /v1/visits', account, { api_key: account.apiKey, url: `https://shop.example/?${query}` });
  const report = (hash: string, value: number, currency = 'EUR') =>
    ok('POST /v1/analytics/report-conversion', account, { hash, value, currency });
  const summer = 'utm_source=google&utm_medium=cpc&utm_campaign=summer';
  for (const value of [20, 30]) await report((await visit(summer)).sessionHash, value);
  await report((await visit('utm_source=google&utm_medium=cpc')).sessionHash, 7, 'USD');
  await report((await visit('utm_source=google&utm_medium=organic')).sessionHash, 1_000);
  await report((await visit('utm_source=newsletter')).sessionHash, 500);
  await visit('utm_source=bing&utm_medium=cpc&utm_campaign=winter');
  const cost = (source: string, campaign: string | null, amount: number, currency = 'EUR', ago = 0) => ({
    ...{ date: day(ago), source, campaign, cost: amount, currency, clicks: 10, impressions: 1_000 },
  });
  await put(account, [
    cost('google', 'summer', 12.25),
    cost('google', 'summer', 12.75, 'EUR', 1),
    cost('google', null, 3, 'USD'),
    cost('bing', 'winter', 9),
    cost('bing', 'winter', 1_000, 'EUR', 30),
  ]);

  const eur = (value: string) => ({ currency: 'EUR', value });
  const usd = (value: string) => ({ currency: 'USD', value });
  const { rows, total, more } = await performance(account, 'by=campaign');
  assert.equal(more, false);
  const summary = (row: Record<string, unknown>) => [
    row.value,
    ...[row.cost, row.clicks, row.sessions, row.conversions, row.revenue, row.costPerConversion, row.returnOnAdSpend],
  ];
  assert.deepEqual(rows.map(summary), [
    ['summer', [eur('25')], 20, 2, 2, [eur('50')], [eur('12.50')], [{ currency: 'EUR', value: 2 }]],
    ['winter', [eur('9')], 10, 1, 0, [], [], [{ currency: 'EUR', value: 0 }]],
    [null, [usd('3')], 10, 1, 1, [usd('7')], [usd('3.00')], [{ currency: 'USD', value: 2.3333 }]],
  ]);
  assert.deepEqual(total.cost, [eur('34'), usd('3')]);
  assert.deepEqual([total.sessions, total.conversions, total.clicks, total.impressions], [4, 3, 40, 4_000]);

  const bySource = await performance(account, 'by=source&source=google');
  assert.deepEqual(bySource.rows.map(summary), [
    [
      'google',
      [eur('25'), usd('3')],
      30,
      3,
      3,
      [eur('50'), usd('7')],
      [eur('9.22'), usd('10.42')],
      [
        { currency: 'EUR', value: 2.032 },
        { currency: 'USD', value: 2.032 },
      ],
    ],
  ]);
  assert.equal(bySource.total.converted, null);

  await service.control.query(`update accounts set currency = 'EUR', exchange_rates = '{"USD":"0.9"}' where id = $1`, [
    account.uuid,
  ]);
  const converted = await performance(account, 'by=source&source=google');
  assert.deepEqual(converted.total.converted, {
    ...{ currency: 'EUR', cost: '27.7', revenue: '56.3', costPerConversion: '9.23', returnOnAdSpend: 2.0325 },
    isComplete: true,
  });
  const other = await performance(await service.newAccount(), 'by=source');
  assert.deepEqual([other.rows, other.total.cost], [[], []]);
});

test('totals divide the cost of a currency by what it led to, and revenue in other currencies counts', async () => {
  const account = await service.newAccount();
  const sell = async (campaign: string, value: number, currency: string) => {
    const { sessionHash: hash } = await ok('POST /v1/visits', account, {
      api_key: account.apiKey,
      url: `https://shop.example/?utm_source=${campaign === 'autumn' ? 'facebook' : 'google'}&utm_medium=cpc&utm_campaign=${campaign}`,
    });
    await ok('POST /v1/analytics/report-conversion', account, { hash, value, currency });
  };
  const rates = [
    { date: day(0), base: 'EUR', currency: 'USD', rate: 1.25 },
    { date: day(0), base: 'EUR', currency: 'GBP', rate: 0.8 },
  ];
  await ok('PUT /v1/analytics/exchange-rates', account, { rates });
  for (let i = 0; i < 4; i++) await sell('summer', 25, 'EUR');
  for (let i = 0; i < 2; i++) await sell('autumn', 10, 'USD');
  await sell('autumn', 5, 'EUR');
  await sell('autumn', 46, 'GBP');
  await put(account, [
    { date: day(0), source: 'Google', campaign: 'SUMMER', cost: 50, currency: 'EUR' },
    { date: day(0), source: 'facebook', campaign: 'autumn', cost: 40, currency: 'USD' },
  ]);
  const { total, rows } = await performance(account, 'by=campaign');
  const perConversion = [
    { currency: 'EUR', value: '12.50' },
    { currency: 'USD', value: '10.00' },
  ];
  assert.deepEqual(
    rows.map((row: Record<string, unknown>) => [row.value, row.conversions, row.costPerConversion]),
    [
      ['SUMMER', 4, [perConversion[0]]],
      ['autumn', 4, [perConversion[1]]],
    ],
  );
  assert.deepEqual(total.costPerConversion, perConversion);
  // 20 dollars, 5 euros and 46 pounds are 98.125 dollars.
  const returns = [
    { currency: 'EUR', value: 2 },
    { currency: 'USD', value: 2.4531 },
  ];
  assert.deepEqual(total.returnOnAdSpend, returns);
  assert.deepEqual(rows[1].returnOnAdSpend, [returns[1]]);
});

test('revenue counts for the day of its click, or of its sale if asked, and as it was known at a time', async () => {
  const account = await service.newAccount();
  const { sessionHash: hash } = await ok('POST /v1/visits', account, {
    ...{ api_key: account.apiKey, url: 'https://shop.example/?utm_source=google&utm_medium=cpc' },
  });
  await put(account, [
    { date: day(0), source: 'google', cost: 10, currency: 'EUR' },
    { date: day(3), source: 'google', cost: 5, currency: 'EUR' },
  ]);
  const createdOn = isoTime(service.clock.now - 3 * DAY);
  await ok('POST /v1/analytics/report-conversion', account, {
    hash,
    eventId: 'one',
    value: 20,
    currency: 'EUR',
    createdOn,
  });
  await aggregateNewRows({ db: service.db, clock: () => service.clock.now });
  const revenueOf = async (from: number, query = '') => {
    const period = `from=${day(from)}&to=${day(from - 1)}`;
    const { total } = await ok(`GET /v1/analytics/ad-performance?${period}${query}`, account);
    return [total.conversions, total.revenue[0]?.value ?? null, total.cost[0]?.value ?? null];
  };
  assert.deepEqual(await revenueOf(0), [1, '20', '10']);
  assert.deepEqual(await revenueOf(3), [0, null, '5']);
  assert.deepEqual(await revenueOf(0, '&basis=conversion'), [0, null, '10']);
  assert.deepEqual(await revenueOf(3, '&basis=conversion'), [1, '20', '5']);
  assert.deepEqual(await revenueOf(0, `&asKnownOn=${isoTime(service.clock.now - 1)}`), [0, null, null]);
});

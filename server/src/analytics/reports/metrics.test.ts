import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Account, testService } from '../../../test/harness.ts';
import { isoTime } from '../../shared/time.ts';
import { aggregateNewRows } from '../aggregation/aggregate-new-rows.ts';

const service = await testService();
const deps = { db: service.db, clock: () => service.clock.now };
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36';

async function ok(request: string, as: Account, body?: unknown) {
  const headers = { 'user-agent': CHROME };
  const response = await service.call(request, { as, headers, ...(body !== undefined && { body }) });
  assert.equal(response.status, 200, `${request}: ${JSON.stringify(response.body)}`);
  return response.body;
}

const day = (ms: number) => isoTime(ms).slice(0, 10);
const visit = (as: Account, query: string, ago = 0) =>
  ok('POST /v1/visits', as, {
    api_key: as.apiKey,
    url: `https://shop.example/?${query}`,
    occurredAt: isoTime(service.clock.now - ago),
  });
const report = (as: Account, body: Record<string, unknown>) => ok('POST /v1/analytics/report-conversion', as, body);

async function today(as: Account, more = '') {
  await aggregateNewRows(deps);
  const from = day(service.clock.now);
  const to = day(service.clock.now + DAY);
  return ok(`GET /v1/analytics/overview?from=${from}&to=${to}${more}`, as);
}

test('the conversion rate is the share of sessions that converted, however many conversions they have', async () => {
  const account = await service.newAccount();
  const { sessionHash } = await visit(account, 'utm_source=a');
  await visit(account, 'utm_source=b');
  for (let i = 0; i < 5; i++)
    await report(account, { hash: sessionHash, eventId: `o${i}`, value: 10, currency: 'EUR' });
  const { current } = await today(account);
  assert.deepEqual(
    [current.sessions, current.conversions, current.convertingSessions, current.conversionRate],
    [2, 5, 1, 0.5],
  );
  const period = `from=${day(service.clock.now)}&to=${day(service.clock.now + DAY)}`;
  const { breakdowns } = await ok(`GET /v1/analytics/breakdown?${period}&by=source,page`, account);
  assert.deepEqual(
    breakdowns.source.rows.map((row: Record<string, unknown>) => [row.value, row.conversions, row.conversionRate]),
    [
      ['a', 5, 1],
      ['b', 0, 0],
    ],
  );
  assert.deepEqual(
    breakdowns.page.rows.map((row: Record<string, unknown>) => [row.value, row.conversionRate]),
    [['shop.example', 0.5]],
  );
});

test('a conversion adjusted to 0 is a refund, not a conversion; one with the value 0 from the start is a conversion', async () => {
  const account = await service.newAccount();
  const { sessionHash: hash } = await visit(account, 'utm_source=a');
  await report(account, { hash, eventId: 'refunded', value: 20, currency: 'EUR' });
  await report(account, { hash, eventId: 'free', value: 0, currency: 'EUR' });
  await report(account, { hash, eventId: 'refunded', value: 0 });
  const { current } = await today(account);
  assert.deepEqual([current.conversions, current.refunds, current.conversionRate], [1, 1, 1]);
  assert.deepEqual(current.revenue, [{ currency: 'EUR', value: '0' }]);
  const period = `from=${day(service.clock.now)}&to=${day(service.clock.now + DAY)}`;
  assert.equal((await ok(`GET /v1/analytics/attribution?${period}`, account)).conversions, 1);
  await report(account, { hash, eventId: 'refunded', value: 5 });
  const adjusted = (await today(account)).current;
  assert.deepEqual([adjusted.conversions, adjusted.refunds], [2, 0]);
});

test('today is compared to the same hours of yesterday, in overview and breakdown', async () => {
  const account = await service.newAccount();
  const midnight = Math.floor(service.clock.now / DAY) * DAY;
  service.clock.now = midnight + 3 * DAY + 12 * HOUR;
  await visit(account, 'utm_source=a');
  await visit(account, 'utm_source=a', DAY + HOUR);
  await visit(account, 'utm_source=a', DAY - HOUR);
  const overview = await today(account);
  assert.equal(overview.previous.to, isoTime(service.clock.now - DAY));
  assert.deepEqual([overview.current.visits, overview.previous.visits, overview.change.visits], [1, 1, 0]);
  const period = `from=${day(service.clock.now)}&to=${day(service.clock.now + DAY)}`;
  const { breakdowns } = await ok(`GET /v1/analytics/breakdown?${period}&by=source&compare=previous`, account);
  assert.equal(breakdowns.source.rows[0].previous.visits, 1);
});

test('attribution and unmatched conversions accept the filters of the overview', async () => {
  const account = await service.newAccount();
  for (const source of ['a', "b'--"]) {
    const query = new URLSearchParams({ utm_source: source, gclid: source }).toString();
    const { sessionHash } = await visit(account, query);
    await report(account, { hash: sessionHash, value: 10, currency: 'EUR' });
  }
  await report(account, { gclid: 'unknown' });
  await aggregateNewRows(deps);
  const period = `from=${day(service.clock.now)}&to=${day(service.clock.now + DAY)}`;
  const sources = async (filter: Record<string, string>) => {
    const { rows } = await ok(`GET /v1/analytics/attribution?${period}&${new URLSearchParams(filter)}`, account);
    return rows.map((row: { value: string }) => row.value).sort();
  };
  assert.deepEqual(await sources({}), ['a', "b'--"]);
  assert.deepEqual(await sources({ 'filter[source]': "b'--" }), ["b'--"]);
  assert.deepEqual(await sources({ 'filter[page]': 'shop.example', 'filter[source]': 'a' }), ['a']);
  assert.deepEqual(await sources({ 'filter[event]': 'x' }), []);
  assert.deepEqual(await sources({ 'filter[event]': '', 'filter[platform]': 'gclid' }), ['a', "b'--"]);
  const total = async (filter: string) => (await ok(`GET /v1/analytics/unmatched?${period}${filter}`, account)).total;
  assert.deepEqual([await total(''), await total('&filter[source]=a'), await total('&filter[source]=')], [1, 0, 1]);
});

test('revenue is converted into the currency of the account by its exchange rates, exactly, beside the other currencies', async () => {
  const account = await service.newAccount();
  const { sessionHash } = await visit(account, 'utm_source=a');
  const values = [
    { value: '0.1', currency: 'EUR' },
    { value: '0.2', currency: 'EUR' },
    { value: '100.005', currency: 'USD' },
    { value: '-3', currency: 'JPY' },
    { value: 7 },
  ];
  for (const [i, each] of values.entries()) await report(account, { hash: sessionHash, eventId: `o${i}`, ...each });
  const converted = async () => (await today(account)).current.convertedRevenue;
  assert.equal(await converted(), null);
  await changeReporting(account, { currency: 'EUR', exchange_rates: { USD: '0.9' } });
  // 0.3 + 90.0045, yen by the average of their year; amounts without a currency have no rate.
  const averages = { currency: 'EUR', value: '90.2867', isComplete: false, rates: 'embedded' };
  assert.deepEqual(await converted(), averages);
  await changeReporting(account, { currency: 'EUR', exchange_rates: { USD: '0.9', JPY: '0.00615' } });
  assert.deepEqual(await converted(), { currency: 'EUR', value: '90.2861', isComplete: false });
  const { current } = await today(account);
  assert.deepEqual(
    current.revenue.map(({ currency, value }: Record<string, unknown>) => [currency, value]),
    [
      ['EUR', '0.3'],
      ['JPY', '-3'],
      ['USD', '100.005'],
      [null, '7'],
    ],
  );
  const period = `from=${day(service.clock.now)}&to=${day(service.clock.now + DAY)}`;
  const { breakdowns } = await ok(`GET /v1/analytics/breakdown?${period}&by=source&order=revenue`, account);
  assert.equal(breakdowns.source.rows[0].convertedRevenue.value, '90.2861');
  const { rows } = await ok(`GET /v1/analytics/attribution?${period}`, account);
  assert.equal(rows[0].last.convertedRevenue.value, '90.2861');
});

test('days without a time zone are those of the account, in reports and exports', async () => {
  const account = await service.newAccount();
  await visit(account, 'utm_source=a');
  const defaults = await ok('GET /v1/analytics/overview?from=2026-11-20&to=2026-11-21', account);
  assert.deepEqual([defaults.timeZone, defaults.from], ['UTC', '2026-11-20T00:00:00.000Z']);
  await changeReporting(account, { time_zone: 'America/New_York' });
  const days = 'from=2026-11-20&to=2026-11-21';
  for (const path of [`overview?${days}`, `breakdown?${days}&by=source`, `attribution?${days}`, `unmatched?${days}`]) {
    const { from, to } = await ok(`GET /v1/analytics/${path}`, account);
    assert.deepEqual([from, to], ['2026-11-20T05:00:00.000Z', '2026-11-21T05:00:00.000Z'], path);
  }
  const funnel = { from: '2026-11-20', to: '2026-11-21', steps: [{ event: 'a' }] };
  assert.equal((await ok('POST /v1/analytics/funnel', account, funnel)).from, '2026-11-20T05:00:00.000Z');
  const other = await ok(`GET /v1/analytics/overview?${days}&timeZone=Asia/Tokyo`, account);
  assert.equal(other.from, '2026-11-19T15:00:00.000Z');
  const body = { dataset: 'sessions', format: 'csv', from: '2026-03-08', to: '2026-03-09' };
  const { params } = await ok('POST /v1/analytics/export', account, body);
  // Clocks change on that day.
  assert.deepEqual([params.from, params.to], ['2026-03-08T05:00:00.000Z', '2026-03-09T04:00:00.000Z']);
});

function changeReporting({ uuid }: Account, change: Record<string, unknown>) {
  const columns = Object.keys(change).map((name, i) => `${name} = $${i + 2}`);
  return service.control.query(`update accounts set ${columns.join(', ')} where id = $1`, [
    uuid,
    ...Object.values(change),
  ]);
}

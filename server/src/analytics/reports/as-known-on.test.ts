import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Account, testService } from '../../../test/harness.ts';
import { LateMatcher } from '../../conversions/matching/late-matcher.ts';
import { isoTime } from '../../shared/time.ts';
import { aggregateNewRows } from '../aggregation/aggregate-new-rows.ts';

const service = await testService();
const { clock } = service;
const deps = { db: service.db, clock: () => clock.now };
const DAY = 86_400_000;
const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36';
const START = Date.parse('2026-01-10T11:00:00Z');

async function ok(request: string, as: Account, body?: unknown) {
  const answer = await service.call(request, {
    as,
    headers: { 'user-agent': CHROME },
    ...(body !== undefined && { body }),
  });
  assert.equal(answer.status, 200, `${request}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

const visit = (as: Account, parameters: string) =>
  ok('POST /v1/visits', as, { api_key: as.apiKey, url: `https://shop.example/?${parameters}` });
const report = (as: Account, body: object) => ok('POST /v1/analytics/report-conversion', as, body);
const dayOf = (ms: number) => isoTime(ms).slice(0, 10);

async function newAccount() {
  const account = await service.newAccount();
  const update = 'update accounts set time_zone = $2, currency = $3 where id = $1';
  await service.control.query(update, [account.uuid, 'UTC', 'EUR']);
  return account;
}

const REPORTS = ['overview?interval=day&', 'breakdown?by=source,page,country&', 'attribution?by=campaign&'];

test('overview, breakdown and attribution respond as they did at any time, after refunds, restatements, moves and new rates', async () => {
  clock.now = START;
  const account = await newAccount();
  const written: { at: number; query: string; body: Record<string, unknown> }[] = [];
  const period = `from=${dayOf(START - 2 * DAY)}&to=${dayOf(START + 40 * DAY)}`;
  const write = async () => {
    clock.now += 60_000;
    await aggregateNewRows(deps);
    for (const name of REPORTS) {
      const query = `${name}${period}`;
      written.push({ at: clock.now, query, body: await ok(`GET /v1/analytics/${query}`, account) });
    }
    clock.now += DAY;
  };
  const rates = (rate: number) =>
    ok('PUT /v1/analytics/exchange-rates', account, {
      rates: [{ date: dayOf(START), base: 'EUR', currency: 'USD', rate }],
    });
  await rates(1.25);
  await visit(account, 'gclid=a&utm_source=google&utm_campaign=brand');
  await visit(account, 'gclid=b&utm_source=bing&utm_campaign=spring');
  await report(account, { gclid: 'a', eventId: '1', value: 100, currency: 'USD' });
  await report(account, { gclid: 'b', eventId: '2', value: 50, currency: 'EUR' });
  await report(account, { gclid: 'b', eventId: '3' });
  await write();
  await report(account, { gclid: 'a', eventId: '1', value: 0 });
  await report(account, { gclid: 'b', eventId: '2', value: '49.99' });
  await write();
  await rates(1.5);
  await report(account, { gclid: 'a', eventId: '1', value: 75 });
  await report(account, { gclid: 'b', eventId: '3', value: 5, currency: 'EUR' });
  await write();
  // Its currency was wrong.
  await report(account, { gclid: 'a', eventId: '1', value: 80, currency: 'EUR' });
  await write();
  // A refund of another day, and a sale that is refunded before its click arrives.
  await report(account, { gclid: 'b', eventId: '2', value: 0, createdOn: isoTime(START - DAY) });
  await report(account, { gclid: 'late', eventId: '4', value: 30, currency: 'EUR' });
  await report(account, { gclid: 'late', eventId: '4', value: 0 });
  await visit(account, 'gclid=late&utm_source=google&utm_campaign=brand');
  await new LateMatcher({ ...deps, log: service.app.log, sessionIds: service.sessionIds }).sweep();
  await write();
  assert.deepEqual(
    written
      .filter(({ query }) => query.startsWith('overview'))
      .map(({ body }) => {
        const { conversions, refunds, convertedRevenue } = body.current as Record<string, unknown>;
        return [conversions, refunds, (convertedRevenue as { value: string }).value];
      }),
    [
      [3, 0, '130'],
      [2, 1, '49.99'],
      [3, 0, '104.99'],
      [3, 0, '134.99'],
      [2, 2, '85'],
    ],
  );
  for (const { at, query, body } of written) {
    const again = await ok(`GET /v1/analytics/${query}&asKnownOn=${isoTime(at)}`, account);
    assert.deepEqual(
      { ...again, asOf: null, asKnownOn: null },
      { ...body, asOf: null, asKnownOn: null },
      `${query} at ${isoTime(at)}`,
    );
    assert.equal(again.asKnownOn, isoTime(at));
  }
  const before = await ok(`GET /v1/analytics/overview?${period}&asKnownOn=${isoTime(START - DAY)}`, account);
  assert.deepEqual([before.current.conversions, before.current.sessions, before.current.revenue], [0, 0, []]);
  const { status, body } = await service.call(`GET /v1/analytics/overview?${period}&asKnownOn=yesterday`, {
    as: account,
  });
  assert.deepEqual([status, body.errors[0].pointer], [400, '?asKnownOn']);
});

test('revenue converts at the rate of the day of its sale, wherever it is shown', async () => {
  clock.now = START;
  const account = await newAccount();
  for (const [i, rate] of [1.25, 2].entries()) {
    clock.now = START + i * 20 * DAY;
    await ok('PUT /v1/analytics/exchange-rates', account, {
      rates: [{ date: dayOf(clock.now), base: 'EUR', currency: 'USD', rate }],
    });
    const { sessionHash } = await visit(account, `gclid=c${i}&utm_source=google`);
    await ok('POST /v1/events', account, {
      api_key: account.apiKey,
      event: 'signup',
      properties: { sessionHash, email: 'ann@shop.example' },
    });
    await report(account, { gclid: `c${i}`, eventId: `${i}`, value: 100, currency: 'USD' });
  }
  // Its rate is that of the sale, too.
  await report(account, { gclid: 'c0', eventId: '0', value: 50 });
  await aggregateNewRows(deps);
  const period = `from=${dayOf(START)}&to=${dayOf(START + 30 * DAY)}`;
  const expected = { currency: 'EUR', value: '90', isComplete: true };
  assert.deepEqual((await ok(`GET /v1/analytics/overview?${period}`, account)).current.convertedRevenue, expected);
  const { breakdowns } = await ok(`GET /v1/analytics/breakdown?${period}&by=source`, account);
  assert.deepEqual(breakdowns.source.rows[0].convertedRevenue, expected);
  assert.deepEqual(breakdowns.source.rows[0].revenue, [{ currency: 'USD', value: '150' }]);
  const { rows } = await ok(`GET /v1/analytics/attribution?${period}`, account);
  assert.deepEqual(rows[0].last.convertedRevenue, expected);
  const [lead] = (await ok('GET /v1/leads', account)).leads;
  const { leads } = await ok(`GET /v1/analytics/lead-values?leadId=${lead.id}`, account);
  assert.deepEqual(leads[0].convertedRevenue, expected);
  assert.deepEqual(leads[0].revenue, [{ currency: 'USD', value: '150' }]);
});

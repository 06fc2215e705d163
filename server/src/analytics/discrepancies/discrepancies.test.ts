import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { until } from '../../../test/until.ts';
import { decidedDelivery, newDestination, report, sendingService } from '../../destinations/test-support.ts';
import { newUuid } from '../../shared/ids.ts';
import { isoTime } from '../../shared/time.ts';
import { aggregateNewRows } from '../aggregation/aggregate-new-rows.ts';

const service = await sendingService();
const ticking = setInterval(() => service.pass(60_000), 50);
after(() => clearInterval(ticking));
const deps = { db: service.db, clock: () => service.clock.now };
const DAY = 86_400_000;

test('what each destination was told differs from what is true by reasons that add up, now and at any earlier time, and what can be sent is sent', async () => {
  const account = await service.newAccount();
  await service.control.query(`update accounts set currency = 'EUR' where id = $1`, [account.uuid]);
  const meta = await newDestination(service, account, 'meta', {
    name: 'Meta',
    mapping: [{ event: 'sale', target: 'Purchase' }],
  });
  const google = await newDestination(service, account, 'google', {
    name: 'Google',
    mapping: [{ event: '*', target: '987654321' }],
  });
  const [from, to] = [
    isoTime(service.clock.now - DAY).slice(0, 10),
    isoTime(service.clock.now + 60 * DAY).slice(0, 10),
  ];
  let orders = 0;
  const sell = async (
    value: number,
    { event = 'sale', consent, ...more }: Record<string, unknown> = {},
    campaign = 'spring',
  ) => {
    const click = `click-${++orders}`;
    const url = `https://shop.example/?fbclid=${click}&gclid=${click}&utm_source=facebook&utm_campaign=${campaign}`;
    await service.call('POST /v1/visits', { body: { api_key: account.apiKey, url, visitorId: click, consent } });
    const item = { fbclid: click, eventId: `order-${orders}`, value, currency: 'EUR', event, ...more };
    const id = await report(service, account, item);
    await decidedDelivery(service, account, id);
    return { id, change: (next: number) => report(service, account, { ...item, value: next }) };
  };
  const read = async (query = '') => {
    await aggregateNewRows(deps);
    const { status, body } = await service.call(`GET /v1/analytics/discrepancies?from=${from}&to=${to}${query}`, {
      as: account,
    });
    assert.equal(status, 200, JSON.stringify(body));
    for (const row of body.rows) {
      const parts = [...Object.values(row.notSent), row.notAdjustable, row.adjusting, row.noConsent].map(Number);
      const sum = parts.reduce((all, each) => all + each, 0);
      assert.ok(Math.abs(sum - Number(row.difference)) < 1e-9, JSON.stringify(row));
      assert.ok(Math.abs(Number(row.revenue) - Number(row.sent) - Number(row.difference)) < 1e-9);
    }
    return body;
  };
  const of = (body: { rows: { destinationId: string }[] }, id: string) => {
    const {
      destinationId: _,
      key: __,
      platform: ___,
      campaign: ____,
      expectedRevenue: _____,
      ...row
    } = body.rows.find((each) => each.destinationId === id) as Record<string, unknown>;
    return row;
  };

  const sold = await sell(100);
  await sell(20, { consent: { ad_user_data: 'denied' } }, 'Spring');
  await sell(7, { event: 'upsell' }, 'autumn');
  interface Row {
    revenue: string;
    notSent: object;
    adjusting: string;
  }
  /** What is read once both destinations know of so much revenue: a transaction of another database of the server can delay what is counted. */
  const readWhen = async (revenue: string, holds: (row: Row) => boolean) => {
    let body: { rows: (Row & { destinationId: string })[] } = { rows: [] };
    await until(async () => {
      body = await read();
      return body.rows.length === 2 && body.rows.every((row) => row.revenue === revenue && holds(row));
    });
    return body;
  };
  // Until nothing waits any more, or is about to.
  const first = await readWhen('127', ({ notSent }) => !('queued' in notSent || 'unqueued' in notSent));
  const whole = {
    conversions: 3,
    revenue: '127',
    isComplete: true,
    notAdjustable: '0',
    adjusting: '0',
    waiting: '0',
    noConsent: '20',
  };
  assert.deepEqual(of(first, meta), {
    ...{ name: 'Meta', ...whole, sentConversions: 1, sent: '100', difference: '27' },
    ...{ notSent: { event_not_mapped: '7' }, sendable: '0' },
  });
  const ofGoogle = of(first, google);
  assert.deepEqual([ofGoogle.sent, ofGoogle.noConsent, ofGoogle.notSent], ['107', '20', {}]);
  const at = service.clock.now;
  service.pass(60_000);

  // Meta takes no changes.
  await sold.change(60);
  await until(async () => {
    const deliveries = (await service.call(`GET /v1/conversions/${sold.id}/deliveries`, { as: account })).body
      .deliveries;
    return (
      deliveries
        .map(({ status }: { status: string }) => status)
        .sort()
        .join() === 'adjusted,not_adjustable'
    );
  });
  const second = await readWhen('87', ({ adjusting }) => adjusting === '0');
  assert.deepEqual(of(second, meta), {
    ...{ name: 'Meta', ...whole, revenue: '87', sentConversions: 1, sent: '100', difference: '-13' },
    ...{ notSent: { event_not_mapped: '7' }, notAdjustable: '-40', sendable: '0' },
  });
  assert.deepEqual([of(second, google).sent, of(second, google).difference], ['67', '20']);
  assert.deepEqual((await read(`&asKnownOn=${isoTime(at)}`)).rows, first.rows);

  const byCampaign = (await read('&by=campaign')).rows.filter(
    (row: { destinationId: string }) => row.destinationId === meta,
  );
  assert.deepEqual(byCampaign.map((row: Record<string, unknown>) => [row.key, row.revenue, row.sent]).sort(), [
    // Names match in any case, as in the other reports.
    ['Spring', '80', '100'],
    ['autumn', '7', '0'],
  ]);

  // Once its event is mapped, what is missing is sent.
  const mapping = [{ event: '*', target: 'Purchase' }];
  assert.equal((await service.call(`PATCH /v1/destinations/${meta}`, { as: account, body: { mapping } })).status, 200);
  const late = await newDestination(service, account, 'meta', { name: 'Late', mapping });
  const { notSent, sendable } = of(await read(), late);
  assert.deepEqual([notSent, sendable], [{ unqueued: '87' }, '87']);
  const body = { createdFrom: `${from}T00:00:00Z`, createdTo: `${to}T00:00:00Z` };
  assert.equal((await service.call(`POST /v1/destinations/${meta}/replay`, { as: account, body })).status, 200);
  await until(async () => of(await read(), meta).sent === '107');
  assert.deepEqual(of(await read(), meta).notSent, {});

  const conflict = await service.call(`POST /v1/destinations/${meta}/replay`, {
    as: account,
    body: { ...body, statuses: ['rejected'] },
  });
  assert.equal(conflict.status, 400);
});

test('what the sales of a period will be worth follows how sales develop, not clicks, whose later sales are of other days', async () => {
  const account = await service.newAccount();
  await service.control.query(`update accounts set currency = 'EUR' where id = $1`, [account.uuid]);
  await newDestination(service, account, 'meta', { name: 'Meta', mapping: [{ event: 'sale', target: 'Purchase' }] });
  const today = Math.floor(service.clock.now / DAY);
  const rows: [string, Date, Date, Date, number, number, string][] = [];
  for (let day = today - 90; day < today; day++) {
    for (const source of ['google', 'facebook']) {
      const id = newUuid(day * DAY);
      // The click was 20 days before. Of Google a fifth is refunded on the third day, of Facebook half.
      const [sold, clicked] = [new Date(day * DAY), new Date((day - 20) * DAY)];
      rows.push([id, sold, sold, clicked, 1000, 1, source]);
      const taken = source === 'google' ? -200 : -500;
      if (day + 3 < today) rows.push([id, new Date((day + 3) * DAY), sold, clicked, taken, 0, source]);
    }
  }
  await service.db.query(
    `insert into analytics_increments (account_id, conversion_id, number, known_at, sale_at, clicked_at, value, currency, conversions, is_refund, is_bot, is_internal, source)
     select $1, c, case when n > 0 then 1 else 2 end, k, s, p, v, 'EUR', n, n = 0, false, false, o
     from unnest($2::uuid[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[], $6::numeric[], $7::int[], $8::text[]) u (c, k, s, p, v, n, o)`,
    [account.uuid, ...[0, 1, 2, 3, 4, 5, 6].map((i) => rows.map((row) => row[i]))],
  );
  const dateOf = (day: number) => isoTime(day * DAY).slice(0, 10);
  const cost = await service.call('PUT /v1/analytics/ad-costs', {
    as: account,
    body: { costs: [{ date: dateOf(today - 30), source: 'google', cost: 1, currency: 'EUR' }] },
  });
  assert.equal(cost.status, 200, JSON.stringify(cost.body));
  const read = async (from: number, to: number) => {
    const url = `GET /v1/analytics/discrepancies?from=${dateOf(from)}&to=${dateOf(to)}`;
    const { status, body } = await service.call(url, { as: account });
    assert.equal(status, 200, JSON.stringify(body));
    return [Number(body.rows[0].revenue), Number(body.rows[0].expectedRevenue)] as const;
  };
  const [young, expected] = await read(today - 2, today);
  assert.equal(young, 4000);
  // Of both sources together, as sources borrow from each other.
  assert.ok(Math.abs(expected - 2600) < 60, `${expected}`);
  const [old, known] = await read(today - 80, today - 70);
  assert.deepEqual([old, known], [13_000, 13_000]);
});

test('what a destination is told once it has settled waits, and is not missing', async () => {
  const account = await service.newAccount();
  const mapping = [{ event: '*', target: 'Purchase' }];
  await newDestination(service, account, 'meta', { mapping, value: 'settled' });
  const url = 'https://shop.example/?fbclid=late-1';
  await service.call('POST /v1/visits', { body: { api_key: account.apiKey, url, visitorId: 'late' } });
  await report(service, account, { fbclid: 'late-1', eventId: 'late', value: 40, currency: 'EUR', event: 'sale' });
  const days = [-1, 60].map((ahead) => isoTime(service.clock.now + ahead * DAY).slice(0, 10));
  await until(async () => {
    await aggregateNewRows(deps);
    const path = `GET /v1/analytics/discrepancies?from=${days[0]}&to=${days[1]}&currency=EUR`;
    const [row] = (await service.call(path, { as: account })).body.rows;
    return row?.difference === '40' && row.notSent.queued === '40' && row.waiting === '40';
  });
});

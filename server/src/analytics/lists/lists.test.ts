import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Account, testService } from '../../../test/harness.ts';
import { isoTime } from '../../shared/time.ts';
import { aggregateNewRows } from '../aggregation/aggregate-new-rows.ts';

const service = await testService();
const deps = { db: service.db, clock: () => service.clock.now };
const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36';

async function ok(request: string, as: Account, body?: unknown) {
  const headers = { 'user-agent': CHROME };
  const answer = await service.call(request, { as, headers, ...(body !== undefined && { body }) });
  assert.equal(answer.status, 200, `${request}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

const before = (ms: number) => isoTime(service.clock.now - ms);
const visit = (as: Account, url: string, ago: number, more: Record<string, unknown> = {}) =>
  ok('POST /v1/visits', as, { api_key: as.apiKey, url, occurredAt: before(ago), ...more });
const event = (as: Account, name: string, ago: number, properties: Record<string, unknown>) =>
  ok('POST /v1/events', as, { api_key: as.apiKey, event: name, occurredAt: before(ago), properties });
const report = (as: Account, body: Record<string, unknown>) => ok('POST /v1/analytics/report-conversion', as, body);

const day = (ms: number) => isoTime(ms).slice(0, 10);

test("a lead's timeline lists everything from the ad click to the last restatement in order, over several pages", async () => {
  const account = await service.newAccount();
  const ad = await visit(account, 'https://shop.example/a?gclid=g1', 50 * MINUTE, { visitorId: 'ann', title: 'A' });
  await event(account, 'signup', 40 * MINUTE, { sessionHash: ad.sessionHash, email: 'ann@shop.example' });
  await event(account, 'mail_opened', 35 * MINUTE, { email: 'ann@shop.example' });
  const { _id } = await report(account, {
    gclid: 'g1',
    eventId: 'o',
    value: 20,
    currency: 'EUR',
    createdOn: before(30 * MINUTE),
  });
  const direct = await visit(account, 'https://shop.example/b', 5 * MINUTE, { visitorId: 'ann' });
  service.clock.now += MINUTE;
  await report(account, { gclid: 'g1', eventId: 'o', value: 12.5 });
  await visit(account, 'https://shop.example/other', 0, { visitorId: 'ben' });

  const [lead] = (await ok('GET /v1/leads?q=ann@shop.example', account)).leads;
  const items = [];
  for (let pageToken = ''; ; ) {
    const page = await ok(`GET /v1/analytics/timeline?leadId=${lead.id}&pageSize=2&pageToken=${pageToken}`, account);
    assert.equal(page.lead.email, 'ann@shop.example');
    items.push(...page.items);
    if (page.nextPageToken === null) break;
    pageToken = page.nextPageToken;
  }
  assert.deepEqual(
    items.map((item) => [item.type, item.sessionId, item.url ?? item.event ?? null, item.value ?? null]),
    [
      ['session', ad.sessionId, null, null],
      ['visit', ad.sessionId, 'https://shop.example/a?gclid=g1', null],
      ['event', ad.sessionId, 'signup', null],
      ['event', null, 'mail_opened', null],
      ['conversion', ad.sessionId, 'conversion', '20'],
      ['session', direct.sessionId, null, null],
      ['visit', direct.sessionId, 'https://shop.example/b', null],
      ['restatement', ad.sessionId, null, '12.5'],
    ],
  );
  assert.deepEqual(items[0].session.clickIds, { gclid: 'g1' });
  assert.equal(items[4].id, _id);
  const ofSession = await ok(`GET /v1/analytics/timeline?sessionId=${direct.sessionId}`, account);
  assert.deepEqual(
    ofSession.items.map((item: { type: string }) => item.type),
    ['session', 'visit'],
  );
  assert.equal(ofSession.session.lead.email, 'ann@shop.example');
});

test('a timeline requires one session or one lead that exists', async () => {
  const account = await service.newAccount();
  for (const [query, status] of [
    ['', 400],
    ['sessionId=1&leadId=led_x', 400],
    ['sessionId=1', 404],
    ['leadId=led_x', 404],
  ] as const) {
    assert.equal((await service.call(`GET /v1/analytics/timeline?${query}`, { as: account })).status, status, query);
  }
});

test('live counts each visitor of the last five minutes once and lists the latest activity; bots are listed and not counted', async () => {
  const account = await service.newAccount();
  await visit(account, 'https://shop.example/old', 0, { visitorId: 'gone' });
  service.clock.now += 6 * MINUTE;
  const here = await visit(account, 'https://shop.example/now?x=1', 0, { visitorId: 'here' });
  // Sent late, such as from a phone that was offline.
  await visit(account, 'https://shop.example/offline', 60 * MINUTE, { visitorId: 'offline' });
  await event(account, 'signup', 0, { sessionHash: here.sessionHash });
  await event(account, 'from_server', 0, {});
  await service.call('POST /v1/visits', {
    body: { api_key: account.apiKey, url: 'https://shop.example/bot' },
    headers: { 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' },
  });
  const live = await ok('GET /v1/analytics/live', account);
  assert.equal(live.visitors, 1);
  assert.deepEqual(
    live.latest.map((item: Record<string, unknown>) => [item.type, item.page ?? item.event, item.isBot]),
    [
      ['visit', 'shop.example/bot', true],
      ['event', 'from_server', false],
      ['event', 'signup', false],
      ['visit', 'shop.example/offline', false],
      ['visit', 'shop.example/now', false],
      ['visit', 'shop.example/old', false],
    ],
  );
});

test('attribution shares each conversion by five models among the sessions of its lookback window only', async () => {
  const account = await service.newAccount();
  const sessions: [string, number][] = [
    ['too-old', 40 * DAY],
    ['a', 21 * DAY],
    ['b', 14 * DAY],
    ['c', 7 * DAY],
    ['a', DAY],
    ['too-late', -30 * MINUTE],
  ];
  let hash = '';
  for (const [source, ago] of sessions) {
    const { sessionHash } = await visit(account, `https://shop.example/?utm_source=${source}`, ago, {
      visitorId: 'ann',
    });
    if (source === 'c') hash = sessionHash;
  }
  // The same person on another device.
  const phone = await visit(account, 'https://shop.example/?utm_source=phone', 10 * DAY, { visitorId: 'phone' });
  await event(account, 'signup', 9 * DAY, { sessionHash: phone.sessionHash, email: 'ann@shop.example' });
  await event(account, 'signup', 6 * DAY, { sessionHash: hash, email: 'ann@shop.example' });
  await report(account, { hash, value: 100, currency: 'EUR' });
  await visit(account, 'https://shop.example/?utm_source=alone&gclid=x', 2 * DAY, { visitorId: 'ben' });
  await report(account, { gclid: 'x', value: 7, currency: 'USD' });
  await aggregateNewRows(deps);

  const from = day(service.clock.now - DAY);
  const to = day(service.clock.now + 2 * DAY);
  const answer = await ok(`GET /v1/analytics/attribution?from=${from}&to=${to}&windowDays=30`, account);
  assert.deepEqual([answer.conversions, answer.attributed], [2, 2]);
  const conversions = (model: string) =>
    Object.fromEntries(
      answer.rows.map((row: Record<string, { conversions: number }>) => [row.value, row[model]?.conversions]),
    );
  // In time: a, b, phone, c, a.
  assert.deepEqual(conversions('first'), { a: 1, b: 0, phone: 0, c: 0, alone: 1 });
  assert.deepEqual(conversions('last'), { a: 1, b: 0, phone: 0, c: 0, alone: 1 });
  assert.deepEqual(conversions('linear'), { a: 0.4, b: 0.2, phone: 0.2, c: 0.2, alone: 1 });
  assert.deepEqual(conversions('position'), { a: 0.8, b: 0.066667, phone: 0.066667, c: 0.066667, alone: 1 });
  const decay = [21, 14, 10, 7, 1].map((days) => 2 ** (-days / 7));
  const sum = decay.reduce((x, y) => x + y, 0);
  const expected = { a: (decay[0] ?? 0) + (decay[4] ?? 0), b: decay[1], phone: decay[2], c: decay[3] };
  for (const [value, weight] of Object.entries(expected)) {
    const actual = conversions('timeDecay')[value] as number;
    assert.ok(Math.abs(actual - (weight ?? 0) / sum) < 1e-4, `${value} ${actual}`);
  }
  const row = answer.rows.find(({ value }: { value: string }) => value === 'b');
  assert.deepEqual(row.linear.revenue, [{ currency: 'EUR', value: '20' }]);
  const narrow = await ok(`GET /v1/analytics/attribution?from=${from}&to=${to}&windowDays=3`, account);
  assert.deepEqual(
    narrow.rows.map((each: { value: string; linear: { conversions: number } }) => [
      each.value,
      each.linear.conversions,
    ]),
    [
      ['a', 1],
      ['alone', 1],
    ],
  );
});

test('unmatched conversions are counted by identifier and by the reason that no session was found', async () => {
  const account = await service.newAccount();
  await visit(account, 'https://shop.example/?gclid=known', 0);
  await report(account, { gclid: 'unknown' });
  await report(account, { gclid: 'unknown-2' });
  await report(account, { fbclid: 'unknown' });
  await report(account, { sessionHash: 'GA1.2.123.456' });
  await report(account, { sessionHash: 'abcdefghijklmnopqrstuv' });
  const from = day(service.clock.now);
  const to = day(service.clock.now + DAY);
  const { total, identifiers } = await ok(`GET /v1/analytics/unmatched?from=${from}&to=${to}`, account);
  assert.equal(total, 5);
  const found = identifiers.map((each: { identifier: string; reasons: { reason: string; count: number }[] }) => [
    each.identifier,
    Object.fromEntries(each.reasons.map(({ reason, count }) => [reason, count])),
  ]);
  assert.deepEqual(found, [
    ['gclid', { not_seen: 2 }],
    ['sessionHash', { malformed: 1, not_seen: 1 }],
    ['fbclid', { platform_never_seen: 1 }],
  ]);
});

test('leads and sessions have numbers: conversions without refunds, revenue, pages and duration', async () => {
  const account = await service.newAccount();
  const visit = (more: object) =>
    service.call('POST /v1/visits', {
      body: { api_key: account.apiKey, url: 'https://shop.example/?gclid=n1', ...more },
    });
  const at = (ms: number) => ({ occurredAt: isoTime(service.clock.now - ms) });
  const { sessionHash, sessionId } = (await visit({ visitorId: 'v', ...at(90_000) })).body;
  await visit({ sessionHash, ...at(30_000) });
  const properties = { sessionHash, email: 'eve@shop.example' };
  await service.call('POST /v1/events', { body: { api_key: account.apiKey, event: 'signup', properties } });
  const report = (body: object) => service.call('POST /v1/analytics/report-conversion', { as: account, body });
  await report({ sessionHash, eventId: 'a', value: '10.5', currency: 'EUR' });
  await report({ sessionHash, eventId: 'b', value: 4, currency: 'USD' });
  await report({ sessionHash, eventId: 'c', value: 4, currency: 'EUR' });
  await report({ sessionHash, eventId: 'c', value: 0 });
  const [lead] = (await service.call('GET /v1/leads', { as: account })).body.leads;
  const get = async (path: string) => (await service.call(`GET /v1/analytics/${path}`, { as: account })).body;
  assert.deepEqual(await get(`lead-values?leadId=${lead.id}&leadId=x`), {
    leads: [
      {
        leadId: lead.id,
        conversions: 2,
        revenue: [
          { currency: 'EUR', value: '10.5' },
          { currency: 'USD', value: '4' },
        ],
        convertedRevenue: null,
      },
    ],
  });
  const strange = ['-1', 'x', '1e30', '9007199254740993'].map((id) => `&sessionId=${id}`).join('');
  assert.deepEqual(await get(`session-visits?sessionId=${sessionId}${strange}`), {
    sessions: [{ sessionId, visits: 2, seconds: 60 }],
  });
});

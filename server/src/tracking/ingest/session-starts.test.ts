/** The earliest visit of a session decides where it starts, whatever the order and the transactions in which its visits arrive. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Account, testService } from '../../../test/harness.ts';
import { aggregateNewRows } from '../../analytics/aggregation/aggregate-new-rows.ts';
import { LateMatcher } from '../../conversions/matching/late-matcher.ts';
import { isoTime } from '../../shared/time.ts';
import { clickIdDigest } from '../identifiers.ts';
import { updateBitmapsOf } from '../sessions/update-bitmaps.ts';
import { readLanding } from './landing.ts';
import type { NewVisit } from './new-visit.ts';
import { VisitRecorder } from './record-visits.ts';

const service = await testService();
const deps = { db: service.db, clock: () => service.clock.now };
const MINUTE = 60_000;
const START = service.clock.now - 300 * MINUTE;
const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';
const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const HASHES = ['aaaaaaaaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbbbbbbbb', 'cccccccccccccccccccccc'];
const AD = '?gclid=Click-1&utm_source=google&utm_medium=cpc&utm_campaign=spring';

interface Sent {
  session: number;
  minute: number;
  path: string;
  referrer?: string | undefined;
  userAgent: string;
  visitId: string;
}

const itemOf = ({ session, minute, path, referrer, userAgent, visitId }: Sent) => ({
  visit: {
    url: `https://shop.example/${path}`,
    visitorId: `visitor-${session}`,
    sessionHash: HASHES[session],
    visitId,
    userAgent,
    occurredAt: isoTime(START + (session * 90 + minute) * MINUTE),
    ...(referrer && { referrer }),
  },
});

async function send(account: Account, visits: readonly Sent[]) {
  const body = { api_key: account.token, items: visits.map(itemOf) };
  const { status, body: answer } = await service.call('POST /v1/batch', { body });
  assert.equal(status, 200, JSON.stringify(answer));
  assert.ok(answer.results.every(({ success }: { success: boolean }) => success));
}

const get = async (account: Account, path: string) => {
  const { status, body } = await service.call(`GET ${path}`, { as: account });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};

/** Without what is drawn when a row is recorded; sessions go by their hash. */
const OWN = new Set(['id', '_id', 'leadId', 'conversionId', 'asOf', 'nextPageToken']);
function withoutIds(value: unknown, hashes: Map<unknown, string>): unknown {
  if (hashes.has(value)) return hashes.get(value);
  if (Array.isArray(value)) return value.map((each) => withoutIds(each, hashes));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name]) => !OWN.has(name));
  return Object.fromEntries(members.map(([name, each]) => [name, withoutIds(each, hashes)]));
}

const PERIOD = `from=${isoTime(START).slice(0, 10)}&to=${isoTime(service.clock.now + 1_440 * MINUTE).slice(0, 10)}`;
const REPORTS = [
  'overview?interval=hour&',
  'breakdown?by=source,medium,campaign,landingPage,referrer,country,device,browser,os,platform,channel,page&',
  'attribution?by=campaign&windowDays=30&',
  'attribution?by=source&windowDays=30&',
  'roas?by=campaign&',
];

/** All that the API says of an account's sessions. */
async function readAll(account: Account) {
  await aggregateNewRows(deps);
  // Flags that were cleared are in the next run.
  await aggregateNewRows(deps);
  const { sessions } = await get(account, '/v1/sessions?all=true&pageSize=100');
  const each = await Promise.all(sessions.map(({ id }: { id: number }) => get(account, `/v1/sessions/${id}`)));
  const { leads } = await get(account, '/v1/leads');
  const { conversions } = await get(account, '/v1/conversions?pageSize=100');
  const reports: Record<string, unknown> = {};
  for (const report of REPORTS) reports[report] = await get(account, `/v1/analytics/${report}${PERIOD}`);
  const { rows: clicks } = await service.db.query(
    `select s.hash, c.digest from click_ids c join sessions s on s.account_id = c.account_id and s.number = c.session_number
     where c.account_id = $1 order by 1, 2`,
    [account.uuid],
  );
  const { rows: linked } = await service.db.query(
    `select s.hash, l.started_at = s.started_at as is_current from lead_sessions l
     join sessions s on s.account_id = l.account_id and s.number = l.session_number
     where l.account_id = $1 order by 1`,
    [account.uuid],
  );
  // Sessions of as many pages are in the order in which they were recorded.
  const ranked = await get(account, `/v1/analytics/ranked-sessions?${PERIOD}`);
  reports.ranked = ranked.sessions.toSorted((a: { hash: string }, b: { hash: string }) => a.hash.localeCompare(b.hash));
  const hashes = new Map<unknown, string>(sessions.map(({ id, hash }: { id: number; hash: string }) => [id, hash]));
  return withoutIds({ sessions, each, leads, conversions, reports, clicks, linked }, hashes);
}

const sent = fc.record({
  session: fc.nat(2),
  minute: fc.nat(4),
  path: fc.constantFrom('', 'a', 'b', AD, 'a?gclid=Click-2', '?utm_source=news&utm_medium=email', '?fbclid=f1'),
  referrer: fc.constantFrom(undefined, 'https://www.google.com/', 'https://news.example/', 'https://shop.example/a'),
  userAgent: fc.constantFrom(CHROME, IPHONE),
});

/** Visits, and the same in another order, in batches. */
const arrivals = fc
  .array(sent, { minLength: 2, maxLength: 8 })
  .map((visits) => visits.map((visit, i) => ({ ...visit, visitId: `visit-${i}` })))
  .chain((visits) =>
    fc.record({
      visits: fc.constant(visits),
      shuffled: fc.shuffledSubarray(visits, { minLength: visits.length }),
      sizes: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: visits.length, maxLength: visits.length }),
    }),
  );

async function report(account: Account, sessions: Iterable<number>) {
  for (const session of [...sessions].sort()) {
    const conversion = {
      sessionHash: HASHES[session],
      value: 10 + session,
      currency: 'EUR',
      eventId: `order-${session}`,
    };
    await service.call('POST /v1/analytics/report-conversion', { as: account, body: conversion });
    const properties = { sessionHash: HASHES[session], email: 'ann@example.com' };
    const body = { api_key: account.token, event: 'signed_up', properties, occurredAt: isoTime(START + 299 * MINUTE) };
    await service.call('POST /v1/events', { body });
  }
}

test('any order and grouping of the same visits gives the same sessions, reports and attribution', async () => {
  await fc.assert(
    fc.asyncProperty(arrivals, async ({ visits, shuffled, sizes }) => {
      const [inOrder, inAny] = [await service.newAccount(), await service.newAccount()];
      const sessions = new Set(visits.map(({ session }) => session));
      for (const visit of visits.toSorted((a, b) => a.session - b.session || a.minute - b.minute)) {
        await send(inOrder, [visit]);
      }
      await report(inOrder, sessions);
      let [at, hasReported] = [0, false];
      for (const size of sizes) {
        if (at < shuffled.length) await send(inAny, shuffled.slice(at, at + size));
        at += size;
        // Sales and leads of sessions whose start is restated later.
        const known = new Set(shuffled.slice(0, at).map(({ session }) => session));
        if (!hasReported && known.size === sessions.size) {
          await report(inAny, sessions);
          await aggregateNewRows(deps);
          hasReported = true;
        }
      }
      assert.deepEqual(await readAll(inAny), await readAll(inOrder));
    }),
    { numRuns: 25 },
  );
});

test('the landing page that arrives last gives its session start, source, campaign, click ID and device, everywhere', async () => {
  const account = await service.newAccount();
  const visit = (minute: number, path: string, more: Partial<Sent> = {}) => ({
    ...{ session: 0, minute, path, userAgent: IPHONE, visitId: `visit-${minute}` },
    ...more,
  });
  await send(account, [visit(3, 'cart?fbclid=later'), visit(2, 'product', { referrer: 'https://news.example/' })]);
  await report(account, [0]);
  const waiting = { gclid: 'Click-1', value: 5, currency: 'EUR', eventId: 'by-click' };
  const call = (body: object) => service.call('POST /v1/analytics/report-conversion', { as: account, body });
  assert.equal((await call(waiting)).body.status, 'unmatched');
  await aggregateNewRows(deps);
  await send(account, [visit(1, AD, { userAgent: CHROME, referrer: 'https://www.google.com/' })]);
  const [session] = (await get(account, '/v1/sessions')).sessions;
  assert.deepEqual(
    [session.startedAt, session.lastSeenAt, session.landingUrl, session.referrer],
    [isoTime(START + MINUTE), isoTime(START + 299 * MINUTE), `https://shop.example/${AD}`, 'https://www.google.com/'],
  );
  assert.deepEqual([session.source, session.medium, session.campaign], ['google', 'cpc', 'spring']);
  assert.deepEqual([session.clickIds, session.device, session.browser], [{ gclid: 'Click-1' }, 'desktop', 'Chrome']);
  // A later visit changes nothing.
  await send(account, [visit(4, '?utm_source=other')]);
  assert.equal((await get(account, '/v1/sessions')).sessions[0].source, 'google');
  // The report that waited for the click ID is matched, and a click ID that no longer is the session's finds nothing.
  await service.workers.find((worker) => worker instanceof LateMatcher)?.matchStarted();
  const { conversions } = await get(account, '/v1/conversions?pageSize=100');
  assert.equal(conversions.length, 2);
  assert.equal((await call({ ...waiting, fbclid: 'later', gclid: null, eventId: 'x' })).body.status, 'unmatched');
  await aggregateNewRows(deps);
  const { rows } = await service.db.query(
    'select source, campaign, session_started_at from analytics_conversions where account_id = $1',
    [account.uuid],
  );
  assert.deepEqual(
    rows,
    Array(2).fill({ source: 'google', campaign: 'spring', session_started_at: new Date(START + MINUTE) }),
  );
  const attribution = await get(account, `/v1/analytics/attribution?by=campaign&windowDays=30&${PERIOD}`);
  assert.match(JSON.stringify(attribution), /"spring"/);
});

test('at the same time a visit that says where it comes from is the first, whichever arrives first', async () => {
  for (const isReversed of [false, true]) {
    const account = await service.newAccount();
    const landing = { session: 0, minute: 1, path: AD, userAgent: CHROME, visitId: 'landing' };
    const next = { session: 0, minute: 1, path: 'a', userAgent: CHROME, visitId: 'next' };
    for (const visit of isReversed ? [next, landing] : [landing, next]) await send(account, [visit]);
    const [session] = (await get(account, '/v1/sessions')).sessions;
    assert.deepEqual([session.landingUrl, session.clickIds], [`https://shop.example/${AD}`, { gclid: 'Click-1' }]);
  }
});

test('a landing page whose request was under way for long stays the first, and keeps its click ID', async () => {
  const account = await service.newAccount();
  const now = service.clock.now;
  const visit = async (path: string, occurredAt: number, sentAt: number) => {
    const url = `https://shop.example/${path}`;
    const times = { occurredAt: isoTime(occurredAt), sentAt: isoTime(sentAt) };
    const body = { api_key: account.apiKey, url, visitorId: 'visitor', sessionHash: HASHES[0], ...times };
    assert.equal((await service.call('POST /v1/visits', { body })).status, 200);
  };
  // Both arrive now, the first one after 14 seconds.
  await visit(AD, now - 14_000, now - 14_000);
  await visit('next', now - 13_000, now - 100);
  const [session] = (await get(account, '/v1/sessions')).sessions;
  assert.deepEqual([session.landingUrl, session.startedAt], [`https://shop.example/${AD}`, isoTime(now - 14_000)]);
  const conversion = { gclid: 'Click-1', value: 5, currency: 'EUR' };
  const { body } = await service.call('POST /v1/analytics/report-conversion', { as: account, body: conversion });
  assert.equal(body.status, 'reported');
});

function newVisit(account: Account, minute: number, path: string, more: Partial<NewVisit> = {}): NewVisit {
  const url = `https://shop.example/${path}`;
  return {
    ...{ accountId: account.uuid, visitId: undefined, url, landing: readLanding(url), referrer: null, title: null },
    ...{ visitorId: 'v', sessionHash: HASHES[0], sessionNumber: undefined, isBot: false, isInternal: false },
    device: { device: 'desktop', browser: 'Chrome', os: 'Linux', isBot: false },
    ...{ isTrusted: false, place: { country: null, region: null }, consent: undefined, client: undefined },
    ...{ occurredAt: START + minute * MINUTE, receivedAt: service.clock.now, request: { isRefused: false } },
    ...more,
  } as NewVisit;
}

test('processes that record visits of a new session at the same time agree on its start, and lose no visit', async () => {
  for (let round = 0; round < 15; round++) {
    const account = await service.newAccount();
    // As many processes, each with a batch of its own.
    const recorders = Array.from({ length: 6 }, () => new VisitRecorder(service.db));
    const minutes = [5, 3, 9, 1, 7, 2].map((minute) => (minute * 7 + round) % 11);
    const started = await Promise.all(
      recorders.map((recorder, i) =>
        recorder.record([
          newVisit(account, minutes[i] ?? 0, `${minutes[i]}?gclid=click-${minutes[i]}`),
          newVisit(account, (minutes[i] ?? 0) + 1, 'next'),
        ]),
      ),
    );
    assert.equal(new Set(started.flatMap(({ recorded }) => recorded.map((each) => each.sessionNumber))).size, 1);
    const { rows: visits } = await service.db.query('select session_number from visits where account_id = $1', [
      account.uuid,
    ]);
    const [first, ...others] = (
      await service.db.query('select number, landing_url, started_at, click_ids from sessions where account_id = $1', [
        account.uuid,
      ])
    ).rows;
    const earliest = Math.min(...minutes);
    assert.deepEqual(others, []);
    assert.deepEqual(visits, Array(12).fill({ session_number: first.number }));
    assert.deepEqual(
      [first.started_at, first.click_ids],
      [new Date(START + earliest * MINUTE), { gclid: `click-${earliest}` }],
    );
    const { rows: clicks } = await service.db.query('select digest from click_ids where account_id = $1', [
      account.uuid,
    ]);
    assert.deepEqual(clicks, [{ digest: clickIdDigest('gclid', `click-${earliest}`) }]);
  }
});

test('of visits that restate sessions at the same time the earliest wins, in any order of the sessions', async () => {
  for (let round = 0; round < 10; round++) {
    const account = await service.newAccount();
    const of = (session: number, minute: number) =>
      newVisit(account, minute, `${minute}?gclid=click-${minute}`, { sessionHash: HASHES[session] });
    await new VisitRecorder(service.db).record([of(0, 100), of(1, 100)]);
    await Promise.all(
      [5, 3, 9, 1, 7, 2].map((minute, i) => {
        const batch = [of(0, minute), of(1, minute + 10), of(0, 101 + i), of(1, 101 + i)];
        return new VisitRecorder(service.db).record(i % 2 === 0 ? batch : batch.reverse());
      }),
    );
    const { rows } = await service.db.query(
      'select started_at, last_seen_at, click_ids, landing_url from sessions where account_id = $1 order by started_at',
      [account.uuid],
    );
    assert.deepEqual(
      rows,
      [1, 11].map((minute) => ({
        started_at: new Date(START + minute * MINUTE),
        last_seen_at: new Date(START + 106 * MINUTE),
        click_ids: { gclid: `click-${minute}` },
        landing_url: `https://shop.example/${minute}?gclid=click-${minute}`,
      })),
    );
    const { rows: clicks } = await service.db.query('select digest from click_ids where account_id = $1', [
      account.uuid,
    ]);
    assert.deepEqual(
      new Set(clicks.map(({ digest }) => digest)),
      new Set([1, 11].map((minute) => clickIdDigest('gclid', `click-${minute}`))),
    );
  }
});

test('without a session hash a late visit starts the session that would have continued it, and no other', async () => {
  const visit = async (account: Account, minute: number, path: string) => {
    const occurredAt = isoTime(START + minute * MINUTE);
    const body = { api_key: account.token, url: `https://shop.example/${path}`, visitorId: 'v', occurredAt };
    return (await service.call('POST /v1/visits', { body })).body.sessionId as number;
  };
  const starts = async (account: Account) =>
    (await get(account, '/v1/sessions?sort=startedAt:asc')).sessions.map((each: Record<string, unknown>) => [
      each.startedAt,
      each.landingUrl,
    ]);
  const account = await service.newAccount();
  const direct = await visit(account, 20, 'a');
  assert.equal(await visit(account, 10, AD), direct, 'it came by the ad');
  assert.deepEqual(await starts(account), [[isoTime(START + 10 * MINUTE), `https://shop.example/${AD}`]]);
  const other = await service.newAccount();
  const ad = await visit(other, 20, AD);
  const before = await visit(other, 10, 'a');
  assert.notEqual(before, ad, 'a page before the ad was clicked');
  assert.equal(await visit(other, 15, 'b'), before, 'nor does the next page belong to the ad');
  assert.equal(await visit(other, 21, 'c'), ad);
  assert.deepEqual(await starts(other), [
    [isoTime(START + 10 * MINUTE), 'https://shop.example/a'],
    [isoTime(START + 20 * MINUTE), `https://shop.example/${AD}`],
  ]);
});

test('a list with rare filters finds a session by its restated start', async () => {
  const account = await service.newAccount();
  const base = { session: 0, userAgent: CHROME };
  await send(account, [{ ...base, minute: 200, path: 'a', visitId: 'later' }]);
  await send(account, [{ ...base, session: 1, minute: 0, path: 'b', visitId: 'other' }]);
  await updateBitmapsOf(service.db, account.uuid, { now: service.clock.now, minSessions: 1 });
  await send(account, [{ ...base, minute: 1, path: AD, visitId: 'landing' }]);
  const list = async () =>
    (await get(account, '/v1/sessions?source=google&campaign=spring')).sessions.map(
      (each: { hash: string }) => each.hash,
    );
  assert.deepEqual(await list(), [HASHES[0]]);
  await updateBitmapsOf(service.db, account.uuid, { now: service.clock.now, minSessions: 1 });
  assert.deepEqual(await list(), [HASHES[0]]);
});

test('a session that turned out to be no bot stays so when it starts with the visit of one', async () => {
  const account = await service.newAccount();
  const visit = async (minute: number, userAgent: string) => {
    const body = {
      api_key: account.apiKey,
      url: 'https://shop.example/',
      sessionHash: HASHES[0],
      occurredAt: isoTime(START + minute * MINUTE),
    };
    await service.call('POST /v1/visits', {
      body,
      headers: { 'user-agent': userAgent, origin: 'https://shop.example' },
    });
  };
  await visit(2, BOT);
  await report(account, [0]);
  await aggregateNewRows(deps);
  assert.equal((await get(account, '/v1/sessions')).sessions.length, 1, 'a server reported a sale of it');
  await visit(1, BOT);
  await aggregateNewRows(deps);
  assert.equal((await get(account, '/v1/sessions')).sessions[0]?.startedAt, isoTime(START + MINUTE));
});

test('an erased session gets nothing of a visit that arrives late', async () => {
  const account = await service.newAccount();
  await send(account, [{ session: 0, minute: 5, path: 'a', userAgent: CHROME, visitId: 'later' }]);
  const erased =
    "update sessions set visitor_id = 'erased:x', landing_url = 'https://shop.example/a' where account_id = $1";
  await service.db.query(erased, [account.uuid]);
  await send(account, [{ session: 0, minute: 1, path: AD, userAgent: CHROME, visitId: 'landing' }]);
  const { rows } = await service.db.query('select landing_url, click_ids from sessions where account_id = $1', [
    account.uuid,
  ]);
  assert.deepEqual(rows, [{ landing_url: 'https://shop.example/a', click_ids: {} }]);
});

test('sessions that an earlier version recorded get their earliest start in steps, and none loses a click ID', async () => {
  const account = await service.newAccount();
  const base = { userAgent: CHROME };
  await send(account, [
    { ...base, session: 0, minute: 1, path: AD, visitId: 'a' },
    { ...base, session: 0, minute: 2, path: 'next', visitId: 'b' },
    { ...base, session: 1, minute: 1, path: '', visitId: 'c' },
    { ...base, session: 1, minute: 2, path: 'x?gclid=Click-9', visitId: 'd' },
  ]);
  await report(account, [0, 1]);
  // As an earlier version left them.
  await service.db.query(
    `update sessions s set started_at = v.occurred_at, landing_url = v.url, source = null, medium = null, campaign = null,
       click_ids = case v.client_visit_id when 'd' then '{"gclid":"Click-9"}' else '{}' end::jsonb
     from visits v where s.account_id = $1 and v.account_id = $1 and v.session_number = s.number and v.client_visit_id in ('b', 'd')`,
    [account.uuid],
  );
  await service.db.query('delete from click_ids where account_id = $1', [account.uuid]);
  await aggregateNewRows(deps);
  await service.db.query('insert into session_start_checks values ($1, 0)', [account.uuid]);
  await aggregateNewRows(deps);
  const { sessions } = await get(account, '/v1/sessions?sort=startedAt:asc');
  assert.deepEqual(
    sessions.map((each: Record<string, unknown>) => [each.landingUrl, each.source, each.clickIds]),
    [
      [`https://shop.example/${AD}`, 'google', { gclid: 'Click-1' }],
      ['https://shop.example/x?gclid=Click-9', null, { gclid: 'Click-9' }],
    ],
  );
  const sale = { gclid: 'Click-1', value: 5, currency: 'EUR', eventId: 'o9' };
  assert.equal(
    (await service.call('POST /v1/analytics/report-conversion', { as: account, body: sale })).body.status,
    'reported',
  );
  const { rows } = await service.db.query('select source from analytics_conversions where account_id = $1 order by 1', [
    account.uuid,
  ]);
  assert.deepEqual(
    rows.map(({ source }) => source),
    ['google', null],
  );
  const { rows: checks } = await service.db.query('select 1 from session_start_checks where account_id = $1', [
    account.uuid,
  ]);
  assert.deepEqual(checks, []);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Account, testService } from '../../../test/harness.ts';
import { undoHandler } from '../../conversions/imports/undo-job.ts';
import { LateMatcher } from '../../conversions/matching/late-matcher.ts';
import { BY_INDEX, type Database, type Tx } from '../../shared/postgres/database.ts';
import { isoTime } from '../../shared/time.ts';
import { aggregateNewRows } from './aggregate-new-rows.ts';
import { aggregateIncrements, backfillIncrements } from './increments.ts';
import { rebuildPostponed } from './rebuilds.ts';

const service = await testService();
const { call, db, clock } = service;
const deps = { db, clock: () => clock.now };
const lateMatch = new LateMatcher({ ...deps, log: service.app.log, sessionIds: service.sessionIds });
const MINUTE = 60_000;
const DAY = 86_400_000;
const ago = (ms: number) => isoTime(clock.now - ms);

async function ok(request: string, as: Account, body?: unknown) {
  const answer = await call(request, { as, ...(body !== undefined && { body }) });
  assert.equal(answer.status, 200, `${request}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

const visit = (as: Account, gclid: string, rest = '') =>
  ok('POST /v1/visits', as, { api_key: as.apiKey, url: `https://shop.example/shoes?gclid=${gclid}${rest}` });
const report = (as: Account, items: unknown[]) => ok('POST /v1/analytics/report-conversion', as, items);

interface Increment {
  value: string;
  currency: string | null;
  conversions: number;
  is_refund: boolean;
  known_at: Date;
  sale_at: Date;
  campaign: string | null;
  clicked_at: Date | null;
  is_bot: boolean;
}

async function incrementsOf(as: Account): Promise<Increment[]> {
  await aggregateNewRows(deps);
  const { rows } = await db.query<Increment>(
    `select i.*, i.value::text, i.conversions::int from analytics_increments i where account_id = $1
     order by known_at, conversion_id, number`,
    [as.uuid],
  );
  return rows;
}

const amounts = (rows: Increment[]) =>
  rows.map((row) => [Number(row.value), row.currency, row.conversions, row.is_refund]);

/** Dates the revisions of a conversion back, in their order, as reports that arrived then. */
async function dateBack(as: Account, ...times: string[]) {
  await db.query(
    `with w as (select conversion_id, arrival, row_number() over (order by arrival) as n from conversion_revisions where account_id = $1)
     update conversion_revisions r set received_at = ($2::timestamptz[])[w.n] from w
     where r.account_id = $1 and r.conversion_id = w.conversion_id and r.arrival = w.arrival`,
    [as.uuid, times],
  );
  const { rows } = await db.query<{ account_id: string; id: string }>(
    'select account_id, id from conversions where account_id = $1',
    [as.uuid],
  );
  await aggregateIncrements(db, rows);
}

test('a refund is an increment when it moves to another day, and when its sale became known no earlier', async () => {
  const account = await service.newAccount();
  await visit(account, 'a');
  await report(account, [{ gclid: 'a', eventId: 'order', value: 100, currency: 'EUR', createdOn: ago(5 * DAY) }]);
  clock.now += MINUTE;
  await report(account, [{ gclid: 'a', eventId: 'order', value: 0, createdOn: ago(DAY) }]);
  await report(account, [{ gclid: 'b', eventId: 'late', value: 30, currency: 'USD' }]);
  await report(account, [{ gclid: 'b', eventId: 'late', value: 0 }]);
  await visit(account, 'b');
  await lateMatch.sweep();
  assert.deepEqual(amounts(await incrementsOf(account)).sort(), [
    [-100, 'EUR', -1, true],
    [0, 'EUR', 0, true],
    [0, 'USD', 0, true],
    [100, 'EUR', 1, false],
  ]);
});

test('a sale, a restatement and a refund are increments, each at its time; another currency takes back the amount in the old one', async () => {
  const account = await service.newAccount();
  await visit(account, 'a', '&utm_campaign=spring');
  for (const [value, currency] of [
    [100, 'EUR'],
    [120.1, 'EUR'],
    [50, 'USD'],
    [0, 'USD'],
    [30, 'USD'],
  ]) {
    await report(account, [{ gclid: 'a', eventId: 'order', value, currency, createdOn: ago(5 * DAY) }]);
  }
  await aggregateNewRows(deps);
  await dateBack(account, ago(5 * DAY), ago(4 * DAY), ago(3 * DAY), ago(2 * DAY), ago(DAY));
  const rows = await incrementsOf(account);
  assert.deepEqual(amounts(rows), [
    [100, 'EUR', 1, false],
    [20.1, 'EUR', 0, false],
    [-120.1, 'EUR', -1, false],
    [50, 'USD', 1, false],
    [-50, 'USD', -1, true],
    [30, 'USD', 1, false],
  ]);
  assert.equal(isoTime(rows[1]?.known_at ?? 0), ago(4 * DAY));
  assert.deepEqual(new Set(rows.map((row) => isoTime(row.sale_at))), new Set([ago(5 * DAY)]));
  assert.deepEqual(new Set(rows.map(({ campaign }) => campaign)), new Set(['spring']));
});

test('a sale that is dated again moves to its day with its whole amount', async () => {
  const account = await service.newAccount();
  await visit(account, 'a');
  await report(account, [{ gclid: 'a', eventId: 'order', value: 10, currency: 'EUR', createdOn: ago(5 * DAY) }]);
  await report(account, [{ gclid: 'a', eventId: 'order', createdOn: ago(9 * DAY) }]);
  await aggregateNewRows(deps);
  await dateBack(account, ago(2 * DAY), ago(DAY));
  const rows = await incrementsOf(account);
  assert.deepEqual(
    rows.map((row) => [Number(row.value), isoTime(row.sale_at), row.conversions]),
    [
      [10, ago(5 * DAY), 1],
      [-10, ago(5 * DAY), -1],
      [10, ago(9 * DAY), 1],
    ],
  );
});

test('rows of an import are known at their knownAt, else when the conversion happened, and an undo takes them back when it happens', async () => {
  const account = await service.newAccount();
  await visit(account, 'a');
  const { id } = await ok('POST /v1/conversions/imports', account, { name: 'orders.csv' });
  const rows = [
    { gclid: 'a', eventId: 'one', value: 10, currency: 'EUR', createdOn: ago(9 * DAY), knownAt: ago(7 * DAY) },
    { gclid: 'a', eventId: 'two', value: 20, currency: 'EUR', createdOn: ago(6 * DAY) },
    { gclid: 'late', eventId: 'three', value: 40, currency: 'EUR', createdOn: ago(8 * DAY), knownAt: ago(5 * DAY) },
    { gclid: 'a', eventId: 'ahead', value: 80, knownAt: isoTime(clock.now + DAY) },
  ];
  const results = await ok(`POST /v1/conversions/imports/${id}/reports`, account, rows);
  assert.deepEqual(
    results.map((each: { status: string; error?: string }) => each.error ?? each.status),
    ['reported', 'reported', 'unmatched', 'known_at_invalid'],
  );
  await visit(account, 'late');
  await lateMatch.sweep();
  const known = (await incrementsOf(account)).map((row) => [Number(row.value), isoTime(row.known_at)]);
  assert.deepEqual(known, [
    [10, ago(7 * DAY)],
    [20, ago(6 * DAY)],
    [40, ago(5 * DAY)],
  ]);
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
  const undone = await incrementsOf(account);
  assert.equal(undone.length, 6);
  assert.ok(undone.slice(3).every((row) => Number(row.value) < 0 && row.conversions === -1 && !row.is_refund));
  assert.equal(isoTime(undone[3]?.known_at ?? 0), isoTime(clock.now));
});

test('a report outside of an import is known when it was received, and a late match when it was matched', async () => {
  const account = await service.newAccount();
  await visit(account, 'a');
  await report(account, [{ gclid: 'a', eventId: 'one', value: 1, createdOn: ago(3 * DAY), knownAt: ago(2 * DAY) }]);
  await report(account, [{ gclid: 'late', eventId: 'two', value: 2, createdOn: ago(DAY) }]);
  await db.query(
    "update unmatched_conversions set received_at = received_at - interval '1 hour' where account_id = $1",
    [account.uuid],
  );
  await visit(account, 'late');
  await lateMatch.sweep();
  const rows = await incrementsOf(account);
  assert.deepEqual(rows.map((row) => [Number(row.value), isoTime(row.known_at)]).sort(), [
    [1, isoTime(clock.now)],
    [2, isoTime(clock.now)],
  ]);
});

test('an erased person keeps the increments of their campaign, also of reports that arrive afterwards', async () => {
  const account = await service.newAccount();
  const { sessionHash } = await visit(account, 'a', '&utm_campaign=spring');
  await report(account, [{ gclid: 'a', eventId: 'order', value: 100, currency: 'EUR' }]);
  const before = await incrementsOf(account);
  const clickedAt = before[0]?.clicked_at;
  assert.ok(clickedAt && clickedAt.getTime() % (15 * MINUTE) === 0);
  await db.query('delete from sessions where account_id = $1 and hash = $2', [account.uuid, sessionHash]);
  await report(account, [{ gclid: 'a', eventId: 'order', value: 0 }]);
  const rows = await incrementsOf(account);
  assert.equal(
    rows.reduce((sum, row) => sum + Number(row.value), 0),
    0,
  );
  for (const row of rows) assert.deepEqual([row.campaign, row.clicked_at], ['spring', clickedAt]);
});

test('conversions of an earlier version get the same increments in the background', async () => {
  const account = await service.newAccount();
  await visit(account, 'a');
  await report(account, [
    { gclid: 'a', eventId: 'one', value: 10 },
    { gclid: 'a', value: 20 },
  ]);
  const before = await incrementsOf(account);
  assert.equal(before.length, 2);
  await db.query('delete from analytics_increments where account_id = $1', [account.uuid]);
  await db.query(
    "insert into analytics_increment_backfills values ($1, '00000000-0000-0000-0000-000000000000') on conflict do nothing",
    [account.uuid],
  );
  await backfillIncrements(db);
  assert.deepEqual(await incrementsOf(account), before);
});

test('the increments of many conversions add up to their values', async () => {
  const account = await service.newAccount();
  await visit(account, 'a');
  const items = Array.from({ length: 1_000 }, (_, i) => ({ gclid: 'a', eventId: `o${i}`, value: 1 }));
  for (const value of [1, 2])
    await report(
      account,
      items.map((item) => ({ ...item, value })),
    );
  const rows = await incrementsOf(account);
  assert.equal(
    rows.reduce((sum, row) => sum + Number(row.value), 0),
    2_000,
  );
});

/** Reports of one conversion, a second apart. */
async function restate(as: Account, eventId: string, times: number) {
  await visit(as, eventId);
  const { id } = await ok('POST /v1/conversions/imports', as, { name: 'restated' });
  for (let i = 0; i < times; i += 1_000) {
    const rows = Array.from({ length: Math.min(1_000, times - i) }, (_, n) => ({
      ...{ gclid: eventId, eventId, value: 1 + ((i + n) % 7), knownAt: ago(DAY - (i + n) * 1_000) },
    }));
    await ok(`POST /v1/conversions/imports/${id}/reports`, as, rows);
  }
}

test('a conversion with many reports takes work in proportion to them', async () => {
  const account = await service.newAccount();
  const times = 1_000;
  await restate(account, 'restated', times);
  const { rows: conversions } = await db.query<{ account_id: string; id: string }>(
    'select account_id, id from conversions where account_id = $1',
    [account.uuid],
  );
  interface Plan {
    'Actual Rows': number;
    'Actual Loops': number;
    'Rows Removed by Join Filter'?: number;
    Plans?: Plan[];
  }
  const mostIn = (plan: Plan): number =>
    Math.max(
      (plan['Actual Rows'] + (plan['Rows Removed by Join Filter'] ?? 0)) * plan['Actual Loops'],
      ...(plan.Plans ?? []).map(mostIn),
    );
  let most = 0;
  await db.transaction(async (tx) => {
    await tx.query(BY_INDEX);
    const query = async ({ text, values }: { text: string; values: unknown[] }) => {
      const { rows } = await tx.query(`explain (analyze, format json) ${text}`, values);
      most = mostIn(rows[0]['QUERY PLAN'][0].Plan);
      return { rows: [] };
    };
    await aggregateIncrements({ query } as unknown as Tx, conversions);
  });
  assert.ok(most >= times && most < 10 * times, `${most} rows`);
});

test('the increments of conversions with many reports are rebuilt later, one of each account in turn', async () => {
  const [busy, other] = [await service.newAccount(), await service.newAccount()];
  for (const [account, names] of [
    [busy, ['a', 'b']],
    [other, ['c']],
  ] as const) {
    for (const name of names) await restate(account, name, 300);
  }
  await visit(other, 'once');
  await report(other, [{ gclid: 'once', eventId: 'once', value: 5 }]);
  // A report of each arrives before it is their turn.
  for (let i = 0; i < 2; i++) {
    await report(busy, [{ gclid: 'a', eventId: 'a', value: 20 + i }]);
    await aggregateNewRows(deps);
  }
  const sumOf = (rows: Increment[]) => rows.reduce((sum, { value }) => sum + Number(value), 0);
  assert.deepEqual([sumOf(await incrementsOf(busy)), sumOf(await incrementsOf(other))], [0, 5]);
  const { rows: waiting } = await db.query<{ n: number }>(
    'select count(distinct conversion_id)::int as n from analytics_increment_rebuilds where account_id in ($1, $2)',
    [busy.uuid, other.uuid],
  );
  assert.equal(waiting[0]?.n, 3);
  const turns: string[] = [];
  const recorded: Database = {
    ...db,
    transaction: (work) =>
      db.transaction((tx, last) => {
        const query = ((statement: { name?: string; values?: unknown[] }) => {
          const [account] = statement.values ?? [];
          if (statement.name === 'analytics.end_rebuild' && [busy.uuid, other.uuid].includes(String(account)))
            turns.push(String(account));
          return (tx.query as (query: unknown) => unknown)(statement);
        }) as Tx['query'];
        return work({ query }, last);
      }),
  };
  // Only one process at a time.
  await Promise.all([rebuildPostponed(recorded), rebuildPostponed(recorded)]);
  await rebuildPostponed(recorded);
  assert.equal(turns.length, 3);
  assert.notEqual(turns[0], turns[1]);
  assert.deepEqual(
    [sumOf(await incrementsOf(busy)), sumOf(await incrementsOf(other))],
    [21 + (1 + (299 % 7)), 5 + (1 + (299 % 7))],
  );
});

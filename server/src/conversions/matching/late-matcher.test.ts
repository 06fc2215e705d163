import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Account, NEEDS_ITS_SERVER, testService } from '../../../test/harness.ts';
import { until } from '../../../test/until.ts';
import { readReport } from '../report/read-report.ts';
import { reportConversions } from '../report/report-conversions.ts';
import { LateMatcher } from './late-matcher.ts';

const service = await testService();
const { call, db, clock } = service;
const newMatcher = () => new LateMatcher({ ...service, clock: () => clock.now, log: service.app.log });
const DAY = 24 * 3_600_000;

async function report(account: Account, body: unknown) {
  const answer = await call('POST /v1/analytics/report-conversion', { as: account, body });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

async function visit(account: Account, gclid: string) {
  const body = { api_key: account.token, url: `https://shop.test/?gclid=${gclid}` };
  return (await call('POST /v1/visits', { body })).body;
}

async function conversions(account: Account) {
  const { rows } = await db.query('select * from conversions where account_id = $1 order by id', [account.uuid]);
  return rows;
}

async function waiting(account: Account): Promise<number> {
  const { rows } = await db.query('select count(*)::int as n from unmatched_conversions where account_id = $1', [
    account.uuid,
  ]);
  return rows[0].n;
}

test('an unmatched report is recorded as sent when its session starts, by any identifier', async () => {
  const account = await service.newAccount();
  const arrived = clock.now;
  const hash = 'A1b2C3d4E5f6G7h8I9j0Kl';
  await report(account, [
    { gclid: 'late', eventId: 'o', value: '9.90', currency: 'eur', event: 'order', extra: { a: [1] } },
    { hash },
    { gclid: 'nobody' },
  ]);
  assert.deepEqual([(await conversions(account)).length, await waiting(account)], [0, 3]);
  clock.now += DAY;
  const url = 'https://shop.test/?gclid=late';
  const body = { api_key: account.token, url, sessionHash: hash };
  const session = service.sessionIds.numberOf((await call('POST /v1/visits', { body })).body.sessionId);
  await newMatcher().sweep();
  const rows = await conversions(account);
  assert.deepEqual(
    rows.map(
      ({ event_id, event, value, currency, extra, identifier, session_number, received_at, created_on, origin }) => ({
        ...{ event_id, event, value, currency, extra, identifier, session_number, origin },
        received: received_at.getTime(),
        created: created_on.getTime(),
      }),
    ),
    [
      {
        ...{
          event_id: 'o',
          event: 'order',
          value: '9.90',
          currency: 'EUR',
          extra: { a: [1] },
          identifier: { gclid: 'late' },
        },
        ...{ session_number: session, origin: 'report', received: arrived, created: arrived },
      },
      {
        ...{ event_id: null, event: 'conversion', value: null, currency: null, extra: null, identifier: { hash } },
        ...{ session_number: session, origin: 'report', received: arrived, created: arrived },
      },
    ],
  );
  assert.equal(await waiting(account), 1);
});

test('a late match does not override a later report, but fills in what that one did not contain', async () => {
  const account = await service.newAccount();
  await visit(account, 'early');
  await report(account, [{ gclid: 'late', eventId: 'o', value: 1, currency: 'EUR' }]);
  await report(account, [{ gclid: 'late', eventId: 'o', extra: { second: true } }]);
  const [made] = await report(account, [{ gclid: 'early', eventId: 'o', value: 2 }]);
  await report(account, [{ gclid: 'late', eventId: 'o', event: 'after' }]);
  const session = (await conversions(account))[0].session_number;
  await visit(account, 'late');
  await newMatcher().sweep();
  const [row, ...others] = await conversions(account);
  assert.equal(others.length, 0);
  assert.deepEqual([row.value, row.currency, row.extra, row.event], ['2', 'EUR', { second: true }, 'after']);
  assert.deepEqual([row.session_number, row.identifier], [session, { gclid: 'early' }]);
  const [again] = await report(account, [{ gclid: 'late', eventId: 'o' }]);
  assert.equal(again._id, made._id);
});

test('a started session wakes the matcher, which matches the reports of its own account only', async () => {
  const [account, other] = [await service.newAccount(), await service.newAccount()];
  for (const each of [account, other]) await report(each, [{ gclid: 'told' }]);
  const worker = service.workers.find((each) => each instanceof LateMatcher);
  worker?.start();
  await visit(account, 'told');
  await until(async () => (await conversions(account)).length === 1 && (await waiting(account)) === 0);
  assert.deepEqual([(await conversions(other)).length, await waiting(other)], [0, 1]);
  await worker?.stop();
});

test('only the unmatched reports of started sessions are looked up', async () => {
  const account = await service.newAccount();
  const matcher = newMatcher();
  await report(account, [{ gclid: 'x' }, { gclid: 'y' }]);
  await visit(account, 'y');
  const { rows } = await db.query(
    'select digest from unmatched_conversions where account_id = $1 and identifier = $2',
    [account.uuid, { gclid: 'x' }],
  );
  matcher.sessionsStarted([{ accountId: account.uuid, digests: [rows[0].digest] }]);
  await matcher.matchStarted();
  assert.equal((await conversions(account)).length, 0);
  await visit(account, 'x');
  matcher.sessionsStarted([{ accountId: account.uuid, digests: [rows[0].digest] }]);
  await matcher.matchStarted();
  assert.deepEqual(
    (await conversions(account)).map(({ identifier }) => identifier),
    [{ gclid: 'x' }],
  );
});

test('a session that is committed between the lookup and the report is found', NEEDS_ITS_SERVER, async () => {
  const account = await service.newAccount();
  await visit(account, 'early');
  await report(account, [{ gclid: 'early', eventId: 'held' }]);
  let answered: Promise<{ status: string }[]> = Promise.resolve([]);
  await db.transaction(async (tx) => {
    // The report has looked for its sessions when it waits for this row.
    await tx.query('select from conversions where account_id = $1 for update', [account.uuid]);
    answered = report(account, [{ gclid: 'racing' }, { gclid: 'early', eventId: 'held' }]);
    await until(async () => {
      const { rows } = await db.query(
        `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rows[0].n === 1;
    });
    await visit(account, 'racing');
  });
  assert.deepEqual(
    (await answered).map(({ status }) => status),
    ['unmatched', 'reported'],
  );
  assert.equal((await conversions(account)).length, 2);
  assert.equal(await waiting(account), 0);
});

test('reports whose notification was lost in a crash are matched once, by any number of concurrent sweeps', async () => {
  const account = await service.newAccount();
  const items = Array.from({ length: 1500 }, (_, i) =>
    readReport(service.sessionIds, { gclid: `orphan-${i % 3}`, value: i }, clock.now),
  );
  await db.transaction((tx) =>
    reportConversions(tx, { accountId: account.uuid, secret: service.secret }, items, clock.now),
  );
  await visit(account, 'orphan-0');
  await visit(account, 'orphan-2');
  await Promise.all([newMatcher().sweep(), newMatcher().sweep(), newMatcher().sweep()]);
  assert.equal((await conversions(account)).length, 1000);
  assert.equal(await waiting(account), 500);
});

test('an unmatched report is kept for 30 days', async () => {
  const account = await service.newAccount();
  await report(account, [{ gclid: 'old' }]);
  clock.now += DAY;
  await report(account, [{ gclid: 'newer' }]);
  clock.now += 29 * DAY + 1;
  for (const gclid of ['old', 'newer']) await visit(account, gclid);
  const matcher = newMatcher();
  const { rows } = await db.query('select digest from unmatched_conversions where account_id = $1', [account.uuid]);
  matcher.sessionsStarted([{ accountId: account.uuid, digests: rows.map(({ digest }) => digest) }]);
  await matcher.matchStarted();
  assert.deepEqual(
    (await conversions(account)).map(({ identifier }) => identifier),
    [{ gclid: 'newer' }],
  );
  await matcher.sweep();
  assert.equal((await conversions(account)).length, 1);
  assert.equal(await waiting(account), 0);
});

test('an unmatched report that cannot be read does not keep the others from their session', async () => {
  const account = await service.newAccount();
  const report = (gclid: string) =>
    service.call('POST /v1/analytics/report-conversion', { as: account, body: { gclid, value: 1, eventId: gclid } });
  await report('unreadable');
  await report('readable');
  await service.db.query(
    `update unmatched_conversions set identifier = '{"unknown": "x"}' where account_id = $1 and event_id = 'unreadable'`,
    [account.uuid],
  );
  const body = { api_key: account.apiKey, url: 'https://shop.example/?gclid=readable' };
  await service.call('POST /v1/visits', { body });
  await newMatcher().sweep();
  const { rows } = await service.db.query('select event_id from conversions where account_id = $1', [account.uuid]);
  assert.deepEqual(rows, [{ event_id: 'readable' }]);
});

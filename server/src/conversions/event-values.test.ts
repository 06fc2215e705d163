import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Account, testService } from '../../test/harness.ts';
import { LateMatch } from './late-match.ts';

const service = await testService();
const { call, db, clock } = service;

async function record(key: string, properties: object, event = 'purchase') {
  const answer = await call('POST /v1/events', { body: { api_key: key, event, properties } });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
}

async function report(account: Account, item: object) {
  const answer = await call('POST /v1/analytics/report-conversion', { as: account, body: item });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

async function visit(account: Account, gclid: string): Promise<number> {
  const body = { api_key: account.token, url: `https://shop.test/?gclid=${gclid}` };
  return (await call('POST /v1/visits', { body })).body.sessionId;
}

async function conversions(account: Account) {
  const { rows } = await db.query(
    `select event_id, event, value, currency, created_on, origin, identifier, session_number
     from conversions where account_id = $1 order by id`,
    [account.uuid],
  );
  return rows;
}

async function revisions(account: Account): Promise<number> {
  const { rows } = await db.query('select count(*)::int as n from conversion_revisions where account_id = $1', [
    account.uuid,
  ]);
  return rows[0].n;
}

test('an event with a numeric value counts as a conversion of its session', async () => {
  const account = await service.newAccount();
  const session = await visit(account, 'g1');
  const timestamp = '2026-01-02T03:04:05.678Z';
  await record(account.apiKey, { gclid: 'g1', value: 12.5, currency: 'eur', event_id: 'o-1', timestamp });
  await record(account.apiKey, { value: 0, currency: 'euro' });
  await record(account.apiKey, { gclid: 'g1' });
  await record(account.apiKey, { gclid: 'g1', value: 1e300 });
  const [first, second, ...others] = await conversions(account);
  assert.deepEqual(first, {
    event_id: 'o-1',
    event: 'purchase',
    value: '12.5',
    currency: 'EUR',
    created_on: new Date(timestamp),
    origin: 'event',
    identifier: { gclid: 'g1' },
    session_number: session,
  });
  assert.deepEqual([second.value, second.currency, second.session_number, second.identifier], ['0', null, null, null]);
  assert.equal(others.length, 0);
});

test('an event of a known lead counts for the latest session of that lead', async () => {
  const account = await service.newAccount();
  const session = await visit(account, 'g1');
  await record(account.apiKey, { gclid: 'g1', email: 'a@b.test' }, 'signup');
  await record(account.apiKey, { email: 'A@B.test', value: 3 });
  assert.deepEqual(
    (await conversions(account)).map(({ session_number }) => session_number),
    [session],
  );
});

test('an event that is sent again changes nothing', async () => {
  const account = await service.newAccount();
  for (const key of [account.apiKey, account.token, account.apiKey]) {
    await record(key, { value: 1, event_id: 'o-1' });
    await record(key, { value: 2, event_id: 'o-1' });
  }
  assert.deepEqual(
    (await conversions(account)).map(({ value }) => value),
    ['1'],
  );
  assert.equal(await revisions(account), 1);
});

test('a report makes an event its own, and an event from a page never changes a report', async () => {
  const account = await service.newAccount();
  const session = await visit(account, 'g1');
  await record(account.apiKey, { value: 1, currency: 'EUR', event_id: 'o-1' });
  await report(account, { gclid: 'g1', eventId: 'o-1', value: 2 });
  const [claimed] = await conversions(account);
  assert.deepEqual(
    [claimed.origin, claimed.value, claimed.currency, claimed.event, claimed.session_number, claimed.identifier],
    ['report', '2', 'EUR', 'purchase', session, { gclid: 'g1' }],
  );

  await report(account, { gclid: 'g1', eventId: 'o-2', value: 5 });
  const before = await conversions(account);
  await record(account.apiKey, { value: 99, event_id: 'o-2', currency: 'USD' });
  assert.deepEqual(await conversions(account), before);
  assert.equal(await revisions(account), 3);
});

test('an event from a server restates a report', async () => {
  const account = await service.newAccount();
  const session = await visit(account, 'g1');
  await report(account, { gclid: 'g1', eventId: 'o-1', value: 5, event: 'order' });
  await record(account.token, { value: 7, event_id: 'o-1' });
  const [row] = await conversions(account);
  assert.deepEqual([row.value, row.origin, row.event, row.session_number], ['7', 'report', 'purchase', session]);
});

test('a report that waited longer than an event from a page still prevails over it', async () => {
  const account = await service.newAccount();
  await report(account, { gclid: 'late', eventId: 'o-1', value: 5 });
  await record(account.apiKey, { value: 9, currency: 'EUR', event_id: 'o-1' });
  const session = await visit(account, 'late');
  await new LateMatch({ db, clock: () => clock.now, log: service.app.log }).sweep();
  const [row, ...others] = await conversions(account);
  assert.equal(others.length, 0);
  assert.deepEqual([row.value, row.currency, row.origin, row.session_number], ['5', 'EUR', 'report', session]);
});

test('two accounts may use the same event_id', async () => {
  const accounts = [await service.newAccount(), await service.newAccount()];
  await Promise.all(accounts.map((account, i) => record(account.apiKey, { value: i, event_id: 'o-1' })));
  for (const [i, account] of accounts.entries()) {
    assert.deepEqual(
      (await conversions(account)).map(({ value }) => value),
      [String(i)],
    );
  }
});

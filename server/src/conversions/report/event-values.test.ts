import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Account } from '../../../test/harness.ts';
import { service } from '../../../test/shared.ts';
import { LateMatcher } from '../matching/late-matcher.ts';

const { call, db, clock } = service;

async function record(key: string, properties: object, members: object = {}) {
  const body = { api_key: key, event: 'purchase', properties, ...members };
  const answer = await call('POST /v1/events', { body });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
}

async function report(account: Account, item: object) {
  const answer = await call('POST /v1/analytics/report-conversion', { as: account, body: item });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

/** A visit; the number of its session. */
async function visit(account: Account, gclid: string): Promise<number> {
  const body = { api_key: account.token, url: `https://shop.test/?gclid=${gclid}` };
  return service.sessionIds.numberOf((await call('POST /v1/visits', { body })).body.sessionId);
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

test('an event with a numeric value is a conversion of its session', async () => {
  const account = await service.newAccount();
  const session = await visit(account, 'g1');
  const occurredAt = '2026-01-02T03:04:05.678Z';
  await record(account.apiKey, { gclid: 'g1', value: 12.5, currency: 'eur' }, { id: 'o-1', occurredAt });
  await record(account.apiKey, { value: 0, currency: 'euro' });
  await record(account.apiKey, { gclid: 'g1' });
  await record(account.apiKey, { gclid: 'g1', value: 1e300 });
  const [first, second, ...others] = await conversions(account);
  assert.deepEqual(first, {
    event_id: 'o-1',
    event: 'purchase',
    value: '12.5',
    currency: 'EUR',
    created_on: new Date(occurredAt),
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
  await record(account.apiKey, { gclid: 'g1', email: 'a@b.test' }, { event: 'signup' });
  await record(account.apiKey, { email: 'A@B.test', value: 3 });
  assert.deepEqual(
    (await conversions(account)).map(({ session_number }) => session_number),
    [session],
  );
});

test('an event that is repeated with its id changes nothing', async () => {
  const account = await service.newAccount();
  for (const key of [account.apiKey, account.token, account.apiKey]) {
    await record(key, { value: 1 }, { id: 'o-1' });
    await record(key, { value: 2 }, { id: 'o-1' });
  }
  assert.deepEqual(
    (await conversions(account)).map(({ value }) => value),
    ['1'],
  );
  assert.equal(await revisions(account), 2, 'the first event of a page, and the first of a server');
});

test('the first report replaces everything that a page made, and an event from a page never changes a report', async () => {
  const account = await service.newAccount();
  const session = await visit(account, 'g1');
  await record(account.apiKey, { value: 1, currency: 'EUR' }, { id: 'o-1' });
  await report(account, { gclid: 'g1', eventId: 'o-1', value: 2 });
  const [claimed] = await conversions(account);
  assert.deepEqual(
    [claimed.origin, claimed.value, claimed.currency, claimed.event, claimed.session_number, claimed.identifier],
    ['report', '2', null, 'conversion', session, { gclid: 'g1' }],
  );

  await report(account, { gclid: 'g1', eventId: 'o-2', value: 5 });
  const before = await conversions(account);
  await record(account.apiKey, { value: 99, currency: 'USD' }, { id: 'o-2' });
  assert.deepEqual(await conversions(account), before);
  assert.equal(await revisions(account), 3);
});

test('an event from a server restates a report', async () => {
  const account = await service.newAccount();
  const session = await visit(account, 'g1');
  await report(account, { gclid: 'g1', eventId: 'o-1', value: 5, event: 'order' });
  await record(account.token, { value: 7 }, { id: 'o-1' });
  const [row] = await conversions(account);
  assert.deepEqual([row.value, row.origin, row.event, row.session_number], ['7', 'report', 'purchase', session]);
});

test('a report that was unmatched when a page sent its event still replaces it', async () => {
  const account = await service.newAccount();
  await report(account, { gclid: 'late', eventId: 'o-1', value: 5 });
  await record(account.apiKey, { value: 9, currency: 'EUR' }, { id: 'o-1' });
  const session = await visit(account, 'late');
  await new LateMatcher({ ...service, clock: () => clock.now, log: service.app.log }).sweep();
  const [row, ...others] = await conversions(account);
  assert.equal(others.length, 0);
  assert.deepEqual([row.value, row.currency, row.origin, row.session_number], ['5', null, 'report', session]);
});

test('two accounts may use the same id', async () => {
  const accounts = [await service.newAccount(), await service.newAccount()];
  await Promise.all(accounts.map((account, i) => record(account.apiKey, { value: i }, { id: 'o-1' })));
  for (const [i, account] of accounts.entries()) {
    assert.deepEqual(
      (await conversions(account)).map(({ value }) => value),
      [String(i)],
    );
  }
});

test('an event from a page cannot forge the session, currency or value of a later report', async () => {
  const account = await service.newAccount();
  const session = await visit(account, 'real');
  await visit(account, 'forged');
  await record(account.apiKey, { gclid: 'forged', value: 999999, currency: 'KWD' }, { id: 'order-7' });
  const first = await report(account, { gclid: 'real', eventId: 'order-7' });
  const [row, ...others] = await conversions(account);
  assert.equal(others.length, 0);
  assert.deepEqual(
    [row.session_number, row.value, row.currency, row.identifier],
    [session, null, null, { gclid: 'real' }],
  );
  await report(account, { gclid: 'real', eventId: 'order-7', value: 20, currency: 'EUR' });
  const [restated] = await conversions(account);
  assert.deepEqual([restated.value, restated.currency], ['20', 'EUR']);
  await new LateMatcher({ ...service, clock: () => clock.now, log: service.app.log }).sweep();
  const { body } = await call(`GET /v1/conversions/${first._id}`, { as: account });
  assert.deepEqual([body.value, body.currency, body.sessionId], ['20', 'EUR', service.sessionIds.idOf(session)]);
});

test('a numeric string counts as a value, and properties.event_id is ordinary metadata', async () => {
  const account = await service.newAccount();
  for (const email of ['a@b.test', 'c@d.test']) {
    await record(account.apiKey, { value: '49.90', event_id: 'order-1', email });
  }
  await record(account.apiKey, { value: null });
  await record(account.apiKey, { value: 'free' });
  assert.deepEqual(
    (await conversions(account)).map(({ value, event_id }) => [value, event_id]),
    [
      ['49.90', null],
      ['49.90', null],
    ],
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Account, testService } from '../../../test/harness.ts';
import { until } from '../../../test/until.ts';
import { isoTime } from '../../shared/time.ts';

const service = await testService();
const DAY = 24 * 3_600_000;
const START = service.clock.now;
for (const worker of service.workers) worker.start();

const rows = async (sql: string, ...values: unknown[]) => (await service.db.query(sql, values)).rows;
const count = async (table: string, account: Account) =>
  (await rows(`select count(*) as n from ${table} where account_id = $1`, account.uuid))[0]?.n;
const counts = (account: Account) =>
  Promise.all(
    ['sessions', 'click_ids', 'visits', 'events', 'leads', 'conversions'].map((table) => count(table, account)),
  );

const post = async (path: string, body: Record<string, unknown>, as?: Account) => {
  const answer = await service.call(`POST ${path}`, { body, ...(as && { as }) });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
};
const report = (account: Account, body: Record<string, unknown>) =>
  post('/v1/analytics/report-conversion', body, account);

/**
 * A visit with a click id, an event with an e-mail and a conversion, `days` after the start by the service's clock. It
 * never goes back, like the ids it makes.
 */
async function furnish(account: Account, name: string, days: number, occurredAt?: string) {
  service.clock.now = START + days * DAY;
  const { sessionHash } = await post('/v1/visits', {
    api_key: account.apiKey,
    url: `https://shop.example/?gclid=${name}`,
    visitorId: name,
    ...(occurredAt && { occurredAt }),
  });
  await post('/v1/events', {
    api_key: account.apiKey,
    event: 'signed_up',
    properties: { email: `${name}@example.com`, sessionHash },
    ...(occurredAt && { occurredAt }),
  });
  await report(account, { gclid: name, eventId: name, value: 10, currency: 'EUR' });
  return sessionHash;
}

/** Each change starts a run: one leaves rows to the next that another transaction has locked, as when it clears the flags of bots. */
const retain = (account: Account, retentionDays: number | null, isDone: () => Promise<boolean> = async () => true) =>
  until(async () => {
    await service.call('PATCH /v1/tracking/settings', { as: account, body: { retentionDays } });
    return isDone();
  });

test('data past its retention is deleted soon after the setting changes; conversions remain without identifiers', async () => {
  const [account, forever] = [await service.newAccount(), await service.newAccount()];
  await furnish(account, 'old', 0);
  await furnish(forever, 'old', 0);
  await furnish(account, 'new', 40);
  // Happened long ago, arrived today.
  await furnish(account, 'late', 40, isoTime(START - 20 * DAY));
  assert.deepEqual(await counts(account), [3, 3, 3, 3, 3, 3]);
  await retain(
    account,
    30,
    async () => `${await counts(account)}` === '1,1,1,1,1,3' && (await unidentified(account)).length === 1,
  );
  assert.deepEqual(await counts(forever), [1, 1, 1, 1, 1, 1]);
  assert.deepEqual(
    (await unidentified(account)).map(({ event_id }) => event_id),
    ['old'],
  );
  const kept = await rows('select event_id, value from conversions where account_id = $1 order by id', account.uuid);
  assert.deepEqual(
    kept.map(({ event_id, value }) => [event_id, value]),
    [
      ['old', '10'],
      ['new', '10'],
      ['late', '10'],
    ],
  );
  assert.equal(
    (await rows('select email from leads where account_id = $1', account.uuid))[0]?.email,
    'new@example.com',
  );

  function unidentified(account: Account) {
    return rows(
      `select event_id from conversions c where account_id = $1 and identifier is null and not exists (
         select from conversion_revisions r where r.account_id = $1 and r.conversion_id = c.id and r.identifier is not null)`,
      account.uuid,
    );
  }
});

test('a conversion whose session was deleted is restated by its event id and first identifier only', async () => {
  const account = await service.newAccount();
  const sessionHash = await furnish(account, 'gone', 100);
  const [before] = await rows('select * from conversions where account_id = $1', account.uuid);
  service.clock.now = START + 190 * DAY;
  await retain(account, 30, async () => {
    const [row] = await rows('select identifier from conversions where account_id = $1', account.uuid);
    return row?.identifier === null && (await count('sessions', account)) === 0;
  });
  const restated = await report(account, { gclid: 'gone', eventId: 'gone', value: 4 });
  assert.equal(restated.status, 'reported');
  const found = await rows('select * from conversions where account_id = $1', account.uuid);
  assert.deepEqual(
    found.map((row) => [row.id, row.value, row.currency, row.session_number, row.identifier]),
    [[before?.id, '4', 'EUR', before?.session_number, null]],
  );
  for (const item of [
    { gclid: 'gone', eventId: 'another', value: 1 },
    { gclid: 'gone', value: 1 },
    { gclid: 'other', eventId: 'gone', value: 1 },
    { fbclid: 'gone', eventId: 'gone', value: 1 },
    { hash: sessionHash, eventId: 'gone', value: 1 },
  ]) {
    assert.equal((await report(account, item)).status, 'unmatched', JSON.stringify(item));
  }
  const batch = await service.call('POST /v1/analytics/report-conversion', {
    as: account,
    body: [
      { gclid: 'gone', eventId: 'gone', value: 5 },
      { gclid: 'nobody', eventId: 'x', value: 1 },
      { gclid: 'gone', eventId: 'gone', value: 6 },
    ],
  });
  assert.deepEqual(
    batch.body.map(({ status }: { status: string }) => status),
    ['reported', 'unmatched', 'reported'],
  );
  const values = await rows('select value from conversions where account_id = $1', account.uuid);
  assert.deepEqual(values, [{ value: '6' }]);
  const other = await service.newAccount();
  assert.equal((await report(other, { gclid: 'gone', eventId: 'gone', value: 4 })).status, 'unmatched');
});

test('an active session, and the lead of a session that remains, are kept', async () => {
  const account = await service.newAccount();
  const sessionHash = await furnish(account, 'loyal', 200);
  service.clock.now = START + 260 * DAY;
  await post('/v1/visits', { api_key: account.apiKey, url: 'https://shop.example/', sessionHash });
  await retain(account, 30, async () => `${await counts(account)}` === '1,1,1,0,1,1');
  assert.equal(
    (await rows('select hash from sessions where account_id = $1 and hash = $2', account.uuid, sessionHash)).length,
    1,
  );
});

test('more rows than one transaction deletes are deleted by several', async () => {
  const account = await service.newAccount();
  service.clock.now = START + 300 * DAY;
  const at = new Date(START);
  await rows(
    `insert into sessions (account_id, number, hash, short_hash, visitor_id, started_at, last_seen_at, landing_url)
     select $1, 1000000 + n, 'h' || n, 's', 'v', $2, $2, 'https://shop.example/' from generate_series(1, 2500) n`,
    account.uuid,
    at,
  );
  await rows(
    `insert into events (account_id, id, event, properties, is_bot, occurred_at, received_at)
     select $1, gen_random_uuid(), 'x', '{}', false, $2, $2::timestamptz + (n % 3) * interval '1 day' from generate_series(1, 2500) n`,
    account.uuid,
    at,
  );
  // Ids of the time of arrival.
  await rows(`update events set id = ('00000000' || substr(id::text, 9))::uuid where account_id = $1`, account.uuid);
  await retain(account, 1, async () => (await counts(account)).every((each) => each === 0));
});

test('only plans and refused requests that are as old lose what they say of persons', async () => {
  const account = await service.newAccount();
  const leave = async (name: string, day: number) => {
    service.clock.now = START + day * DAY;
    const reports = [{ gclid: name, eventId: name, value: '1', currency: 'EUR' }];
    const { id } = await post('/v1/plans/conversions', { reports }, account);
    await service.call('POST /v1/analytics/report-conversion', {
      as: account,
      body: { email: `${name}@example.com`, value: [] },
    });
    return id;
  };
  const plans = [await leave('older', 310), await leave('newer', 313)];
  const bodies = () =>
    rows('select body is not null as has_it from rejected_requests where account_id = $1 order by id', account.uuid);
  await until(async () => (await bodies()).length === 2);
  await retain(account, 2);
  const statusOf = async (id: string | undefined) =>
    (await service.call(`GET /v1/plans/${id}`, { as: account })).status;
  await until(async () => (await statusOf(plans[0])) === 404);
  await until(async () => !(await bodies())[0]?.has_it);
  assert.equal(await statusOf(plans[1]), 200);
  assert.deepEqual(await bodies(), [{ has_it: false }, { has_it: true }]);
});

test('the results of an experiment that has ended stay when its visitors are deleted, late refunds included', async () => {
  const account = await service.newAccount();
  const as = {
    as: account,
    headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/153.0.0.0 Safari/537.36' },
  };
  const ok = async (request: string, body?: object) => {
    const answer = await service.call(request, { ...as, ...(body && { body }) });
    assert.equal(answer.status, 200, `${request}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const { apiKey: api_key } = account;
  const visit = (visitorId: string) => ok('POST /v1/visits', { api_key, url: 'https://shop.example/', visitorId });
  const sell = (sessionHash: string, eventId: string, value: number) =>
    report(account, { sessionHash, eventId, event: 'purchase', value, currency: 'EUR' });
  service.clock.now = START + 400 * DAY;
  let { sessionHash: last } = await visit('first');
  await sell(last, 'first', 1);
  const { id } = await ok('POST /v1/experiments', {
    ...{ key: 'kept', name: 'Kept', hypothesis: 'It sells more', window: '1d', settleAfter: '1d' },
    variants: ['a', 'b'].map((key) => ({ key, weight: 0.5 })),
    metric: { event: 'purchase', kind: 'revenue', currency: 'EUR' },
  });
  await ok(`POST /v1/experiments/${id}/start`, {});
  for (let i = 0; i < 6; i++) {
    last = (await visit(`visitor-${i}`)).sessionHash;
    const properties = { experiment: 'kept', variant: i % 2 ? 'b' : 'a', sessionHash: last };
    await ok('POST /v1/events', { api_key, event: 'experiment_exposure', properties });
    await sell(last, `sale-${i}`, 10 + i);
  }
  service.clock.now += 3 * DAY;
  await ok(`POST /v1/experiments/${id}/stop`, {});
  service.clock.now += 3 * DAY;
  await sell(last, 'sale-5', 0);
  const read = () => ok(`GET /v1/experiments/${id}/results`);
  const moneyOf = ({ arms }: Awaited<ReturnType<typeof read>>) =>
    arms.map((arm: Record<string, unknown>) => [arm.settledVisitors, Number(arm.settledRevenue), Number(arm.revenue)]);
  const expected = [
    [3, 36, 36],
    [3, 39, 24],
  ];
  await until(async () => JSON.stringify(moneyOf(await read())) === JSON.stringify(expected));
  const { asKnownOn: _before, ...before } = await read();

  service.clock.now += 40 * DAY;
  await retain(account, 30, async () => (await counts(account)).slice(0, 4).every((each) => each === 0));
  const { asKnownOn: _after, ...after } = await read();
  assert.deepEqual(after, before);
  const past = await ok(`GET /v1/experiments/${id}/results?asKnownOn=${isoTime(START + 404 * DAY)}`);
  assert.deepEqual(
    moneyOf(past),
    [
      [0, 0, 0],
      [0, 0, 0],
    ],
    'what was known before cannot be computed any more',
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Account, testService } from '../../../test/harness.ts';
import { aggregateNewRows } from '../aggregation/aggregate-new-rows.ts';
import { ReportRunner } from '../engine/index.ts';
import { reportContexts } from '../reports/context.ts';
import { missingShareOf } from './missing-share.ts';
import { noticeSender } from './notices.ts';
import { evaluateDue } from './worker.ts';

const service = await testService();
const { call, db, clock, control, config, secret } = service;
const deps = {
  ...{ db, control, config, secret, clock: () => clock.now, log: service.app.log },
  publicUrl: () => 'https://headwater.example',
};
const runner = service.workers.find((worker) => worker instanceof ReportRunner) ?? assert.fail('no report runner');
const given = { deps, contextFor: reportContexts(deps, runner), entriesOfPaths: async () => new Map<string, string>() };
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36';
const START = Date.parse('2026-05-01T12:00:00Z');

async function ok(request: string, as: Account, body?: unknown) {
  const answer = await call(request, { as, headers: { 'user-agent': CHROME }, ...(body !== undefined && { body }) });
  assert.equal(answer.status, 200, `${request}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Evaluates all that is due. */
async function evaluateAll() {
  await aggregateNewRows(deps);
  while (await evaluateDue(given));
}

async function newAccount() {
  const account = await service.newAccount();
  await control.query("update accounts set time_zone = 'Europe/Berlin', currency = 'EUR' where id = $1", [
    account.uuid,
  ]);
  return account;
}

const visit = (as: Account, gclid: string) =>
  ok('POST /v1/visits', as, { api_key: as.apiKey, url: `https://shop.example/?gclid=${gclid}&utm_source=google` });
const sell = (as: Account, gclid: string, value: number, count: number) =>
  ok(
    'POST /v1/analytics/report-conversion',
    as,
    Array.from({ length: count }, (_, i) => ({ gclid, eventId: `${clock.now}-${i}`, value, currency: 'EUR' })),
  );
const create = (as: Account, body: unknown) => ok('POST /v1/alerts', as, body);
const read = (as: Account, id: string) => ok(`GET /v1/alerts/${id}`, as);
const outbox = async (as: Account) =>
  (await db.query('select topic, data from outbox where account_id = $1 order by id', [as.uuid])).rows;

test('sales of yesterday under what is usual by now open one incident with one notice, which is resolved once', async () => {
  const account = await newAccount();
  clock.now = START;
  await visit(account, 'a');
  for (let day = 0; day < 30; day++) {
    await sell(account, 'a', 10 + (day % 3), 10);
    clock.now += DAY;
  }
  await ok('POST /v1/webhooks', account, {
    url: 'https://hooks.example/alerts',
    events: ['alert.opened', 'alert.resolved'],
  });
  const slack = 'https://hooks.slack.example/services/T0/B0/x';
  const { id } = await create(account, {
    ...{ preset: 'salesDrop', channels: [{ type: 'webhook' }, { type: 'slack', url: slack }, { type: 'mail' }] },
  });
  await evaluateAll();
  assert.equal((await read(account, id)).status, 'ok');

  // A day with a third of the sales; that of before is over.
  await sell(account, 'a', 10, 3);
  clock.now += DAY;
  await evaluateAll();
  const alerting = await read(account, id);
  assert.equal(alerting.status, 'alerting', JSON.stringify(alerting));
  assert.equal(alerting.current, 30);
  assert.ok(Math.abs(alerting.expected - 110) < 12);
  assert.match(alerting.incident.text, /^Revenue of yesterday: 30\.00 EUR\. Usual by now is 1\d\d/);
  // Evaluated again, and after another weak day, it is the same incident.
  clock.now += HOUR;
  await evaluateAll();
  await sell(account, 'a', 10, 3);
  clock.now += DAY;
  await evaluateAll();
  assert.equal((await read(account, id)).incident.id, alerting.incident.id);
  await sell(account, 'a', 10, 11);
  clock.now += DAY;
  await evaluateAll();
  const resolved = await read(account, id);
  assert.deepEqual([resolved.status, resolved.incident], ['ok', null]);
  const { incidents } = await ok(`GET /v1/alerts/${id}/incidents`, account);
  assert.equal(incidents.length, 1);
  assert.ok(incidents[0].resolvedAt > incidents[0].openedAt);
  const changes = (await outbox(account)).filter(({ topic }) => topic.startsWith('alert.'));
  assert.deepEqual(
    changes.map(({ topic }) => topic),
    ['alert.opened', 'alert.resolved'],
  );
  const { rows: notices } = await db.query('select url, body from alert_notices where account_id = $1 order by id', [
    account.uuid,
  ]);
  assert.deepEqual(
    notices.map(({ url, body }) => [url, JSON.parse(body).text.split(':')[0]]),
    [
      [slack, 'Sales of yesterday are under what is usual by now'],
      [slack, 'Resolved'],
    ],
  );
});

test('sales that are always reported late raise no alarm against what is known at the same age', async () => {
  const account = await newAccount();
  clock.now = START;
  await visit(account, 'b');
  const report = (soldAt: number, count: number, name: string) =>
    ok(
      'POST /v1/analytics/report-conversion',
      account,
      Array.from({ length: count }, (_, i) => ({
        ...{ gclid: 'b', eventId: `${soldAt} ${name} ${i}`, value: 10, currency: 'EUR' },
        createdOn: new Date(soldAt).toISOString(),
      })),
    );
  for (let day = 0; day < 30; day++) {
    // 4 of 10 on the day, the others two days later.
    await report(clock.now, 4, 'now');
    if (day >= 2) await report(clock.now - 2 * DAY, 6, 'late');
    clock.now += DAY;
  }
  const drop = { name: 'Drop', figure: 'revenue', window: 'yesterday', direction: 'below', percent: 40 };
  const expected = await create(account, { ...drop, kind: 'expected' });
  const change = await create(account, { ...drop, kind: 'change' });
  await evaluateAll();
  const aged = await read(account, expected.id);
  assert.deepEqual([aged.status, aged.current, Math.round(aged.expected)], ['ok', 40, 40]);
  // What is final looks like a loss.
  assert.equal((await read(account, change.id)).status, 'alerting');
});

test('thresholds, silence, costs without sessions and what destinations were told are evaluated', async () => {
  const account = await newAccount();
  for (let day = 190; day <= 200; day++) {
    clock.now = START + day * DAY;
    for (let i = 0; i < 15; i++) await visit(account, `s${i}-${day}`);
  }
  await sell(account, 's1-200', 50, 1);
  // Ids are of the clock of the machine, not of that of the test.
  await db.query(
    `update visits set id = (lpad(to_hex((extract(epoch from received_at) * 1000)::bigint), 12, '0')
       || substr(replace(id::text, '-', ''), 13))::uuid where account_id = $1`,
    [account.uuid],
  );
  const day = new Date(clock.now).toISOString().slice(0, 10);
  await ok('PUT /v1/analytics/ad-costs', account, {
    costs: [{ date: day, source: 'google', campaign: 'dead', cost: 12, currency: 'EUR' }],
  });
  const rules = {
    silence: await create(account, { preset: 'scriptSilent' }),
    cost: await create(account, { preset: 'costWithoutClicks' }),
    behind: await create(account, { preset: 'destinationBehind' }),
    sessions: await create(account, {
      ...{ name: 'Few', figure: 'sessions', kind: 'threshold', window: 'yesterday', direction: 'below', value: 20 },
    }),
    events: await create(account, {
      ...{ name: 'None', figure: 'events', kind: 'threshold', window: 'yesterday', direction: 'above', value: 0 },
    }),
    expected: await create(account, {
      ...{
        name: 'Low',
        figure: 'expectedRevenue',
        kind: 'threshold',
        window: 'last7Days',
        direction: 'below',
        value: 1,
      },
    }),
  };
  clock.now += DAY + HOUR / 6;
  await evaluateAll();
  const states: Record<string, unknown> = {};
  for (const [name, { id }] of Object.entries(rules)) {
    const { status, current } = await read(account, id);
    states[name] = [status, current];
  }
  assert.deepEqual(states, {
    silence: ['alerting', 0],
    cost: ['alerting', 12],
    behind: ['ok', 0],
    sessions: ['alerting', 15],
    events: ['ok', 0],
    expected: ['alerting', 0],
  });
});

test('thresholds say nothing of a time before the account had data', async () => {
  const account = await newAccount();
  clock.now = START + 300 * DAY;
  const below = { kind: 'threshold', window: 'yesterday', direction: 'below', value: 100 };
  const revenue = await create(account, { name: 'Revenue', figure: 'revenue', ...below });
  const cost = await create(account, { name: 'Cost', figure: 'cost', ...below });
  const clicks = await create(account, { preset: 'costWithoutClicks' });
  const statuses = async () => {
    await evaluateAll();
    const found = await Promise.all([revenue, cost, clicks].map(({ id }) => read(account, id)));
    return found.map(({ status }) => status);
  };
  assert.deepEqual(await statuses(), ['tooYoung', 'tooYoung', 'tooYoung']);
  await visit(account, 'first');
  const date = (ago: number) => new Date(clock.now - ago * DAY).toISOString().slice(0, 10);
  const costs = [1, 0, -1].map((ago) => ({
    date: date(ago),
    source: 'google',
    campaign: 'dead',
    cost: 12,
    currency: 'EUR',
  }));
  await ok('PUT /v1/analytics/ad-costs', account, { costs });
  clock.now += HOUR;
  assert.deepEqual(await statuses(), ['tooYoung', 'alerting', 'tooYoung']);
  clock.now += 2 * DAY;
  assert.deepEqual(await statuses(), ['alerting', 'alerting', 'alerting']);
});

test('an account without a currency is told which one the amounts have', async () => {
  const account = await service.newAccount();
  clock.now = START + 400 * DAY;
  await visit(account, 'usd');
  const date = new Date(clock.now).toISOString().slice(0, 10);
  const costs = ['a', 'b', 'c'].map((campaign) => ({ date, source: 'google', campaign, cost: '0.1', currency: 'USD' }));
  await ok('PUT /v1/analytics/ad-costs', account, { costs });
  const { id } = await create(account, {
    ...{ name: 'Spend', figure: 'cost', kind: 'threshold', window: 'yesterday', direction: 'above', value: 0.2 },
  });
  clock.now += DAY;
  await evaluateAll();
  const { current, incident } = await read(account, id);
  assert.deepEqual([current, incident.text], [0.3, 'Cost of yesterday: 0.30 USD. The limit is 0.20 USD.']);
});

test('what a destination is not meant to be told, or is told later, is not missing', () => {
  const row = {
    ...{ revenue: '1000', difference: '900', noConsent: '300', notAdjustable: '0', adjusting: '0', waiting: '200' },
    notSent: { queued: '200', no_identifier: '250', source_filtered: '50', unqueued: '50', credentials: '50' },
  };
  // 50 of the 150 that are left.
  assert.equal(missingShareOf(row), 50 / 150);
  assert.equal(missingShareOf({ ...row, revenue: '850' }), 0);
  assert.equal(missingShareOf({ ...row, notSent: { ...row.notSent, queued: '230' }, difference: '930' }), 80 / 150);
});

test('rules are validated with all faults, and a changed rule starts afresh', async () => {
  const account = await newAccount();
  const refused = async (body: unknown) => {
    const answer = await call('POST /v1/alerts', { as: account, body });
    assert.equal(answer.status, 400);
    return answer.body.errors.map(({ pointer }: { pointer: string }) => pointer).sort();
  };
  assert.deepEqual(await refused({}), ['/figure', '/kind', '/name']);
  assert.deepEqual(
    await refused({
      ...{ name: 'x', figure: 'cost', kind: 'expected', window: 'today', event: 'order' },
      channels: [
        { type: 'slack', url: 'http://127.0.0.1/x' },
        { type: 'slack', url: 'ftp://x' },
      ],
    }),
    ['/channels/0/url', '/channels/1/url', '/event', '/kind', '/percent', '/window'],
  );
  assert.deepEqual(await refused({ name: 'x', figure: 'sessions', kind: 'threshold' }), ['/value']);
  const none = await call('POST /v1/alerts', { as: account, body: { preset: 'salesDrop', percent: 0 } });
  assert.deepEqual(
    [none.body.code, none.body.errors[0].detail],
    ['out_of_range', '`/percent` must be above 0.'],
    'a limit that is excluded is named',
  );
  const { id } = await create(account, { preset: 'salesDrop', percent: 60 });
  const changed = await ok(`PATCH /v1/alerts/${id}`, account, { percent: 70, isEnabled: false });
  assert.deepEqual([changed.percent, changed.isEnabled, changed.status], [70, false, 'unknown']);
  await evaluateAll();
  assert.equal((await read(account, id)).checkedAt, null);
  assert.deepEqual(await ok(`DELETE /v1/alerts/${id}`, account), { success: true });
  assert.equal((await call(`GET /v1/alerts/${id}`, { as: account })).status, 404);
});

test('a rule that cannot be evaluated says so, and holds up no other', async () => {
  const [broken, fine] = [await newAccount(), await newAccount()];
  const failing = await create(broken, { preset: 'scriptSilent' });
  const other = await create(fine, { preset: 'scriptSilent' });
  const contextFor: typeof given.contextFor = (accountId, signal) =>
    accountId === broken.uuid ? Promise.reject(new Error('no context')) : given.contextFor(accountId, signal);
  while (await evaluateDue({ ...given, contextFor }));
  assert.equal((await read(broken, failing.id)).status, 'failed');
  assert.equal((await read(fine, other.id)).status, 'tooYoung');
});

test('notices to chats go to public addresses only, and are given up in the end', async () => {
  const account = await newAccount();
  await db.query(
    `insert into alert_notices (account_id, id, url, body, due_at) values ($1, gen_random_uuid(), 'http://127.0.0.1:9/x', '{}', $2)`,
    [account.uuid, new Date(clock.now)],
  );
  const sender = noticeSender({ ...deps, config: { ...deps.config, webhookAllowCidrs: [] } });
  const left = async () =>
    (await db.query('select attempts from alert_notices where account_id = $1', [account.uuid])).rows.map(
      (row) => row.attempts,
    );
  await sender.run();
  assert.deepEqual(await left(), [1]);
  for (let i = 0; i < 12; i++) {
    clock.now += 2 * DAY;
    await sender.run();
  }
  assert.deepEqual(await left(), []);
  sender.close();
});

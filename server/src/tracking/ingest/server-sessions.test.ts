/** Sessions that servers record or report conversions of are counted, whatever the user agent. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Account, testService } from '../../../test/harness.ts';
import { aggregateNewRows } from '../../analytics/aggregation/aggregate-new-rows.ts';
import { isoTime } from '../../shared/time.ts';

const service = await testService();
const deps = { db: service.db, clock: () => service.clock.now };
const DAY = 86_400_000;
const NODE = { 'user-agent': 'node' };

const period = () =>
  `from=${isoTime(service.clock.now - DAY).slice(0, 10)}&to=${isoTime(service.clock.now + DAY).slice(0, 10)}`;

async function overview(as: Account) {
  await aggregateNewRows(deps);
  const { current } = (await service.call(`GET /v1/analytics/overview?${period()}`, { as })).body;
  return { visits: current.visits, conversions: current.conversions };
}

async function visit(as: Account, api_key: string, more: object = {}) {
  const body = { api_key, url: 'https://shop.example/', ...more };
  // What has the publishable key is sent by a page here.
  const headers = { ...NODE, ...(api_key === as.apiKey && { origin: 'https://shop.example' }) };
  const { status, body: visit } = await service.call('POST /v1/visits', { as, body, headers });
  assert.equal(status, 200, JSON.stringify(visit));
  return visit;
}

const report = async (as: Account, item: object) =>
  (await service.call('POST /v1/analytics/report-conversion', { as, body: item })).body;

test('a visit with a secret token is no bot, one of a page is by its user agent', async () => {
  const account = await service.newAccount();
  await visit(account, account.token);
  assert.deepEqual((await overview(account)).visits, 1);
  await visit(account, account.apiKey);
  assert.deepEqual((await overview(account)).visits, 1);
});

test('a session is no bot from the first conversion that a server reports of it, in reports and in lists', async () => {
  const account = await service.newAccount();
  const { sessionHash } = await visit(account, account.apiKey);
  const { sessionHash: other } = await visit(account, account.apiKey);
  assert.deepEqual(await overview(account), { visits: 0, conversions: 0 });
  assert.equal((await report(account, { sessionHash, value: 10, currency: 'EUR' })).status, 'reported');
  await overview(account);
  assert.deepEqual(await overview(account), { visits: 1, conversions: 1 });
  const { sessions } = (await service.call('GET /v1/sessions', { as: account })).body;
  assert.deepEqual(
    sessions.map((each: { hash: string }) => each.hash),
    [sessionHash],
  );
  assert.notEqual(other, sessionHash);
});

test('a value that a page reports does not make a session human, a later visit with a secret token does', async () => {
  const account = await service.newAccount();
  const { sessionHash } = await visit(account, account.apiKey);
  const properties = { sessionHash, value: 5, currency: 'EUR' };
  await service.call('POST /v1/events', {
    body: { api_key: account.apiKey, event: 'order', properties },
    headers: { ...NODE, origin: 'https://shop.example' },
  });
  await overview(account);
  assert.deepEqual((await overview(account)).visits, 0);
  await visit(account, account.token, { sessionHash });
  await overview(account);
  assert.deepEqual((await overview(account)).visits, 2);
});

test('data that was recorded before is restated in steps, which an interruption does not repeat from the start', async () => {
  const account = await service.newAccount();
  for (let i = 0; i < 3; i++) await visit(account, account.token);
  const { sessionHash } = await visit(account, account.apiKey);
  await report(account, { sessionHash, value: 1 });
  await overview(account);
  // As an earlier version left it.
  for (const table of ['sessions', 'visits']) {
    await service.db.query(`update ${table} set is_bot = true where account_id = $1`, [account.uuid]);
  }
  await service.db.query('insert into analytics_bot_checks values ($1, 0, 9223372036854775807)', [account.uuid]);
  assert.deepEqual((await overview(account)).visits, 4);
  const { rows } = await service.db.query('select 1 from analytics_bot_checks where account_id = $1', [account.uuid]);
  assert.deepEqual(rows, []);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Account } from '../../../test/harness.ts';
import { service } from '../../../test/shared.ts';
import { isoTime } from '../../shared/time.ts';
import { aggregateNewRows } from '../aggregation/aggregate-new-rows.ts';

const URL = '/v1/analytics/channel-rules';
const DAY = 86_400_000;
const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36';
const now = Date.now();

async function ok(request: string, as: Account, body?: unknown) {
  const options = { as, headers: { 'user-agent': CHROME }, ...(body !== undefined && { body }) };
  const { status, body: response } = await service.call(request, options);
  assert.equal(status, 200, `${request} ${JSON.stringify(response)}`);
  return response;
}

const rule = (name: string, ...conditions: object[]) => ({ name, match: 'all', conditions });
const where = (field: string, operator: string, ...values: (string | null)[]) => ({ field, operator, values });
const put = (as: Account, rules: object[], more = {}) => ok(`PUT ${URL}`, as, { rules, ...more });

/** Two visits of one visitor, the first of which came by a newsletter, and a sale in the second. */
async function trade(as: Account) {
  const visit = (query: string, ago: number) =>
    ok('POST /v1/visits', as, {
      ...{ api_key: as.apiKey, visitorId: 'v1', url: `https://shop.example/landing/?${query}` },
      occurredAt: isoTime(now - ago),
    });
  await visit('utm_source=Partner-A&utm_medium=post', 3 * DAY);
  const { sessionHash } = await visit('utm_source=google&utm_medium=cpc&utm_campaign=brand', DAY);
  await ok('POST /v1/analytics/report-conversion', as, { hash: sessionHash, value: 10, currency: 'EUR' });
  await aggregateNewRows({ db: service.db, clock: () => now });
}

const period = `from=${isoTime(now - 10 * DAY).slice(0, 10)}&to=${isoTime(now + DAY).slice(0, 10)}`;
const sessionsOf = async (as: Account, query: string) => {
  const { breakdowns } = await ok(`GET /v1/analytics/breakdown?${period}&by=channel&${query}`, as);
  return Object.fromEntries(
    breakdowns.channel.rows.map((row: Record<string, unknown>) => [row.value, [row.sessions, row.conversions]]),
  );
};

test('rules apply to the past in each report, a dry run says what they take, and without them all is as before', async () => {
  const account = await service.newAccount();
  await trade(account);
  const before = { Unassigned: [1, 0], 'Paid Search': [1, 1] };
  assert.deepEqual(await sessionsOf(account, ''), before);
  const rules = [
    rule('Partners', where('source', 'startsWith', 'partner-')),
    rule('Brand', where('campaign', 'is', 'BRAND'), where('landingPath', 'is', '/landing/')),
    rule('Never', where('source', 'is', 'google')),
  ];

  const tried = await put(account, rules, { dryRun: true });
  assert.deepEqual(tried.effects.rules, [
    { name: 'Partners', sessions: 1 },
    { name: 'Brand', sessions: 1 },
    { name: 'Never', sessions: 0 },
  ]);
  const moved = (channel: string, sessions: number, previous: number) => ({ channel, sessions, previous });
  assert.deepEqual(
    new Set(tried.effects.channels),
    new Set([
      ...[moved('Partners', 1, 0), moved('Brand', 1, 0), moved('Never', 0, 0)],
      ...[moved('Unassigned', 0, 1), moved('Paid Search', 0, 1)],
    ]),
  );
  assert.deepEqual(await sessionsOf(account, ''), before);

  assert.equal((await put(account, rules)).version, 1);
  const own = { Partners: [1, 0], Brand: [1, 1] };
  assert.deepEqual(await sessionsOf(account, ''), own);
  assert.deepEqual(await sessionsOf(account, `asKnownOn=${isoTime(now + DAY)}`), own);
  assert.deepEqual(await sessionsOf(account, 'filter[channel]=Brand'), { Brand: [1, 1] });
  assert.deepEqual(await sessionsOf(account, 'filter[channel][contains]=PART'), { Partners: [1, 0] });
  const { current } = await ok(`GET /v1/analytics/overview?${period}&filter[channel][isNot]=Partners`, account);
  assert.deepEqual([current.sessions, current.conversions], [1, 1]);
  const attribution = await ok(`GET /v1/analytics/attribution?${period}&by=channel`, account);
  assert.deepEqual(
    attribution.rows.map((row: Record<string, Record<string, unknown>>) => [row.value, row.linear?.conversions]).sort(),
    [
      ['Brand', 0.5],
      ['Partners', 0.5],
    ],
  );
  const [from, to] = [isoTime(now - 10 * DAY).slice(0, 10), isoTime(now + DAY).slice(0, 10)];
  const steps = [{ page: '/landing' }];
  const funnel = await ok('POST /v1/analytics/funnel', account, { from, to, steps, breakdownBy: 'channel' });
  assert.deepEqual(funnel.breakdown.rows.map((row: { value: string }) => row.value).sort(), ['Brand', 'Partners']);

  const link = { name: 'Agency', period: { from, to }, filters: { channel: ['Brand'] } };
  const { url } = await ok('POST /v1/analytics/shared-links', account, link);
  const headers = { 'x-shared-link': url.split('#')[1] };
  const shared = await service.call('GET /shared/overview', { headers });
  assert.equal(shared.body.current?.sessions, 1, JSON.stringify(shared.body));

  await put(account, []);
  assert.deepEqual(await sessionsOf(account, ''), before);
});

test('only who read the current version may replace it, if they say so', async () => {
  const account = await service.newAccount();
  assert.deepEqual(await ok(`GET ${URL}`, account), { rules: [], version: 0 });
  const rules = [rule('A', where('source', 'is', 'a'))];
  await put(account, rules, { version: 0 });
  const late = await service.call(`PUT ${URL}`, { as: account, body: { rules: [], version: 0 } });
  assert.deepEqual([late.status, late.body.code, late.body.errors[0].pointer], [400, 'version_conflict', '/version']);
  assert.deepEqual(await ok(`GET ${URL}`, account), { rules, version: 1 });
  // What was read can be sent back.
  assert.equal((await ok(`PUT ${URL}`, account, await ok(`GET ${URL}`, account))).version, 2);
});

test('each fault of the rules is named', async () => {
  const account = await service.newAccount();
  const rules = [
    rule('A', where('platform', 'contains', 'gclid'), where('platform', 'is', 'gclidd', null)),
    rule('B', { match: 'any', conditions: [where('source', 'startsWith', null)] }),
    rule('C', ...Array.from({ length: 21 }, () => where('source', 'is', 'x'))),
  ];
  const { status, body } = await service.call(`PUT ${URL}`, { as: account, body: { rules, dryRun: true } });
  assert.equal(status, 400);
  assert.deepEqual(
    body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`),
    [
      '/rules/0/conditions/0/operator operator_invalid',
      '/rules/0/conditions/1/values/0 value_invalid',
      '/rules/1/conditions/0/conditions/0/values/0 value_invalid',
      '/rules/2/conditions too_many_conditions',
    ],
  );
  for (const invalid of [
    rule(' ', where('source', 'is', 'a')),
    rule('A'),
    rule('A', where('source', 'is')),
    rule('A', where('visitor', 'is', 'a')),
    rule('A', { match: 'any', conditions: [{ match: 'any', conditions: [where('source', 'is', 'a')] }] }),
  ]) {
    const answer = await service.call(`PUT ${URL}`, { as: account, body: { rules: [invalid] } });
    assert.equal(answer.status, 400, JSON.stringify(invalid));
  }
  assert.equal((await service.call(`PUT ${URL}`, { as: account, body: {} })).status, 400);
});

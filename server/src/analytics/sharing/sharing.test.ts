import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Account, testService } from '../../../test/harness.ts';
import { unlessOverloaded } from '../../../test/until.ts';
import { createTestUser } from '../../../test/users.ts';
import { isoTime } from '../../shared/time.ts';
import { onPage } from '../../users/test-support.ts';
import { aggregateNewRows } from '../aggregation/aggregate-new-rows.ts';

const service = await testService();
const page = onPage(service);
const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36';

const visit = async (account: Account, url: string) => {
  const body = { api_key: account.apiKey, url };
  const answer = await service.call('POST /v1/visits', { as: account, body, headers: { 'user-agent': CHROME } });
  assert.equal(answer.status, 200);
};

async function share(account: Account, more: object = {}) {
  const body = { name: 'Agency', period: { preset: 'day' }, ...more };
  const { status, body: link } = await service.call('POST /v1/analytics/shared-links', { as: account, body });
  assert.equal(status, 200, JSON.stringify(link));
  return { link, token: new URL(link.url).hash.slice(1) };
}

const read = (path: string, token: string, headers: Record<string, string> = {}) =>
  service.call(`GET /shared/${path}`, { headers: { 'x-shared-link': token, ...headers } });

/** An account with a visit from Google and one from Bing. */
async function visited() {
  const account = await service.newAccount('Outdoor');
  await visit(account, 'https://shop.example/pricing?utm_source=google');
  await visit(account, 'https://shop.example/secret?utm_source=bing');
  await aggregateNewRows({ db: service.db, clock: () => service.clock.now });
  return account;
}

test('a link shares the report within its filters and period, and nothing else', async () => {
  const account = await visited();
  const { token, link } = await share(account, { filters: { source: ['google'] } });
  assert.ok(!link.url.split('#')[0].includes(token), 'the token is in the fragment');
  const report = await read('report', token);
  assert.deepEqual(
    [report.status, report.body.name, report.body.account, report.body.filters, report.headers['cache-control']],
    [200, 'Agency', 'Outdoor', { source: ['google'] }, 'no-store'],
  );
  assert.equal((await read('overview?compare=none', token)).body.code, 'not_shared');
  assert.equal((await read('overview', token)).body.current.visits, 1);
  const { breakdowns } = (await read('breakdown?by=source,page', token)).body;
  assert.deepEqual(
    Object.values(breakdowns).map((each) => (each as { rows: { value: string }[] }).rows.map(({ value }) => value)),
    [['google'], ['shop.example/pricing']],
  );
  const day = isoTime(service.clock.now).slice(0, 10);
  const chosen = [
    'from=2020-01-01&to=2021-01-01',
    `filter[page]=shop.example/secret`,
    `filter[source][isNot]=x`,
    'from=',
  ];
  for (const query of chosen) {
    for (const path of [`overview?${query}`, `breakdown?by=page&${query}`]) {
      const refused = await read(path, token);
      assert.deepEqual([refused.status, refused.body.code], [400, 'not_shared'], path);
    }
  }
  assert.equal((await read('overview?include=bots', token)).body.code, 'unknown_property');
  assert.equal((await read('funnel', token)).body.code, 'not_shared');
  // The token opens nothing of the API, and a session or key of the account is not needed.
  for (const path of ['/v1/analytics/overview', '/v1/leads', '/v1/analytics/shared-links', '/v1/conversions']) {
    const refused = await service.call(`GET ${path}?from=${day}&to=${day}`, {
      headers: { 'x-shared-link': token, 'x-api-key': `Bearer ${token}` },
    });
    assert.equal(refused.status, 401, path);
  }
});

test('readers of an interactive link choose a period and more filters, but never fewer', async () => {
  const account = await visited();
  const { token } = await share(account, { filters: { source: ['google'] }, isInteractive: true });
  const visits = async (query: string) => (await read(`overview?${query}`, token)).body.current.visits;
  const day = isoTime(service.clock.now).slice(0, 10);
  const tomorrow = isoTime(service.clock.now + 86_400_000).slice(0, 10);
  assert.equal(await visits(''), 1);
  assert.equal(await visits(`from=${day}&to=${tomorrow}`), 1);
  assert.equal(await visits('from=2020-01-01&to=2020-02-01'), 0);
  assert.equal(await visits('filter[source]=bing'), 0, 'the filter of the link still applies');
  assert.equal(await visits('filter[source][isNot]=google'), 0);
  assert.equal(await visits('filter[page][contains]=pricing'), 1);
  assert.equal((await read(`overview?from=${day}`, token)).body.code, 'range_incomplete');
});

test('a link to a funnel shares only that funnel', async () => {
  const account = await visited();
  const funnel = { steps: [{ page: '/pricing' }, { page: '/secret' }] };
  const { token } = await share(account, { funnel });
  const { body } = await read('funnel', token);
  assert.deepEqual(
    body.steps.map(({ page, count }: { page: string; count: number }) => [page, count]),
    [
      ['/pricing', 1],
      ['/secret', 0],
    ],
  );
  assert.equal((await read('overview', token)).body.code, 'not_shared');
  assert.equal((await read('breakdown?by=page', token)).body.code, 'not_shared');
});

test('a revoked, unknown or changed token finds nothing, with one response', async () => {
  const account = await visited();
  const { token, link } = await share(account);
  const other = await service.newAccount();
  const path = `/v1/analytics/shared-links/${link.id}`;
  assert.equal((await service.call(`DELETE ${path}`, { as: other })).status, 404);
  assert.equal((await service.call(`PATCH ${path}`, { as: other, body: { password: null } })).status, 404);
  assert.equal((await read('overview', token)).status, 200);
  assert.equal((await service.call(`DELETE ${path}`, { as: account })).status, 200);
  const bodies = new Set<string>();
  for (const each of [token, `${token}x`, token.slice(1), '', link.id, 'x'.repeat(5_000)]) {
    for (const what of ['report', 'overview', 'breakdown?by=page', 'funnel']) {
      const { status, body } = await read(what, each);
      assert.equal(status, 404);
      bodies.add(JSON.stringify({ ...body, requestId: '' }));
    }
    const unlocked = await page('POST /shared/unlock', { password: 'x' }, undefined);
    assert.equal(unlocked.status, 404);
  }
  assert.equal(bodies.size, 1);
});

test('a password protects every part of the report, and changing it locks readers out', async () => {
  const account = await visited();
  const { token, link } = await share(account, { password: 'open sesame' });
  assert.deepEqual([link.hasPassword, JSON.stringify(link).includes('sesame')], [true, false]);
  const stored = await service.db.query('select * from shared_links');
  assert.ok(!JSON.stringify(stored.rows).includes(token), 'the database does not contain the token');
  for (const what of ['report', 'overview', 'breakdown?by=page', 'funnel']) {
    for (const access of ['', 'x', `${service.clock.now + 1e6}.`, `${service.clock.now + 1e6}.${'A'.repeat(43)}`]) {
      const { status, body } = await read(what, token, { 'x-shared-access': access });
      assert.deepEqual([status, body.code], [401, 'password_required'], `${what} ${access}`);
      assert.ok(!JSON.stringify(body).includes('Outdoor'));
    }
  }
  const unlock = (password: string, by = token) =>
    unlessOverloaded(() =>
      service.call('POST /shared/unlock', {
        body: { password },
        headers: { origin: 'http://headwater.test', 'x-shared-link': by },
      }),
    );
  assert.equal((await unlock('open sesam')).body.code, 'password_wrong');
  const { access } = (await unlock('open sesame')).body;
  assert.equal((await read('overview', token, { 'x-shared-access': access })).body.current.visits, 2);
  const elsewhere = await share(account, { password: 'open sesame' });
  const foreign = await read('overview', elsewhere.token, { 'x-shared-access': access });
  assert.equal(foreign.body.code, 'password_required', 'it opens no other link');
  const path = `PATCH /v1/analytics/shared-links/${link.id}`;
  assert.equal((await service.call(path, { as: account, body: { password: 'another word' } })).status, 200);
  assert.equal((await read('overview', token, { 'x-shared-access': access })).body.code, 'password_required');
  const renewed = (await unlock('another word')).body.access;
  service.clock.now += 13 * 3_600_000;
  assert.equal((await read('overview', token, { 'x-shared-access': renewed })).body.code, 'password_required');

  const failures = await Promise.all(Array.from({ length: 12 }, () => unlock('guess')));
  const codes = failures.map(({ body }) => body.code);
  assert.ok(codes.filter((code) => code === 'password_wrong').length <= 6, codes.join());
  assert.equal((await unlock('another word')).body.code, 'too_many_attempts', 'the right one neither, for a while');
});

test('viewers do not see links, and an account has at most 100', async () => {
  const account = await service.newAccount();
  for (let i = 0; i < 100; i++) await share(account);
  const body = { name: 'One more', period: { preset: 'day' } };
  const refused = await service.call('POST /v1/analytics/shared-links', { as: account, body });
  assert.equal(refused.body.code, 'too_many_links');
  const invalid = { ...body, period: { from: '2026-02-01', to: '2026-01-01' } };
  assert.equal((await service.call('POST /v1/analytics/shared-links', { as: account, body: invalid })).status, 400);
});

test('readers see annotations of the period, without their authors, only where the link shares them', async () => {
  const account = await visited();
  const day = isoTime(service.clock.now).slice(0, 10);
  for (const at of [day, '2020-01-01']) {
    await service.call('POST /v1/analytics/annotations', { as: account, body: { at, text: `Launch ${at}` } });
  }
  const { token, link } = await share(account);
  assert.equal(link.hasAnnotations, false);
  assert.equal((await read('annotations', token)).body.code, 'not_shared');
  const body = { hasAnnotations: true };
  await service.call(`PATCH /v1/analytics/shared-links/${link.id}`, { as: account, body });
  assert.equal((await read('report', token)).body.hasAnnotations, true);
  const { annotations } = (await read('annotations', token)).body;
  assert.deepEqual(annotations, [{ at: day, text: `Launch ${day}`, startsAt: `${day}T00:00:00.000Z` }]);
  assert.equal((await read('annotations?from=2020-01-01&to=2020-01-02', token)).body.code, 'not_shared');
  const { token: locked } = await share(account, { ...body, password: 'a shared word' });
  assert.equal((await read('annotations', locked)).body.code, 'password_required');
});

test('a link shares a range with hours of the time zone of the account', async () => {
  const account = await visited();
  const hour = (hours: number) => isoTime(Math.floor(service.clock.now / 3_600_000 + hours) * 3_600_000).slice(0, 16);
  const visitsOf = async (period: object) => {
    const { token } = await share(account, { period });
    return (await read('overview', token)).body.current.visits;
  };
  assert.equal(await visitsOf({ from: hour(0), to: hour(1) }), 2);
  assert.equal(await visitsOf({ from: hour(-1), to: hour(0) }), 0);
  const body = { timeZone: 'America/New_York' };
  assert.equal(
    (await service.call('PATCH /v1/account', { by: await createTestUser(service, account), body })).status,
    200,
  );
  assert.equal(await visitsOf({ from: hour(0), to: hour(1) }), 0);
});

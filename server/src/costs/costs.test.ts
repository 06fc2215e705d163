/** What ads cost is read from servers that speak the documented APIs, and joined with sessions. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Account, testService } from '../../test/harness.ts';
import { type AdDay, type Call, startCostReports } from '../../test/platforms/cost-reports.ts';
import { aggregateNewRows } from '../analytics/aggregation/aggregate-new-rows.ts';
import { endOf, runnerOf } from '../exports/test-support.ts';
import { isoTime } from '../shared/time.ts';
import { takeDueSources } from './manage/queries.ts';

const platforms = await startCostReports();
const NAMES = ['google', 'meta', 'microsoft', 'tiktok', 'linkedin'] as const;
type Name = (typeof NAMES)[number];
const service = await testService({
  ...Object.fromEntries(NAMES.map((name) => [`COSTS_${name.toUpperCase()}_URL`, platforms.urlOf(name)])),
});
const { call, clock, db } = service;
runnerOf(service).start();

const DAY = 86_400_000;
const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36';
const URL = '/v1/analytics/cost-sources';
/** Days that are over everywhere. */
const day = (ago: number) => isoTime(clock.now - (ago + 2) * DAY).slice(0, 10);

const TOKEN = { accessToken: 'access-1' };
const CREDENTIALS: Record<Name, Record<string, string>> = {
  google: {
    ...{ customerId: '1234567890', developerToken: 'dev' },
    ...{ clientId: 'client', clientSecret: 'the-secret', refreshToken: 'the-refresh' },
  },
  meta: { adAccountId: '77', ...TOKEN },
  microsoft: {
    ...{ clientId: 'client', refreshToken: 'the-refresh', developerToken: 'the-developer' },
    ...{ customerId: '11', accountId: '22' },
  },
  tiktok: { advertiserId: '701', ...TOKEN },
  linkedin: { adAccountId: '512', ...TOKEN },
};
const SOURCES: Record<Name, string> = {
  ...{ google: 'google', meta: 'facebook', microsoft: 'bing', tiktok: 'tiktok', linkedin: 'linkedin' },
};

async function ok(request: string, as: Account, body?: unknown) {
  const headers = { 'user-agent': CHROME };
  const answer = await call(request, { as, headers, ...(body !== undefined && { body }) });
  assert.equal(answer.status, 200, `${request}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

const connect = (as: Account, platform: Name, more: object = {}) =>
  ok(`POST ${URL}`, as, { platform, name: `My ${platform}`, credentials: CREDENTIALS[platform], ...more });

async function refresh(as: Account, id: string, body: object | null = null) {
  return endOf(service, as, (await ok(`POST ${URL}/${id}/refresh`, as, body)).id);
}

const removedBy = async (as: Account, id: string) =>
  ((await refresh(as, id)).result as Record<string, unknown>).removed;

/** What is stored, the earliest first. */
async function stored(as: Account) {
  const { costs } = await ok('GET /v1/analytics/ad-costs?pageSize=100', as);
  return costs.reverse();
}

const brief = (row: Record<string, unknown>) => [
  ...[
    row.date,
    row.campaign,
    row.campaignId,
    row.adGroup,
    row.adId,
    row.currency,
    row.cost,
    row.clicks,
    row.impressions,
  ],
];

const adDay = (ago: number, cost: string, more: Partial<AdDay> = {}): AdDay => ({
  ...{ day: day(ago), campaign: 'Summer | Search', campaignId: '111', adGroup: 'Boots', adGroupId: '11' },
  ...{ ad: 'First', adId: '1', cost, clicks: 4, impressions: 100, ...more },
});

test('each platform is read in pages, by ad, in its currency; corrections, renames and removals arrive', async (t) => {
  for (const name of NAMES) {
    await t.test(name, async () => {
      const account = await service.newAccount();
      const second = { ad: 'Second', adId: '2' };
      const other = { campaign: 'Winter', campaignId: '222', adGroup: 'Skis', adGroupId: '21', ad: 'Third', adId: '3' };
      platforms.ads[name] = [
        adDay(2, '12.34'),
        adDay(2, '1.10', { ...second, clicks: 1 }),
        adDay(1, '0.50', other),
        adDay(0, '7'),
        adDay(29 + 5, '99'),
      ];
      const { id } = await connect(account, name);
      const { error, result } = await refresh(account, id);
      assert.equal(error, null, JSON.stringify(error));
      assert.deepEqual([result.rows, (result as Record<string, unknown>).cost], [4, '20.94']);
      assert.deepEqual((await stored(account)).map(brief), [
        [day(2), 'Summer | Search', '111', 'Boots', '1', 'USD', '12.34', 4, 100],
        [day(2), 'Summer | Search', '111', 'Boots', '2', 'USD', '1.1', 1, 100],
        [day(1), 'Winter', '222', 'Skis', '3', 'USD', '0.5', 4, 100],
        [day(0), 'Summer | Search', '111', 'Boots', '1', 'USD', '7', 4, 100],
      ]);
      const source = await ok(`GET ${URL}/${id}`, account);
      assert.deepEqual([source.status, source.source, source.currency], ['active', SOURCES[name], 'USD']);
      assert.equal(source.lastReadAt, isoTime(clock.now));
      const zones = { microsoft: 'Europe/London', linkedin: 'UTC' } as Partial<Record<Name, string>>;
      assert.equal(source.timeZone, zones[name] ?? 'America/Los_Angeles');

      // A day is corrected, an ad is gone, and the campaign has a new name.
      const renamed = { campaign: 'Summer 2026' };
      platforms.ads[name] = [adDay(2, '11.00', renamed), adDay(1, '0.50', other), adDay(0, '7', renamed)];
      const knownOn = isoTime(clock.now);
      clock.now += 1000;
      const again = (await refresh(account, id)).result as Record<string, unknown>;
      assert.deepEqual([again.removed, again.rows], [1, 3]);
      assert.deepEqual((await stored(account)).map(brief), [
        [day(2), 'Summer 2026', '111', 'Boots', '1', 'USD', '11', 4, 100],
        [day(1), 'Winter', '222', 'Skis', '3', 'USD', '0.5', 4, 100],
        [day(0), 'Summer 2026', '111', 'Boots', '1', 'USD', '7', 4, 100],
      ]);
      const totalOf = async (query: string) => {
        const period = `from=${day(3)}&to=${day(-1)}`;
        return (await ok(`GET /v1/analytics/ad-performance?${period}${query}`, account)).total.cost;
      };
      assert.deepEqual(await totalOf(''), [{ currency: 'USD', value: '18.5' }]);
      assert.deepEqual(await totalOf(`&asKnownOn=${knownOn}`), [{ currency: 'USD', value: '20.94' }]);
    });
  }
});

test('history of an earlier name keeps one campaign, beyond the days that are read again', async () => {
  const account = await service.newAccount();
  platforms.ads.google = [adDay(50, '5'), adDay(3, '2')];
  const { id } = await connect(account, 'google');
  const first = await refresh(account, id, { from: day(60) });
  assert.equal(first.result.rows, 2);
  platforms.ads.google = [adDay(3, '2', { campaign: 'Autumn' })];
  await refresh(account, id);
  assert.deepEqual(
    (await stored(account)).map(({ date, campaign }: Record<string, string>) => [date, campaign]),
    [
      [day(50), 'Autumn'],
      [day(3), 'Autumn'],
    ],
  );
});

test('campaigns without ads in reports have their cost as a whole', async () => {
  for (const name of ['google', 'microsoft'] as const) {
    const account = await service.newAccount();
    const pmax = { campaign: 'Performance Max', campaignId: '333', adGroup: '', adGroupId: '', ad: '', adId: '' };
    platforms.ads[name] = [adDay(1, '3.10'), adDay(1, '8.25', pmax)];
    const { id } = await connect(account, name);
    await refresh(account, id);
    assert.deepEqual(
      (await stored(account)).map(({ campaign, adGroup, cost }: Record<string, unknown>) => [campaign, adGroup, cost]),
      [
        ['Performance Max', null, '8.25'],
        ['Summer | Search', 'Boots', '3.1'],
      ],
    );
  }
});

test('a cost source wins over what was imported by hand for its days and campaigns, and nothing counts twice', async () => {
  const account = await service.newAccount();
  const put = (...costs: object[]) => ok('PUT /v1/analytics/ad-costs', account, { costs });
  const byHand = (campaign: string | null, ago: number) => ({
    ...{ date: day(ago), source: 'Google', campaign, cost: 40, currency: 'EUR' },
  });
  await put(byHand('SUMMER | search', 1), byHand('Other', 1), byHand('Summer | Search', 40), byHand(null, 2));
  platforms.ads.google = [adDay(1, '3'), adDay(2, '4')];
  const { id } = await connect(account, 'google');
  const dry = (await refresh(account, id, { dryRun: true })).result as Record<string, unknown>;
  assert.deepEqual([dry.dryRun, dry.rows, dry.replaced, dry.written], [true, 2, 2, 0]);
  assert.deepEqual((dry.campaigns as Record<string, unknown>[])[0], {
    ...{ campaignId: '111', campaign: 'Summer | Search', cost: '7.00', clicks: 8, impressions: 200 },
  });
  assert.equal((await stored(account)).length, 4);
  await refresh(account, id);
  const known = (await stored(account)).map(({ date, campaign, cost }: Record<string, string>) => [
    date,
    campaign,
    cost,
  ]);
  assert.deepEqual(known, [
    [day(40), 'Summer | Search', '40'],
    [day(2), 'Summer | Search', '4'],
    [day(1), 'Other', '40'],
    [day(1), 'Summer | Search', '3'],
  ]);
  // Later imports of what it reads are skipped, and said to be; null removes nothing of it.
  const later = await put(
    byHand('summer | SEARCH', 1),
    { ...byHand('Summer | Search', 2), cost: null },
    byHand('Other', 1),
  );
  assert.deepEqual(later, { written: 1, removed: 0, skipped: 2 });
  assert.equal((await stored(account)).length, 4);
  // Without the source and its costs, imports count again.
  await ok(`DELETE ${URL}/${id}?deleteCosts=true`, account);
  const { jobs } = await ok('GET /v1/jobs?type=clear_cost_source', account);
  assert.deepEqual((await endOf(service, account, jobs[0].id)).result, { removed: 2 });
  assert.deepEqual(await put(byHand('Summer | Search', 1)), { written: 1, removed: 0 });
});

const isCost = ({ path }: Call) => path.includes('searchStream');

test('throttling waits as long as the platform asks; an expired token is renewed', async () => {
  const account = await service.newAccount();
  platforms.ads.google = [adDay(1, '3')];
  const { id } = await connect(account, 'google');
  platforms.intercept = (sent) =>
    isCost(sent)
      ? { status: 429, headers: { 'retry-after': '1800' }, body: [{ error: { status: 'RESOURCE_EXHAUSTED' } }] }
      : undefined;
  const throttled = await refresh(account, id);
  platforms.intercept = undefined;
  assert.equal(throttled.error?.code, 'platform_throttled');
  const waiting = await ok(`GET ${URL}/${id}`, account);
  assert.deepEqual([waiting.status, waiting.nextReadAt], ['active', isoTime(clock.now + 1_800_000)]);
  assert.match(waiting.error, /RESOURCE_EXHAUSTED/);
  const { obtained } = platforms;
  platforms.token = 'access-2';
  assert.equal((await refresh(account, id)).error, null);
  assert.deepEqual([platforms.obtained, (await ok(`GET ${URL}/${id}`, account)).error], [obtained + 1, null]);
  platforms.token = 'access-1';
});

test('a response that is not the whole report stores nothing, and the source says so', async (t) => {
  const isOf = (name: Name, part: RegExp) => (sent: Call) => sent.platform === name && part.test(sent.path);
  const row = { campaign: { id: '111', name: 'Summer' }, segments: { date: day(1) }, metrics: { costMicros: '1' } };
  const cut = [{ results: [row] }, { error: { code: 503, message: 'Try again later', status: 'UNAVAILABLE' } }];
  const isGoogle = isOf('google', /searchStream/);
  const faults: [Name, string, (sent: Call) => boolean, unknown, RegExp][] = [
    [
      'google',
      'an error after the first rows',
      (sent) => isGoogle(sent) && sent.text.includes('segments'),
      cut,
      /Try again later/,
    ],
    ['google', 'an object', isGoogle, {}, /results/],
    [
      'google',
      'no currency',
      (sent) => isGoogle(sent) && sent.text.includes('FROM customer'),
      [{ results: [] }],
      /currency/,
    ],
    ['meta', 'a page without rows', isOf('meta', /^\/v[\d.]+\/\d+\/insights$/), { paging: {} }, /data/],
    ['meta', 'no report', (sent) => sent.platform === 'meta' && sent.method === 'POST', {}, /report_run_id/],
    ['tiktok', 'no list', isOf('tiktok', /report/), { code: 0, data: {} }, /list/],
    ['tiktok', 'no account', isOf('tiktok', /info/), { code: 0, data: { list: [] } }, /currency/],
    ['linkedin', 'no elements', isOf('linkedin', /adAnalytics/), {}, /elements/],
    ['microsoft', 'no report', isOf('microsoft', /Submit/), {}, /ReportRequestId/],
    ['microsoft', 'no archive', isOf('microsoft', /files/), Buffer.from('<html>'), /archive/],
  ];
  for (const [name, what, isHit, body, words] of faults) {
    await t.test(`${name}: ${what}`, async () => {
      const account = await service.newAccount();
      platforms.ads[name] = [adDay(2, '5'), adDay(1, '3')];
      const { id } = await connect(account, name);
      await refresh(account, id);
      const before = await stored(account);
      platforms.intercept = (sent) => (isHit(sent) ? { status: 200, body } : undefined);
      const { error } = await refresh(account, id);
      platforms.intercept = undefined;
      assert.equal(error?.code, 'platform_unavailable');
      assert.match((await ok(`GET ${URL}/${id}`, account)).error, words);
      assert.deepEqual(await stored(account), before);
      assert.equal((await refresh(account, id)).error, null);
    });
  }
});

test('a report that changes between its pages counts no row twice, and is read again if one is missing', async () => {
  const account = await service.newAccount();
  const ads = ['1', '2', '3'].map((adId) => adDay(1, adId, { adId }));
  platforms.ads.tiktok = ads;
  const { id } = await connect(account, 'tiktok');
  // The second page begins with the last row of the first one.
  const row = ({ adId, cost, day }: AdDay) => ({
    dimensions: { ad_id: adId, stat_time_day: day },
    metrics: { spend: cost, campaign_id: '111', campaign_name: 'Summer', adgroup_id: '11', adgroup_name: 'Boots' },
  });
  const answer = (rows: AdDay[]) => {
    platforms.intercept = ({ path, query }) => {
      if (!path.includes('report') || query.get('page') !== '2') return undefined;
      const data = { list: rows.map(row), page_info: { page: 2, total_page: 2, total_number: 3 } };
      return { status: 200, body: { code: 0, message: 'OK', data } };
    };
  };
  answer(ads.slice(1));
  const { result } = await refresh(account, id);
  assert.deepEqual([result.rows, (result as Record<string, unknown>).cost], [3, '6.00']);
  answer(ads.slice(1, 2));
  assert.equal((await refresh(account, id)).error?.code, 'platform_unavailable');
  platforms.intercept = undefined;
  assert.equal((await stored(account)).length, 3);
});

test('no costs at all of days that had some are a lost permission, not a correction', async () => {
  const account = await service.newAccount();
  platforms.ads.linkedin = [adDay(2, '5'), adDay(1, '3')];
  const { id } = await connect(account, 'linkedin');
  await refresh(account, id);
  // LinkedIn answers so to who may not read reports.
  platforms.ads.linkedin = [];
  assert.equal((await refresh(account, id)).error?.code, 'access_refused');
  const { status, pauseReason, error } = await ok(`GET ${URL}/${id}`, account);
  assert.deepEqual([status, pauseReason, (await stored(account)).length], ['paused', 'access', 2]);
  assert.match(error, /no costs/);
  platforms.ads.linkedin = [adDay(2, '5')];
  assert.equal(await removedBy(account, id), 1);
});

test('what ads cost before they were deleted stays', async () => {
  const account = await service.newAccount();
  platforms.ads.meta = [adDay(2, '5'), adDay(1, '3', { adId: '2' })];
  const { id } = await connect(account, 'meta');
  await refresh(account, id);
  platforms.ads.meta = platforms.ads.meta.map((each) => ({ ...each, isDeleted: each.adId === '2' }));
  assert.equal(await removedBy(account, id), 0);
  assert.equal((await stored(account)).length, 2);
});

test('a campaign whose name is no longer told keeps the one that was', async () => {
  const account = await service.newAccount();
  platforms.ads.linkedin = [adDay(2, '5'), adDay(1, '3', { campaignId: '222', campaign: 'Winter' })];
  const { id } = await connect(account, 'linkedin');
  await refresh(account, id);
  const before = await stored(account);
  platforms.ads.linkedin = platforms.ads.linkedin.map((each) => ({ ...each, isDeleted: each.campaignId === '222' }));
  await refresh(account, id);
  assert.deepEqual(await stored(account), before);
});

test('a source that was not read for weeks is read since then', async () => {
  const account = await service.newAccount();
  platforms.ads.tiktok = [adDay(1, '3')];
  const { id } = await connect(account, 'tiktok');
  await refresh(account, id);
  const before = [adDay(20, '1'), adDay(1, '4')];
  clock.now += 50 * DAY;
  platforms.ads.tiktok = [...before, adDay(40, '7'), adDay(2, '9')];
  const { result } = await refresh(account, id);
  assert.deepEqual(
    [result.rows, (await stored(account)).map(({ cost }: { cost: string }) => cost)],
    [4, ['1', '4', '7', '9']],
  );
});

test('a limit of calls is no lost permission, and the platform’s sentence is shown without its JSON', async () => {
  const account = await service.newAccount();
  platforms.ads.meta = [adDay(1, '3')];
  const { id } = await connect(account, 'meta');
  const message = 'There have been too many calls from this ad-account. Wait a bit and try again.';
  const error = { message, type: 'OAuthException', code: 80_000, error_subcode: 2_446_079, fbtrace_id: 'A1' };
  platforms.intercept = ({ platform }) => (platform === 'meta' ? { status: 400, body: { error } } : undefined);
  assert.equal((await refresh(account, id)).error?.code, 'platform_throttled');
  platforms.intercept = undefined;
  const source = await ok(`GET ${URL}/${id}`, account);
  assert.deepEqual([source.status, source.error], ['active', `${message} (80000)`]);
});

test('a lost permission and refused credentials pause a source with the platform’s words, and alert its owners', async () => {
  const account = await service.newAccount();
  const owner = await service.newAccount();
  platforms.ads.meta = [adDay(1, '3')];
  const { id } = await connect(account, 'meta');
  await ok('POST /v1/webhooks', account, { url: 'https://hooks.example/costs', events: ['cost_source.failing'] });
  const words = 'Ad account owner has NOT granted ads_read permission';
  platforms.intercept = ({ platform }) =>
    platform === 'meta' ? { status: 403, body: { error: { message: words, code: 200 } } } : undefined;
  assert.equal((await refresh(account, id)).error?.code, 'access_refused');
  let source = await ok(`GET ${URL}/${id}`, account);
  assert.deepEqual([source.status, source.pauseReason, source.failingSince], ['paused', 'access', isoTime(clock.now)]);
  assert.match(source.error, new RegExp(words));
  assert.equal(source.nextReadAt, isoTime(clock.now + 3_600_000));
  const { rows: sent } = await db.query(`select topic from outbox where account_id = $1`, [account.uuid]);
  assert.deepEqual(sent, [{ topic: 'cost_source.failing' }]);
  // What was restored there is read at the next try.
  platforms.intercept = undefined;
  assert.equal((await refresh(account, id)).error, null);
  assert.equal((await ok(`GET ${URL}/${id}`, account)).status, 'active');
  platforms.intercept = ({ platform }) =>
    platform === 'meta'
      ? { status: 400, body: { error: { message: 'Error validating access token', code: 190 } } }
      : undefined;
  assert.equal((await refresh(account, id)).error?.code, 'credentials_refused');
  source = await ok(`GET ${URL}/${id}`, account);
  assert.deepEqual([source.pauseReason, source.nextReadAt], ['credentials', null]);
  const refused = await call(`POST ${URL}/${id}/refresh`, { as: account });
  assert.deepEqual([refused.status, refused.body.code], [400, 'credentials_refused']);
  platforms.intercept = undefined;
  const resumed = await ok(`PATCH ${URL}/${id}`, account, { credentials: TOKEN });
  assert.deepEqual([resumed.status, resumed.error, resumed.nextReadAt], ['active', null, isoTime(clock.now)]);
  assert.deepEqual((await ok(`GET ${URL}`, owner)).costSources, []);
});

test('a report that is not ready is waited for and not requested again, also by a job that starts again', async () => {
  for (const name of ['meta', 'microsoft'] as const) {
    const account = await service.newAccount();
    platforms.ads[name] = [adDay(1, '3')];
    const { id } = await connect(account, name);
    const isRequest = ({ platform, method, path }: Call) =>
      platform === name && (path.endsWith('/Submit') || (method === 'POST' && path.endsWith('/insights')));
    const before = platforms.calls.filter(isRequest).length;
    platforms.notReadyFor = 1;
    const job = await refresh(account, id);
    platforms.notReadyFor = 0;
    assert.deepEqual([job.status, job.result?.rows], ['completed', 1]);
    assert.equal(platforms.calls.filter(isRequest).length - before, name === 'meta' ? 1 : 2);
    assert.equal((await ok(`GET ${URL}/${id}`, account)).lastReadAt, isoTime(clock.now));
  }
});

test('sources are due each hour, taken once, and reported when they wait', async () => {
  const account = await service.newAccount();
  const { id, nextReadAt } = await connect(account, 'tiktok');
  assert.equal(nextReadAt, isoTime(clock.now));
  const take = async () => {
    const due = { now: new Date(clock.now), next: new Date(clock.now + 3_600_000), limit: 100 };
    return (await takeDueSources(db, due)).filter(({ account_id }) => account_id === account.uuid).length;
  };
  assert.deepEqual([await take(), await take()], [1, 0]);
  assert.equal((await ok(`GET ${URL}/${id}`, account)).nextReadAt, isoTime(clock.now + 3_600_000));
  await ok(`PATCH ${URL}/${id}`, account, { mode: 'off' });
  clock.now += 2 * 3_600_000;
  assert.equal(await take(), 0);
});

test('secrets are never returned, and another ad account takes them again', async () => {
  const account = await service.newAccount();
  const created = await connect(account, 'microsoft');
  assert.deepEqual(created.connection, { clientId: 'client', customerId: '11', accountId: '22' });
  assert.doesNotMatch(JSON.stringify([created, await ok(`GET ${URL}`, account)]), /the-/);
  const moved = await call(`PATCH ${URL}/${created.id}`, { as: account, body: { credentials: { accountId: '23' } } });
  assert.deepEqual([moved.status, moved.body.code], [400, 'secret_required']);
  const again = await call(`POST ${URL}`, {
    as: account,
    body: { platform: 'microsoft', name: 'Again', credentials: CREDENTIALS.microsoft },
  });
  assert.deepEqual([again.status, again.body.code], [400, 'already_connected']);
  const { rows } = await db.query('select credentials from cost_sources where account_id = $1', [account.uuid]);
  assert.doesNotMatch(String(rows[0].credentials), /the-refresh/);
});

test('a destination of the same platform lends the credentials that suffice', async () => {
  const account = await service.newAccount();
  const destination = await ok('POST /v1/destinations', account, {
    ...{ platform: 'microsoft', name: 'Bing', credentials: CREDENTIALS.microsoft, consent: 'ignore', mode: 'off' },
    mapping: [{ event: '*', target: 'Purchase' }],
  });
  platforms.ads.microsoft = [adDay(1, '3')];
  const { id, connection } = await connect(account, 'microsoft', {
    credentials: undefined,
    destinationId: destination.id,
  });
  assert.deepEqual(connection, {});
  assert.equal((await refresh(account, id)).result.rows, 1);
  const tiktok = { platform: 'tiktok', name: 'T', destinationId: destination.id };
  const refused = await call(`POST ${URL}`, { as: account, body: tiktok });
  assert.ok(refused.body.errors.some(({ pointer }: { pointer: string }) => pointer === '/destinationId'));
  await ok(`DELETE /v1/destinations/${destination.id}`, account);
  assert.equal((await refresh(account, id)).error?.code, 'credentials_refused');
});

test('millionths of each ad add up in reports', async () => {
  const account = await service.newAccount();
  platforms.ads.google = ['1', '2', '3', '4'].map((adId) => adDay(1, '0.000030', { adId }));
  const { id } = await connect(account, 'google');
  await refresh(account, id);
  const period = `from=${day(3)}&to=${day(-1)}`;
  const { rows } = await ok(`GET /v1/analytics/roas?${period}&by=campaign&currency=USD`, account);
  const { total } = await ok(`GET /v1/analytics/ad-performance?${period}`, account);
  assert.deepEqual([rows[0].cost, total.cost[0].value], ['0.0001', '0.0001']);
});

test('costs are joined with sessions by ID, then by name in any case; what is left is listed and can be assigned', async () => {
  const account = await service.newAccount();
  const visit = (query: string) =>
    ok('POST /v1/visits', account, { api_key: account.apiKey, url: `https://shop.example/?${query}` });
  const sell = async (query: string, value: number) => {
    const { sessionHash: hash } = await visit(query);
    await ok('POST /v1/analytics/report-conversion', account, { hash, value, currency: 'USD' });
  };
  const google = 'utm_source=google&utm_medium=cpc';
  // By an ID in the URL under another name, by the ID as the campaign, by an ID alone, and by name.
  await sell(`${google}&utm_campaign=sommer&gad_campaignid=111&gclid=a`, 10);
  await sell(`${google}&utm_campaign=sommer`, 5);
  await sell('gclid=b&gad_source=1&gad_campaignid=222', 20);
  await sell(`${google}&utm_campaign=%20BRAND%20&utm_content=4`, 3);
  await sell(`${google}&utm_campaign=lost`, 1);
  const today = { day: isoTime(clock.now).slice(0, 10) };
  platforms.account.timeZone = 'UTC';
  platforms.ads.google = [
    adDay(0, '4', today),
    adDay(0, '8', { ...today, campaign: 'Winter', campaignId: '222', adGroupId: '21', adId: '3', ad: 'Third' }),
    adDay(0, '2', { ...today, campaign: 'Brand', campaignId: '333', adGroupId: '31', adId: '4', ad: 'Fourth' }),
    adDay(0, '6', { ...today, campaign: 'Forgotten', campaignId: '444', adGroupId: '41', adId: '5', ad: 'Fifth' }),
  ];
  const { id } = await connect(account, 'google');
  assert.equal((await refresh(account, id)).error, null);
  platforms.account.timeZone = 'America/Los_Angeles';
  await aggregateNewRows({ db, clock: () => clock.now });
  const period = `from=${today.day}&to=${isoTime(clock.now + DAY).slice(0, 10)}`;
  const roasBy = async (by: string) => {
    const { rows } = await ok(`GET /v1/analytics/roas?${period}&by=${by}&currency=USD`, account);
    return rows.map((row: Record<string, unknown>) => [row.key, row.cost, row.sessions, row.revenue]);
  };
  assert.deepEqual(await roasBy('campaign'), [
    ['Winter', '8', 1, '20'],
    ['Forgotten', '6', 0, '0'],
    ['Summer | Search', '4', 2, '15'],
    ['Brand', '2', 1, '3'],
    ['lost', '0', 1, '1'],
  ]);
  assert.deepEqual((await roasBy('ad'))[3], ['Fourth', '2', 1, '3']);
  const performance = async () => {
    const { rows } = await ok(`GET /v1/analytics/ad-performance?${period}&by=campaign`, account);
    return rows.map((row: Record<string, unknown>) => [row.value, row.sessions, row.conversions]);
  };
  assert.deepEqual(await performance(), [
    ['Winter', 1, 1],
    ['Forgotten', 0, 0],
    ['Summer | Search', 2, 2],
    ['Brand', 1, 1],
  ]);
  const unmatched = await ok(`GET /v1/analytics/ad-costs/unmatched?${period}`, account);
  assert.deepEqual(
    unmatched.costs.map(({ campaign, campaignId, cost, costSourceId }: Record<string, unknown>) => [
      ...[campaign, campaignId, cost, costSourceId],
    ]),
    [['Forgotten', '444', [{ currency: 'USD', value: '6' }], id]],
  );
  assert.deepEqual(unmatched.sessionCampaigns, [{ source: 'google', campaign: 'lost', sessions: 1 }]);
  const assign = (campaignId: string | null) =>
    ok('PUT /v1/analytics/ad-costs/assignments', account, {
      assignments: [{ source: 'Google', sessionCampaign: 'LOST', campaignId }],
    });
  assert.deepEqual(await assign('444'), { assigned: 1, removed: 0 });
  assert.deepEqual((await performance())[1], ['Forgotten', 1, 1]);
  assert.deepEqual((await roasBy('campaign'))[1], ['Forgotten', '6', 1, '1']);
  const matched = await ok(`GET /v1/analytics/ad-costs/unmatched?${period}`, account);
  assert.deepEqual(matched.costs, []);
  assert.deepEqual(matched.assignments, [
    { source: 'google', sessionCampaign: 'lost', campaignId: '444', campaign: 'Forgotten' },
  ]);
  // What a user assigned is not learned otherwise.
  await refresh(account, id);
  assert.deepEqual((await performance())[1], ['Forgotten', 1, 1]);
  assert.deepEqual(await assign(null), { assigned: 0, removed: 1 });
});

/** What DuckDB reads from a bucket is what the API says, whatever happened in between. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Account, testService } from '../../test/harness.ts';
import { type S3Server, startS3Server } from '../../test/s3-server.ts';
import { until } from '../../test/until.ts';
import { LateMatcher } from '../conversions/matching/late-matcher.ts';
import { endOf, runnerOf } from '../exports/test-support.ts';
import { isoTime } from '../shared/time.ts';
import { findOverdueWarehouses } from './queries.ts';
import { ALLOWED, exportNow, filesOf, manifestOf, ok, query, warehouseOn } from './test-support.ts';

const service = await testService(ALLOWED);
const { call, clock, db } = service;
runnerOf(service).start();
service.workers.find((each) => each instanceof LateMatcher)?.start();

const DAY = 86_400_000;
const SUMS = `select currency, count(*) as rows, sum(value) as value from conversions_current where value is not null
  group by currency order by currency`;

const create = (as: Account, s3: S3Server, more: object = {}) =>
  ok(service, 'POST /v1/warehouses', as, warehouseOn(s3, { mode: 'off', ...more }));

const visit = async (as: Account, more: object = {}) => {
  const answer = await call('POST /v1/visits', { body: { api_key: as.apiKey, url: 'https://shop.example/', ...more } });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
};
const report = (as: Account, body: object) => ok(service, 'POST /v1/analytics/report-conversion', as, body);

/** The sums of all conversions that the API lists. */
async function sumsOfApi(as: Account) {
  const { conversions } = await ok(service, 'GET /v1/conversions?pageSize=100', as);
  const sums = new Map<string, { rows: number; cents: bigint }>();
  for (const { value, currency } of conversions) {
    if (value === null) continue;
    const known = sums.get(currency) ?? { rows: 0, cents: 0n };
    sums.set(currency, { rows: known.rows + 1, cents: known.cents + BigInt(Math.round(Number(value) * 100)) });
  }
  return [...sums].sort().map(([currency, { rows, cents }]) => `${currency} ${rows} ${Number(cents) / 100}`);
}

async function sumsOfBucket(s3: S3Server) {
  return (await query(s3, SUMS)).map(({ currency, rows, value }) => `${currency} ${rows} ${Number(value)}`);
}

test('every dataset is read by DuckDB with the rows and sums of the API, after late data, restatements and erasures', async () => {
  const [s3, account, other] = [await startS3Server(), await service.newAccount(), await service.newAccount()];
  await visit(account, { url: 'https://shop.example/a?gclid=one&utm_campaign=may', visitorId: 'v-1' });
  await visit(other, { url: 'https://other.example/secret?gclid=foreign' });
  await call('POST /v1/events', {
    body: { api_key: account.apiKey, event: 'signed_up', properties: { email: 'ann@example.com', gclid: 'one' } },
  });
  await report(account, { gclid: 'one', eventId: 'o-1', value: '10.10', currency: 'EUR' });
  await report(account, { gclid: 'one', eventId: 'o-2', value: '0.20', currency: 'EUR' });
  await report(account, { gclid: 'one', eventId: 'o-3', value: '99.99', currency: 'USD' });
  await report(account, { gclid: 'nobody', eventId: 'o-4', value: '5', currency: 'EUR' });
  const costs = [{ date: '2026-01-05', source: 'google', campaign: 'may', cost: '12.34', currency: 'EUR', clicks: 7 }];
  await ok(service, 'PUT /v1/analytics/ad-costs', account, { costs });
  const fields = [{ id: 'title', label: 'Title', type: 'text' }];
  const collection = await ok(service, 'POST /v1/cms/collections', account, { name: 'Posts', key: 'posts', fields });
  await ok(service, `POST /v1/cms/collections/${collection.id}/entries`, account, { values: { title: 'Hello' } });

  const { id } = await create(account, s3);
  const first = await exportNow(service, account, id);
  assert.equal(first.status, 'completed', JSON.stringify(first.error));
  assert.deepEqual(await sumsOfBucket(s3), ['EUR 2 10.3', 'USD 1 99.99']);
  assert.deepEqual(await sumsOfBucket(s3), await sumsOfApi(account));
  const counts = await query(
    s3,
    `select (select count(*) from sessions_current) as sessions, (select count(*) from visits_current) as visits,
       (select count(*) from events_current) as events, (select count(*) from leads_current) as leads,
       (select count(*) from unmatched_current) as unmatched,
       (select cost::varchar || ' ' || clicks || ' ' || campaign || ' ' || day from ad_costs_current) as costs,
       (select "values" ->> 'title' || ' ' || collectionKey from entries_current) as entries`,
  );
  assert.deepEqual(counts[0], {
    ...{ sessions: '1', visits: '1', events: '1', leads: '1', unmatched: '1' },
    ...{ costs: '12.340000000 7 may 2026-01-05', entries: 'Hello posts' },
  });
  assert.ok(![...s3.objects.values()].some(({ body }) => body.includes('other.example')), 'nothing of another account');

  // Nothing changed: nothing is written.
  const puts = () => s3.requests.filter((line) => line.startsWith('PUT')).length;
  const before = puts();
  assert.equal((await exportNow(service, account, id)).status, 'completed');
  assert.equal(puts(), before);

  // A late sale of three days ago, a restated one, a refund to nothing, and one that moves to another day.
  const ago = (days: number) => isoTime(clock.now - days * DAY);
  await report(account, { gclid: 'one', eventId: 'o-5', value: '1000.01', currency: 'EUR', createdOn: ago(3) });
  await report(account, { gclid: 'one', eventId: 'o-1', value: '7.77', currency: 'EUR' });
  await report(account, { gclid: 'one', eventId: 'o-2', value: '0.20', currency: 'EUR', createdOn: ago(2) });
  await visit(account, { url: 'https://shop.example/late?gclid=nobody' });
  await until(async () => (await query2('unmatched_conversions', account)).length === 0);
  const restated = await exportNow(service, account, id);
  assert.equal(restated.status, 'completed', JSON.stringify(restated.error));
  assert.deepEqual(await sumsOfBucket(s3), await sumsOfApi(account));
  assert.deepEqual(await sumsOfBucket(s3), ['EUR 4 1012.98', 'USD 1 99.99']);
  assert.deepEqual(await query(s3, 'select count(*) as rows from unmatched_current'), [{ rows: '0' }]);
  assert.equal(manifestOf(s3, 'conversions').length, 3);
  assert.deepEqual(
    manifestOf(s3, 'conversions').map(({ path }) => path),
    filesOf(s3, 'conversions').filter((key) => manifestOf(s3, 'conversions').some(({ path }) => path === key)),
  );

  // Replaced files stay for queries that run, and are deleted by a later run.
  const replaced = filesOf(s3, 'conversions').length;
  assert.equal(replaced, 4);
  clock.now += 31 * 60_000;
  await exportNow(service, account, id);
  assert.equal(filesOf(s3, 'conversions').length, 3);

  // An erased person is in no file that anything names, and soon in none.
  assert.ok([...s3.objects.values()].some(({ body }) => body.includes('ann@example.com')));
  await db.query("update warehouses set mode = 'live', due_at = '2100-01-01' where account_id = $1", [account.uuid]);
  const erased = await ok(service, 'POST /v1/leads/erase', account, { email: 'ann@example.com' });
  assert.equal((await endOf(service, account, erased.id)).status, 'completed');
  assert.equal(
    (await ok(service, `GET /v1/warehouses/${id}`, account)).nextRunAt,
    isoTime(clock.now),
    'it is due at once',
  );
  await exportNow(service, account, id);
  const people = `select email from leads_current union all select properties::varchar from events_current`;
  assert.doesNotMatch(JSON.stringify(await query(s3, people)), /ann@/);
  assert.deepEqual(await sumsOfBucket(s3), await sumsOfApi(account));
  clock.now += 31 * 60_000;
  await exportNow(service, account, id);
  assert.ok(![...s3.objects.values()].some(({ body }) => body.includes('ann@example.com')));
});

const query2 = async (table: string, { uuid }: Account) =>
  (await db.query(`select from ${table} where account_id = $1`, [uuid])).rows;

test('a bucket that refuses: exports wait and alarm in its words, and go on when it takes them again', async () => {
  const [s3, account] = [await startS3Server(), await service.newAccount()];
  await visit(account);
  const { id } = await create(account, s3, { bucket: 'elsewhere' });
  await db.query("update warehouses set mode = 'live', waiting_since = now(), due_at = now() where account_id = $1", [
    account.uuid,
  ]);
  const tested = await ok(service, `POST /v1/warehouses/${id}/test`, account);
  assert.equal(tested.ok, false);
  assert.match(tested.error, /NoSuchBucket.*404/);
  const failed = await exportNow(service, account, id);
  assert.deepEqual([failed.status, failed.error?.code], ['failed', 'bucket_refused']);
  const waiting = await ok(service, `GET /v1/warehouses/${id}`, account);
  assert.deepEqual([waiting.status, waiting.error], ['failing', tested.error]);
  const overdue = await findOverdueWarehouses(db, { before: new Date(Date.now() + DAY), limit: 10 });
  assert.deepEqual(
    overdue.filter((row) => row.account_id === account.uuid).map(({ subject }) => subject),
    ['Lake'],
  );

  const patch = (body: object) => call(`PATCH /v1/warehouses/${id}`, { as: account, body });
  const refused = await patch({ bucket: 'bucket' });
  assert.deepEqual([refused.status, refused.body.code], [400, 'secret_required']);
  assert.equal((await patch({ bucket: 'bucket', secretAccessKey: 'test-secret' })).status, 200);
  assert.deepEqual(await ok(service, `POST /v1/warehouses/${id}/test`, account), { ok: true, error: null });
  assert.equal([...s3.objects.keys()].filter((key) => key.includes('_test')).length, 0);
  // An outage in the middle publishes nothing of the dataset.
  s3.fault = (method, { pathname }) =>
    method === 'PUT' && decodeURIComponent(pathname).includes('visits/day=') ? 'hang up' : undefined;
  const broken = await exportNow(service, account, id);
  assert.deepEqual([broken.status, broken.error?.code], ['failed', 'bucket_unavailable']);
  assert.deepEqual([manifestOf(s3, 'sessions').length, manifestOf(s3, 'visits').length], [1, 0]);
  s3.fault = () => undefined;
  assert.equal((await exportNow(service, account, id)).status, 'completed');
  const works = await ok(service, `GET /v1/warehouses/${id}`, account);
  assert.deepEqual([works.status, works.error, works.waitingSince], ['active', null, null]);
  assert.deepEqual(await query(s3, 'select count(*) as rows from visits_current'), [{ rows: '1' }]);
  assert.doesNotMatch(JSON.stringify(works), /test-secret/);
});

test('days are written again on demand, and the start of the history is chosen', async () => {
  const [s3, account] = [await startS3Server(), await service.newAccount()];
  const costs = ['2026-01-05', '2026-01-06', '2026-01-07'].map((date) => ({
    date,
    source: 'x',
    cost: 1,
    currency: 'EUR',
  }));
  await ok(service, 'PUT /v1/analytics/ad-costs', account, { costs });
  const { id } = await create(account, s3, { startsOn: '2026-01-06', datasets: ['adCosts'] });
  await exportNow(service, account, id);
  const days = () => manifestOf(s3, 'adCosts').map(({ day }) => day);
  assert.deepEqual(days(), ['2026-01-06', '2026-01-07']);
  const before = manifestOf(s3, 'adCosts');
  const { exported } = (await exportNow(service, account, id, { from: '2026-01-07' })).result as unknown as {
    exported: Record<string, { days: number; rows: number }>;
  };
  assert.deepEqual(exported, { adCosts: { days: 1, rows: 1 } });
  const after = manifestOf(s3, 'adCosts');
  assert.deepEqual(after[0].path, before[0].path);
  assert.notEqual(after[1].path, before[1].path);
  // A day that loses its rows is a file without rows.
  await db.query("delete from ad_costs where account_id = $1 and day = '2026-01-06'", [account.uuid]);
  await ok(service, `PATCH /v1/warehouses/${id}`, account, { startsOn: null });
  await exportNow(service, account, id);
  assert.deepEqual(await query(s3, 'select date from ad_costs_current order by 1'), [
    { date: '2026-01-05' },
    { date: '2026-01-07' },
  ]);

  // A day between those that changed stays as it is.
  await ok(service, 'PUT /v1/analytics/ad-costs', account, { costs });
  await exportNow(service, account, id);
  const stays = manifestOf(s3, 'adCosts')[1];
  await ok(service, 'PUT /v1/analytics/ad-costs', account, {
    costs: costs.map((each) => ({ ...each, cost: each.date === '2026-01-06' ? 1 : 2 })),
  });
  const changed = (await exportNow(service, account, id)).result as unknown;
  assert.deepEqual(changed, { exported: { adCosts: { days: 2, rows: 2 } } });
  assert.equal(manifestOf(s3, 'adCosts')[1].path, stays.path);
  assert.deepEqual(await query(s3, 'select count(*) as rows, sum(cost)::integer as cost from ad_costs_current'), [
    { rows: '3', cost: 5 },
  ]);
});

test('private addresses, endpoints with a path and empty ranges are refused, naming each', async () => {
  const strict = await testService({}, { apart: false });
  const account = await strict.newAccount();
  const [s3] = [await startS3Server()];
  const post = (more: object) => strict.call('POST /v1/warehouses', { as: account, body: warehouseOn(s3, more) });
  const endpoints = [
    'http://127.0.0.1:9000',
    'http://169.254.169.254',
    'http://minio.internal',
    'ftp://a.example',
    'https://a.example/x',
  ];
  for (const endpoint of endpoints) {
    const { status, body } = await post({ endpoint, name: ' ' });
    assert.deepEqual(
      [status, body.errors.map(({ pointer }: { pointer: string }) => pointer)],
      [400, ['/name', '/endpoint']],
      endpoint,
    );
  }
  assert.equal((await post({ bucket: 'a..b', endpoint: null })).status, 400);
  assert.equal((await post({ region: 'evil.example/', endpoint: null })).status, 400);
  assert.equal(s3.requests.length, 0);
});

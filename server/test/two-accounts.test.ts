// Slow: every route with the IDs of another account.
/** Two accounts on every route: neither can read or change resources of the other, or find out that they exist. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Furnished, furnish, rowsOf, unlessRead } from './furnished-account.ts';
import { type Answer, testService } from './harness.ts';
import { LOCAL_FETCHES } from './image-server.ts';
import { type GoodRequest, isRead, OPEN, pathOf, ROUTES, type RouteCase } from './route-table.ts';
import { until } from './until.ts';
import { useUntilSpent } from './use-until-spent.ts';
import { createTestUser } from './users.ts';

const service = await testService(LOCAL_FETCHES);
const routes = service.app.knownRoutes.flatMap((route) =>
  [route.method]
    .flat()
    .filter((method) => method !== 'OPTIONS')
    .map((method) => ({ name: `${method} ${route.url}`, url: route.url, access: route.config?.access })),
);

let count = 0;
const newFurnished = () => furnish(service, `account-${++count}`);

/** An account and an empty one, which the tests of routes that only read share. */
const shared = [await newFurnished(), await newOther()] as const;
// That reports of an account are read is recorded once, after the response.
await service.call('GET /v1/analytics/overview?from=2026-01-01&to=2026-01-02', { as: shared[0] });
await until(async () => (await rowsOf(service, shared[0])).analytics_readers !== '0 ');
const start = await rowsOf(service, shared[0]);

const pairs = useUntilSpent(async () => [await newFurnished(), await newOther()] as const);

/** The request with a key in the place that the route reads. */
function send(
  name: string,
  request: GoodRequest,
  key: Furnished | undefined,
  access: string | undefined,
): Promise<Answer> {
  const { body, headers = {} } = request;
  const isIngest = access === 'ingest';
  const isPerson = access === 'member' || access === 'user';
  return service.call(pathOf(name, request), {
    ...(key && (isPerson ? { by: key.owner } : !isIngest && { as: key })),
    body: isIngest ? { ...(body as object), ...(key && { api_key: key.apiKey }) } : body,
    headers,
  });
}

test('every route is in the table or belongs to no account', () => {
  const missing = routes.filter(({ name, url }) => !(name in ROUTES) && !OPEN.some((pattern) => pattern.test(url)));
  assert.deepEqual(
    missing.map(({ name }) => name),
    [],
    'add these to server/test/route-table.ts',
  );
  const gone = Object.keys(ROUTES).filter((name) => !routes.some((route) => route.name === name));
  assert.deepEqual(gone, [], 'these are no routes any more');
});

test('no route under /v1 is without an account, but for whoever finds a token', () => {
  for (const { name, url, access } of routes) {
    if (url.startsWith('/v1') && url !== '/v1/keys/revoke-leaked') assert.ok(access && access !== 'open', name);
  }
});

for (const { name, access } of routes) {
  const { good, foreign } = (ROUTES[name] ?? {}) as Partial<RouteCase>;
  if (!good || !foreign) continue;

  const check = async (mine: Furnished, other: Furnished) => {
    // Those of routes that only read are compared once for all.
    const rows = async () => (mine === shared[0] ? start : await rowsOf(service, mine));
    const before = await rows();
    const request = good(mine);

    assert.equal((await send(name, request, undefined, access)).status, 401, 'without a key');
    const theirs = await send(name, request, other, access);
    foreign(theirs, mine);
    assert.ok(!JSON.stringify(theirs.body).includes(mine.marker), JSON.stringify(theirs.body));
    if (theirs.status === 404) {
      const never = await send(name, await neverWas(name, request), other, access);
      assert.deepEqual({ ...theirs.body, requestId: '' }, { ...never.body, requestId: '' });
    }
    assert.deepEqual(await rows(), before, 'not a row of the account is other than it was');

    const own = await send(name, request, mine, access);
    assert.equal(own.status, 200, JSON.stringify(own.body));
  };
  test(`${name}: only the own account`, async () => {
    if (isRead(name)) return check(...shared);
    await pairs.use(async ([mine, other]) => check(mine, other));
  });
}

test('no request to a route that only reads changed a row of the account', async () => {
  assert.deepEqual(unlessRead(await rowsOf(service, shared[0])), unlessRead(start));
});

/** An empty account. */
async function newOther(): Promise<Furnished> {
  const account = await service.newAccount(`other-${++count}`);
  return { ...account, owner: await createTestUser(service, account) } as Furnished;
}

/** The request with ids of the same type that do not exist. */
async function neverWas(name: string, request: GoodRequest): Promise<GoodRequest> {
  const other = (text: string) =>
    text.replace(/(_0)[0-9a-z]{20}/g, '$100000000000000000000').replace(/^\d+$/, '999999999999999');
  const params = Object.fromEntries(Object.entries(request.params ?? {}).map(([key, id]) => [key, other(id)]));
  const changed = { ...request, params, ...(request.query && { query: other(request.query) }) };
  assert.notEqual(pathOf(name, changed), pathOf(name, request));
  return changed;
}

test('a page token is only valid for its account', async () => {
  const [mine, other] = [await newFurnished(), await newFurnished()];
  const path = `/v1/cms/collections/${other.collectionId}/entries?pageSize=1&pageToken=`;
  assert.equal((await service.call(`GET ${path}${other.pageToken}`, { as: other })).status, 200);
  const refused = await service.call(`GET ${path}${mine.pageToken}`, { as: other });
  assert.deepEqual([refused.status, refused.body.code], [400, 'page_token_invalid']);
});

test('an asset of another account is not accepted as a value', async () => {
  const [mine, other] = [await newFurnished(), await newFurnished()];
  const entries = `POST /v1/cms/collections/${other.collectionId}/entries`;
  const refused = await service.call(entries, { as: other, body: { values: { cover: { assetId: mine.assetId } } } });
  assert.equal(refused.status, 400);
  assert.ok(!JSON.stringify(refused.body).includes(mine.marker));
});

test('an Idempotency-Key and an eventId mean nothing to another account', async () => {
  const [mine, other] = [await newFurnished(), await newFurnished()];
  const create = (as: Furnished) =>
    service.call('POST /v1/cms/collections', { as, body: { name: 'x' }, headers: { 'idempotency-key': 'same' } });
  const first = await create(mine);
  const before = await rowsOf(service, mine);
  const second = await create(other);
  assert.deepEqual([first.status, second.status], [200, 200]);
  assert.notEqual(second.body.id, first.body.id);
  const body = { gclid: other.gclid, eventId: mine.conversionEventId, value: 99 };
  const reported = await service.call('POST /v1/analytics/report-conversion', { as: other, body });
  assert.equal(reported.body.status, 'reported');
  assert.notEqual(reported.body._id, mine.conversionId);
  assert.deepEqual(await rowsOf(service, mine), before);
});

test('an export holds the account’s own rows and no other’s, whatever the dataset', async () => {
  const [mine, other] = [await newFurnished(), await newFurnished()];
  // The jobs of earlier tests would run first.
  await service.db.query('delete from jobs');
  for (const worker of service.workers) worker.start();
  for (const dataset of ['sessions', 'visits', 'events', 'conversions', 'leads', 'unmatched']) {
    const started = await service.call('POST /v1/analytics/export', { as: mine, body: { dataset, format: 'ndjson' } });
    assert.equal(started.status, 200, JSON.stringify(started.body));
    let url = '';
    await until(async () => {
      const { body: job } = await service.call(`GET /v1/jobs/get-by-id?id=${started.body.id}`, { as: mine });
      assert.notEqual(job.status, 'failed', JSON.stringify(job.error));
      url = job.result?.url ?? '';
      return job.status === 'completed';
    });
    const { pathname, search } = new URL(url);
    const { body: rows } = await service.app.inject(pathname + search);
    const [own, others] = [mine, other].map(({ email }) => email.split('@')[0] ?? '');
    assert.ok(rows.includes(`${own}`), `${dataset} has rows of its own: ${rows}`);
    assert.ok(!rows.includes(`${others}`), `${dataset} has none of the other: ${rows}`);
  }
});

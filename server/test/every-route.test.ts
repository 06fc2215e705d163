// Slow: every route with every kind of faulty request.
/** What holds for every route of the API, whatever it does. None of these requests changes anything. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { furnish } from './furnished-account.ts';
import { type Answer, testService } from './harness.ts';
import { LOCAL_FETCHES } from './image-server.ts';
import { pathOf, ROUTES } from './route-table.ts';

const service = await testService(LOCAL_FETCHES);
const mine = await furnish(service, 'mine');

const routes = service.app.knownRoutes
  .flatMap(({ url, method, config, schema }) =>
    [method].flat().map((each) => ({ url, method: each, name: `${each} ${url}`, access: config?.access, schema })),
  )
  .filter(({ url, method }) => /^\/(?:v1|auth)\//.test(url) && method !== 'OPTIONS');
type Route = (typeof routes)[number];

/** Tracking and conversions, where a refused request loses data. */
const TOLERANT =
  /^\/v1\/(?:visits|events|batch|analytics\/report-conversion(?:\/dry-run)?|conversions\/imports\/:importId\/reports)$/;
const POSTBACK = '/v1/analytics/report-conversion';

interface Changes {
  method?: string;
  path?: (path: string) => string;
  body?: unknown;
  headers?: Record<string, string>;
  withKey?: boolean;
}

/** The good request of a route with some changes; undefined for a route without one. */
async function send({ name, access, method }: Route, changes: Changes = {}): Promise<Answer | undefined> {
  const request = ROUTES[name]?.good(mine);
  if (!request) return undefined;
  const path = pathOf(name, request).replace(/^\S+ /, '');
  const isPerson = access === 'member' || access === 'user';
  const { withKey = true } = changes;
  const body = access === 'ingest' && withKey ? { ...(request.body as object), api_key: mine.apiKey } : request.body;
  return service.call(`${changes.method ?? method} ${changes.path?.(path) ?? path}`, {
    ...(withKey && (isPerson ? { by: mine.owner } : { as: mine })),
    body: 'body' in changes ? changes.body : body,
    headers: { ...request.headers, ...changes.headers },
  });
}

/** Asserts something of the answer of each route, and names the routes for which it does not hold. */
async function forEach(all: Route[], changes: Changes, check: (answer: Answer, route: Route) => void): Promise<void> {
  const failed: string[] = [];
  for (const route of all) {
    const answer = await send(route, changes);
    if (!answer) continue;
    try {
      check(answer, route);
    } catch (error) {
      failed.push(`${route.name}: ${answer.status} ${JSON.stringify(answer.body)}: ${(error as Error).message}`);
    }
  }
  assert.deepEqual(failed, []);
}

const faultsOf = ({ body }: Answer) =>
  body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`);
const gets = routes.filter(({ method, url }) => method === 'GET' && url !== POSTBACK);
const withJson = routes.filter(({ name, schema }) => schema?.body && !Buffer.isBuffer(ROUTES[name]?.good(mine).body));

test('an unknown query parameter is ignored by tracking and conversions, and refused by every other route', async () => {
  const path = (path: string) => `${path}${path.includes('?') ? '&' : '?'}pagesize=1`;
  const [tolerant, strict] = [true, false].map((is) => routes.filter(({ url }) => TOLERANT.test(url) === is));
  assert.equal(tolerant?.length, 7);
  await forEach(tolerant, { path }, ({ status }) => assert.equal(status, 200));
  await forEach(strict ?? [], { path }, (answer) => assert.deepEqual(faultsOf(answer), ['?pagesize unknown_property']));
});

test('a preflight is answered whatever the URL of the request is', async () => {
  const urls = service.app.knownRoutes.filter(({ method }) => method === 'OPTIONS').map(({ url }) => url);
  assert.ok(urls.length >= 4, `routes with OPTIONS: ${urls}`);
  const headers = { origin: 'https://shop.example', 'access-control-request-method': 'GET' };
  for (const url of urls) {
    const path = url.replace(/:\w+/g, 'x');
    for (const query of ['', '?pageSize=1000', '?filter%5Ba%5D%5Beq%5D=b&unknown=1', '?x=%00', '?x=1&x=2']) {
      const { status } = await service.call(`OPTIONS ${path}${query}`, { headers });
      // Tus has its own statuses.
      assert.equal(status, url.startsWith('/files/tus') ? 204 : 200, `${path}${query}`);
    }
  }
});

test('HEAD works wherever GET does, except on the postback, which it must not trigger', async () => {
  await forEach(gets, { method: 'HEAD' }, ({ status, body }) => assert.deepEqual([status, body], [200, '']));
  const head = await service.call(`HEAD ${POSTBACK}?gclid=${mine.gclid}`, { as: mine });
  assert.deepEqual([head.status, head.headers.allow], [405, 'GET, POST']);
});

test('a trailing slash and repeated slashes are tolerated', async () => {
  const path = (path: string) => path.replace(/^[^?]*/, (plain) => `${plain.replaceAll('/', '//')}/`);
  await forEach(gets, { path }, ({ status }) => assert.equal(status, 200));
});

test('another method on a known path is 405 with the methods that it has', async () => {
  for (const [url, all] of Map.groupBy(routes, (route) => route.url)) {
    const methods = all.map(({ method }) => method);
    const method = ['PUT', 'DELETE', 'PATCH'].find((each) => !methods.includes(each));
    await forEach(all.slice(0, 1), { method: method as string, body: undefined }, ({ status, headers, body }) => {
      assert.deepEqual([status, body.code], [405, 'method_not_allowed'], url);
      for (const method of methods) assert.ok(String(headers.allow).split(', ').includes(method), url);
    });
  }
});

test('a body that cannot be read is 400 with a code of its own', async () => {
  const type = { 'content-type': 'application/json' };
  const cases: [Changes, string][] = [
    [{ body: '{', headers: type }, 'json_malformed'],
    [{ body: '<a/>', headers: { 'content-type': 'application/xml' } }, 'content_type_unsupported'],
    [{ body: '{}', headers: { ...type, 'content-encoding': 'gzip' } }, 'content_encoding_invalid'],
    [{ body: '{}', headers: { ...type, 'content-encoding': 'br' } }, 'content_encoding_unsupported'],
    [{ body: `{"x":"${'x'.repeat(5_000_000)}"}`, headers: type }, 'body_too_large'],
  ];
  const ofContent: [Changes, string][] = [
    [{ body: `${'['.repeat(33)}${']'.repeat(33)}`, headers: type }, 'json_too_deep'],
    [{ body: '{"x":"\\u0000"}', headers: type }, 'text_not_storable'],
  ];
  // Batches are not refused for what an item contains.
  const lenient = withJson.filter(({ url }) => TOLERANT.test(url));
  const strict = withJson.filter((route) => !lenient.includes(route));
  for (const [changes, code] of cases) {
    await forEach(withJson, changes, ({ status, body }) => assert.deepEqual([status, body.code], [400, code]));
  }
  for (const [changes, code] of ofContent) {
    await forEach(strict, changes, ({ status, body }) => assert.deepEqual([status, body.code], [400, code]));
    await forEach(lenient, changes, ({ status, body }) => {
      assert.ok([200, 400, 401].includes(status));
      assert.notEqual(body.code, code);
    });
  }
  for (const body of ['5', '"x"', 'true']) {
    await forEach(withJson, { body, headers: type }, ({ status }) => assert.ok(status === 400 || status === 401));
  }
});

test('every list has pages of 1 to 100; an empty or null page token is none, another one is refused', async () => {
  const lists = gets.filter(({ schema }) => JSON.stringify(schema?.querystring ?? {}).includes('"pageToken"'));
  assert.ok(lists.length > 15);
  const and = (more: string) => (path: string) =>
    `${path.replace(/pageSize=\d+/, '')}${path.includes('?') ? '&' : '?'}${more}`;
  for (const good of ['pageToken=', 'pageToken=null', 'pageSize=1', 'pageSize=100']) {
    await forEach(lists, { path: and(good) }, ({ status }) => assert.equal(status, 200, good));
  }
  const bad: [string, string][] = [
    ['pageSize=0', '?pageSize out_of_range'],
    ['pageSize=101', '?pageSize out_of_range'],
    ['pageSize=1.5', '?pageSize type'],
    ['pageSize=x', '?pageSize type'],
    ['pageToken=x', '?pageToken page_token_invalid'],
    [`pageToken=${'A'.repeat(80)}`, '?pageToken page_token_invalid'],
    ['pageSize=0&pageToken=x&y=1', '?pageSize out_of_range,?y unknown_property'],
  ];
  for (const [query, faults] of bad) {
    await forEach(lists, { path: and(query) }, (answer) => assert.equal(faultsOf(answer).sort().join(), faults));
  }
  const tokenOf = { path: and(`pageToken=${mine.pageToken}`) };
  const elsewhere = lists.filter(({ url }) => url !== '/v1/cms/collections/:collectionId/entries');
  await forEach(elsewhere, tokenOf, (answer) => assert.deepEqual(faultsOf(answer), ['?pageToken page_token_invalid']));
});

test('a missing, malformed, unknown or revoked key has one response; a key of another type is told which is needed', async () => {
  const secret = routes.filter(({ access }) => access === 'secret');
  const keys = (await service.call('POST /v1/keys', { by: mine.owner, body: { name: 'x', type: 'secret' } })).body;
  await service.call(`DELETE /v1/keys/${keys.id}`, { by: mine.owner });
  const wrong = ['', 'Bearer', 'Bearer x', `Bearer hw_sk_${'a'.repeat(38)}`, `Bearer ${keys.token}`];
  const bodies = new Set<string>();
  for (const key of wrong) {
    const headers = { 'x-api-key': key };
    await forEach(secret, { withKey: false, headers }, ({ status, headers, body }) => {
      assert.deepEqual([status, typeof headers['www-authenticate']], [401, 'string'], key);
      bodies.add(JSON.stringify({ ...body, requestId: '' }));
    });
  }
  assert.equal(bodies.size, 1);
  const publishable = { 'x-api-key': `Bearer ${mine.apiKey}` };
  await forEach(secret, { withKey: false, headers: publishable }, ({ status, body }) => {
    assert.deepEqual([status, /secret API token/.test(body.detail)], [401, true]);
  });
});

test('CORS is open where pages record visits and events and read public content, and nowhere else', async () => {
  const isCors = (name: string) => name.startsWith('access-control-');
  const origin = { origin: 'https://shop.example' };
  const isOpen = (access = '') => access === 'ingest' || access === 'publishable';
  const [open, closed] = [true, false].map((is) => routes.filter(({ access }) => isOpen(access) === is));
  assert.equal(open?.length, 15);
  await forEach(open, { headers: { ...origin, 'x-api-key': `Bearer ${mine.apiKey}` } }, ({ status, headers }) => {
    assert.deepEqual([status, headers['access-control-allow-origin']], [200, '*']);
  });
  const refused = { headers: origin, path: (path: string) => `${path}${path.includes('?') ? '&' : '?'}unknown=1` };
  for (const changes of [refused, { ...refused, method: 'OPTIONS', body: undefined }]) {
    // Pages ask whether they may upload before they send an upload token: see upload-tokens.test.ts.
    const others = (closed ?? []).filter(({ url }) => changes === refused || url !== '/v1/files/upload');
    await forEach(others, changes, ({ headers }) => assert.deepEqual(Object.keys(headers).filter(isCors), []));
  }
});

test('an upload token opens no other route than those of its upload', async () => {
  const { token } = (await service.call('POST /v1/files/upload-tokens', { as: mine })).body;
  const others = routes.filter(({ url, access }) => access !== 'open' && url !== '/v1/files/upload');
  assert.ok(others.length > 200);
  for (const headers of [{ 'x-api-key': `Bearer ${token}` }, { authorization: `Bearer ${token}` }] as Record<
    string,
    string
  >[]) {
    await forEach(others, { withKey: false, headers }, ({ status }) => assert.equal(status, 401));
  }
  const inBody = others.filter(
    ({ access, name }) => access === 'ingest' && !Array.isArray(ROUTES[name]?.good(mine).body),
  );
  for (const { name } of inBody) {
    const body = { ...(ROUTES[name]?.good(mine).body as object), api_key: token };
    assert.equal((await service.call(name, { body })).status, 401, name);
  }
});

test('times are in UTC with milliseconds, ids name their type, and no response may be cached', async () => {
  const texts = (value: unknown): string[] =>
    typeof value === 'string' ? [value] : value && typeof value === 'object' ? Object.values(value).flatMap(texts) : [];
  const uncached = gets.filter(({ access }) => access !== 'publishable');
  await forEach(uncached, {}, ({ status, headers, body }) => {
    assert.deepEqual([status, headers['cache-control']], [200, 'no-store']);
    for (const text of texts(body)) {
      if (/^\d{4}-\d\d-\d\dT/.test(text)) assert.match(text, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }
    for (const [name, id] of Object.entries(body)) {
      if (name === 'id' && typeof id !== 'number') assert.match(String(id), /^[a-z]{3}_[0-9a-hjkmnp-tv-z]{26}$/);
    }
  });
});

test('the same fault has the same code alone, among others and in a batch', async () => {
  const long = 'x'.repeat(256);
  const deep = { a: { b: { c: { d: { e: { f: 1 } } } } } };
  const items: [type: 'visit' | 'event', item: object][] = [
    ['event', {}],
    ['event', { event: '' }],
    ['event', { event: 5 }],
    ['event', { event: long }],
    ['event', { event: 'x', properties: 5 }],
    ['event', { event: 'x', properties: { text: 'x'.repeat(33_000) } }],
    ['event', { event: 'x', properties: Object.fromEntries(Array.from({ length: 256 }, (_, i) => [i, i])) }],
    ['event', { event: 'x', properties: deep }],
    ['event', { event: long, properties: [1] }],
    ['visit', {}],
    ['visit', { url: 5 }],
    ['visit', { url: 'ftp://shop.example' }],
    ['visit', { url: `https://shop.example/${'x'.repeat(8_192)}` }],
  ];
  const api_key = mine.apiKey;
  const post = (path: string, body: object) => service.call(`POST ${path}`, { body });
  const batch = await post('/v1/batch', { api_key, items: items.map(([type, item]) => ({ [type]: item })) });
  for (const [i, [type, item]] of items.entries()) {
    const { status, body } = await post(`/v1/${type}s`, { api_key, ...item });
    assert.equal(status, 400);
    const reason = body.errors.map(({ detail }: { detail: string }) => detail).join(' ');
    assert.deepEqual(batch.body.results[i], { success: false, error: body.code, reason });
  }
  const gclid = 'g';
  const reports = [
    {},
    { gclid: '', hash: ' ' },
    { gclid, fbclid: 'f' },
    { gclid: {} },
    { gclid, value: '' },
    { gclid, value: 'x' },
    { gclid, conversion: { value: 'x' } },
    { gclid, currency: 'EURO' },
    { gclid, event: long },
    { gclid, eventId: long },
    { gclid, extra: 5 },
    { gclid, value: '', currency: 'x', eventId: {} },
    5,
  ];
  const report = (body: unknown) => service.call(`POST ${POSTBACK}`, { as: mine, body });
  const results = (await report(reports)).body;
  for (const [i, item] of reports.entries()) {
    const { status, body } = await report(item);
    assert.equal(status, 400, JSON.stringify(item));
    const { status: failed, reported, error, reason } = results[i];
    assert.deepEqual([failed, reported], ['failed', false]);
    if (typeof item === 'object') assert.equal(error, body.code);
    assert.match(reason, /^[\w`].*\.$/);
  }
});

/** Destinations of the platform `cdn`: caches are purged when content is published, whatever they respond. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http, { type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { atEnd } from '../../test/at-end.ts';
import { type Account, testService } from '../../test/harness.ts';
import { until } from '../../test/until.ts';
import { purgeBatch, purgeRequest } from './platforms/cdn.ts';

const service = await testService({ WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' });
for (const worker of service.workers) worker.start();
const { call, newAccount } = service;

interface Purge {
  method: string | undefined;
  headers: IncomingHttpHeaders;
  tags: string[];
  urls: string[];
}

/** A cache that responds with these statuses first, then with 200. */
async function startCache(statuses: number[] = []) {
  const purges: Purge[] = [];
  const server = http.createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    const status = statuses.shift() ?? 200;
    if (status < 500) purges.push({ method: request.method, headers: request.headers, ...JSON.parse(text) });
    response.writeHead(status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, purges };
}

const ok = async (request: string, as: Account, body?: unknown) => {
  const response = await call(request, { as, body });
  assert.equal(response.status, 200, JSON.stringify(response.body));
  return response.body;
};

const connect = (account: Account, credentials: Record<string, string>) =>
  ok('POST /v1/destinations', account, { platform: 'cdn', name: 'Cache', credentials });

async function posts(account: Account) {
  const fields = [
    { id: 'title', label: 'Title', type: 'text' },
    { id: 'slug', label: 'Slug', type: 'text', format: 'slug', slugSource: 'title' },
  ];
  const { id } = await ok('POST /v1/cms/collections', account, {
    name: 'Posts',
    fields,
    publishing: true,
    public: true,
  });
  const path = `/v1/cms/collections/${id}`;
  const entry = await ok(`POST ${path}/entries`, account, { values: { title: 'One' } });
  return { id, path, entry };
}

test('publishing, unpublishing and changing a collection purge their tags and URLs, and drafts do not', async () => {
  const { url, purges } = await startCache();
  const [account, other] = [await newAccount(), await newAccount()];
  const created = await connect(account, { provider: 'purge', url, token: 'cache-token' });
  assert.deepEqual([created.mapping, created.mode, created.connection], [[], 'live', { provider: 'purge', url }]);
  // Gets everything that webhooks can receive, and has to do without this.
  await ok('POST /v1/webhooks', account, { url: 'https://hooks.example/' });
  const { id, path, entry } = await posts(account);
  const foreign = await posts(other);
  await ok(`POST ${foreign.path}/entries/${foreign.entry.id}/publish`, other, {});
  await ok(`POST ${path}/entries/${entry.id}/publish`, account, {});
  const tags = () => new Set(purges.flatMap((each) => each.tags));
  const hasPurged = async () => {
    await until(() => tags().has(entry.id) && tags().has(id));
    return purges.splice(0);
  };
  const [first] = await hasPurged();
  assert.deepEqual([first?.method, first?.headers.authorization], ['PURGE', 'Bearer cache-token']);
  assert.equal(first?.headers['cache-tag'], first?.tags.join());
  assert.ok(first?.urls.some((each) => each.endsWith(`/v1/content/${id}`)));
  await ok(`PATCH ${path}/entries/${entry.id}`, account, { values: { slug: 'two' } });
  await ok(`POST ${path}/entries/${entry.id}/publish`, account, {});
  const urls = (await hasPurged()).flatMap((each) => each.urls);
  for (const name of [entry.id, 'one', 'two'])
    assert.ok(
      urls.some((each) => each.endsWith(`/${id}/${name}`)),
      name,
    );
  await ok(`POST ${path}/entries/${entry.id}/unpublish`, account, {});
  await hasPurged();
  await ok(`PATCH ${path}`, account, { public: false });
  await until(() => tags().has(id));
  assert.deepEqual(tags(), new Set([id]));
});

test('a purge is repeated until the cache accepts it, and a refusal pauses the destination', async () => {
  const { url, purges } = await startCache([503, 404]);
  const account = await newAccount();
  const { id: destination } = await connect(account, { provider: 'purge', url });
  const { path, entry } = await posts(account);
  await ok(`POST ${path}/entries/${entry.id}/publish`, account, {});
  const read = () => ok(`GET /v1/destinations/${destination}`, account);
  await until(async () => (await read()).failingSince !== null);
  service.clock.now += 60_000;
  await until(async () => (await read()).failingSince === null);
  assert.ok(purges.some(({ tags }) => tags.includes(entry.id)));

  const refusing = await startCache([405, 405]);
  await ok(`PATCH /v1/destinations/${destination}`, account, { credentials: { url: refusing.url } });
  await ok(`POST ${path}/entries/${entry.id}/unpublish`, account, {});
  await until(async () => (await read()).pauseReason === 'access');
  await ok(`PATCH /v1/destinations/${destination}`, account, { credentials: { url } });
  purges.length = 0;
  await until(() => purges.some(({ tags }) => tags.includes(entry.id)));
  const test = await ok(`POST /v1/destinations/${destination}/test`, account, {});
  assert.equal(test.success, true);
});

test('what does not fit a cache is refused, and what a provider needs is required', async () => {
  const account = await newAccount();
  const faultsOf = async (body: object) => {
    const response = await call('POST /v1/destinations', { as: account, body: { name: 'x', ...body } });
    return response.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`);
  };
  const mapping = [{ event: '*', target: 'x' }];
  const purge = { provider: 'purge', url: 'https://cache.example/' };
  assert.deepEqual(await faultsOf({ platform: 'cdn', credentials: { provider: 'fastly' } }), [
    '/credentials/token required',
    '/credentials/zone required',
  ]);
  assert.deepEqual(await faultsOf({ platform: 'cdn', credentials: { provider: 'akamai' } }), [
    '/credentials/provider credential_invalid',
  ]);
  const unknown = { name: 'x', platform: 'cdn', credentials: { provider: 'akamai' } };
  const { detail } = (await call('POST /v1/destinations', { as: account, body: unknown })).body;
  assert.equal(detail, '`/credentials/provider` must be one of: cloudflare, fastly, bunny, purge.');
  assert.deepEqual(await faultsOf({ platform: 'cdn', credentials: purge, mapping, mode: 'validate' }), [
    '/mapping mapping_not_allowed',
    '/mode mode_not_allowed',
  ]);
  assert.deepEqual(await faultsOf({ platform: 'outbrain', credentials: {} }), [
    '/mapping required',
    '/consent required',
    '/mode required',
  ]);
  const { id } = await connect(account, purge);
  const replay = await call(`POST /v1/destinations/${id}/replay`, { as: account, body: { statuses: ['rejected'] } });
  assert.equal(replay.body.code, 'destination_purges');
});

test('providers get the requests that they document', () => {
  const tags = ['col_a', 'ent_b'];
  const requestOf = (provider: string, more = {}) =>
    purgeRequest(tags, [], { credentials: { provider, token: 'T', zone: 'Z', ...more } });
  const { url, headers, body } = requestOf('cloudflare');
  assert.equal(url, 'https://api.cloudflare.com/client/v4/zones/Z/purge_cache');
  assert.deepEqual([headers.authorization, JSON.parse(body)], ['Bearer T', { tags }]);
  const fastly = requestOf('fastly', { url: 'https://fastly.example/' });
  assert.deepEqual([fastly.url, fastly.headers['fastly-key']], ['https://fastly.example/service/Z/purge', 'T']);
  assert.deepEqual(JSON.parse(fastly.body), { surrogate_keys: tags });
  const bunny = requestOf('bunny');
  assert.deepEqual([bunny.url, bunny.headers.accesskey], ['https://api.bunny.net/pullzone/Z/purgeCache', 'T']);
  assert.deepEqual([JSON.parse(bunny.body), purgeBatch({ provider: 'bunny' })], [{ CacheTag: 'col_a' }, 1]);
});

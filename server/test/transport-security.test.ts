// Slow: five services, each with other settings.
/** Caches, plain HTTP and forged hosts must not reveal responses and links. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { testService } from './harness.ts';
import { createTestUser, PASSWORD } from './users.ts';

const HTTPS = 'https://headwater.test';
const service = await testService({ PUBLIC_URL: HTTPS }, { publicUrl: HTTPS });
const ORIGIN = { origin: HTTPS };

test('no response to an authenticated request, and none with a secret, may be cached', async () => {
  const link = new URL((await service.firstRunLink()) ?? '');
  const user = { email: 'first@users.example', password: PASSWORD, name: 'Ada', accountName: 'Shop' };
  const account = await service.newAccount();
  const webhook = { url: 'https://hooks.example/' };
  const responses = [
    [
      'first run',
      await service.call('POST /auth/first-run', { headers: ORIGIN, body: { token: link.hash.slice(1), ...user } }),
    ],
    [
      'sign-in',
      await service.call('POST /auth/sign-in', { headers: ORIGIN, body: { email: user.email, password: PASSWORD } }),
    ],
    [
      'failed sign-in',
      await service.call('POST /auth/sign-in', { headers: ORIGIN, body: { email: user.email, password: 'x' } }),
    ],
    ['session', await service.call('GET /auth/session', { headers: ORIGIN })],
    ['webhook', await service.call('POST /v1/webhooks', { as: account, body: webhook })],
    ['webhooks', await service.call('GET /v1/webhooks', { as: account })],
    ['entries', await service.call('GET /v1/cms/collections', { as: account })],
    ['unknown key', await service.call('GET /v1/webhooks', { as: 'hw_sk_unknown' })],
  ] as const;
  const id = responses[4][1].body.id;
  const rotated = await service.call(`POST /v1/webhooks/${id}/rotate-secret`, { as: account });
  assert.match(rotated.body.secret, /^whsec_/);
  for (const [name, { headers }] of [...responses, ['rotation', rotated] as const]) {
    assert.equal(headers['cache-control'], 'no-store', name);
  }
  const plain = await testService();
  const owner = await createTestUser(plain, await plain.newAccount());
  const member = await createTestUser(plain, owner.account, 'viewer');
  for (const [path, body] of [
    ['/v1/keys', { name: 'x', type: 'secret' }],
    ['/v1/invitations', { role: 'viewer' }],
    [`/v1/members/${member.userId}/reset-link`, undefined],
  ] as const) {
    const { status, headers } = await plain.call(`POST ${path}`, { by: owner, body });
    assert.deepEqual([status, headers['cache-control']], [200, 'no-store'], path);
  }
});

test('with an https PUBLIC_URL, every response tells browsers to use https only; otherwise none does', async () => {
  const plain = await testService();
  for (const path of ['/health', '/auth/session', '/v1/webhooks', '/nothing', '/docs']) {
    const { headers } = await service.call(`GET ${path}`);
    assert.equal(headers['strict-transport-security'], 'max-age=31536000', path);
    assert.equal((await plain.call(`GET ${path}`)).headers['strict-transport-security'], undefined, path);
  }
});

test('links are built from PUBLIC_URL, whatever host the request claims', async () => {
  const proxied = await testService({ TRUST_PROXY: '127.0.0.1' });
  const by = await createTestUser(proxied, await proxied.newAccount());
  for (const headers of [
    { host: 'evil.example' },
    { 'x-forwarded-host': 'evil.example' },
    { forwarded: 'host=evil.example;proto=https' },
    { 'x-forwarded-proto': 'https', 'x-forwarded-port': '666' },
  ]) {
    const { status, body } = await proxied.call('POST /v1/invitations', { by, body: { role: 'viewer' }, headers });
    assert.equal(status, 200, JSON.stringify(body));
    assert.match(body.url, /^http:\/\/headwater\.test\/invitation#/, JSON.stringify(headers));
  }
});

test('a request with several hosts, or a malformed one, is refused', async () => {
  const url = new URL(await service.app.listen({ port: 0, host: '127.0.0.1' }));
  const send = async (lines: string[]) => {
    const socket = connect(Number(url.port), '127.0.0.1');
    socket.write(`GET /health HTTP/1.1\r\n${lines.join('\r\n')}\r\nconnection: close\r\n\r\n`);
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
    await once(socket, 'close');
    return text;
  };
  for (const hosts of [
    ['host: a.example', 'host: b.example'],
    ['host: a.example', 'HOST: a.example'],
    ['host: a.example/path'],
    ['host: user@a.example'],
    ['host: a.example, b.example'],
    ['host: a.example:port'],
    ['host: a b'],
  ]) {
    const text = await send(hosts);
    assert.match(text, /^HTTP\/1\.1 400 /, hosts.join());
    assert.match(text, /"code":"host_invalid"/, hosts.join());
  }
  for (const host of ['a.example', 'A.example:3000', '127.0.0.1', '[::1]:3000', 'my_host', '']) {
    assert.match(await send([`host: ${host}`]), /^HTTP\/1\.1 200 /, host);
  }
});

test('every route has nosniff, the API a policy that loads nothing, and every page one of its own', async () => {
  const plain = await testService();
  const account = await plain.newAccount();
  const faults: string[] = [];
  const check = (name: string, { headers, status }: { headers: Record<string, unknown>; status: number }) => {
    const policy = String(headers['content-security-policy'] ?? '');
    const isPage = String(headers['content-type']).startsWith('text/html');
    if (headers['x-content-type-options'] !== 'nosniff') faults.push(`${name}: ${status} without nosniff`);
    if ((isPage || /^\w+ \/(?:v1|auth)\//.test(name)) && !policy.startsWith("default-src 'none'")) {
      faults.push(`${name}: ${status} with the policy "${policy}"`);
    }
    if (isPage && !headers['referrer-policy']) faults.push(`${name}: ${status} without a referrer policy`);
  };
  const routes = plain.app.knownRoutes.flatMap(({ url, method }) => [method].flat().map((each) => ({ url, each })));
  assert.ok(routes.length > 200, String(routes.length));
  for (const { url, each } of routes) {
    const path = url.replace(/:\w+(?:\([^)]*\))?/g, 'acc_x').replace('*', 'x');
    for (const as of [undefined, account]) check(`${each} ${url}`, await plain.call(`${each} ${path}`, as && { as }));
  }
  for (const path of ['/nothing', '/v1/nothing', '/%', '/v1/cms/collections?x=%00']) {
    check(`GET ${path}`, await plain.call(`GET ${path}`));
  }
  assert.deepEqual(faults, []);
});

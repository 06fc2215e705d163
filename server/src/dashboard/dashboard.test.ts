import assert from 'node:assert/strict';
import { test } from 'node:test';
import { service } from '../../test/shared.ts';

const get = (url: string, headers: Record<string, string> = {}) => service.app.inject({ method: 'GET', url, headers });

test('the page is served at each address of its own, never kept, under a policy with a nonce of its own', async () => {
  const nonces = new Set<string>();
  for (const url of ['/', '/content', '/content/col_x/ent_y', '/files', '/settings/keys', '/invitation', '/share']) {
    const { statusCode, headers, body } = await get(url);
    assert.equal(statusCode, 200, url);
    assert.equal(headers['cache-control'], 'no-store');
    const policy = String(headers['content-security-policy']);
    const nonce = /style-src 'self' 'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
    assert(body.includes(`content="${nonce}"`));
    assert(!policy.includes('unsafe'));
    assert.match(policy, /script-src 'self';.*frame-ancestors 'none'/);
    nonces.add(nonce);
  }
  assert.equal(nonces.size, 7);
});

test('any site may frame the report of a shared link, and nothing else', async () => {
  const { headers } = await get('/embed');
  assert.match(String(headers['content-security-policy']), /; frame-ancestors \*$/);
  assert.equal(headers['x-frame-options'], undefined);
  assert.equal((await get('/share')).headers['x-frame-options'], 'DENY');
});

test('its parts are kept for ever, packed as the browser takes them', async () => {
  const { body } = await get('/');
  const part = /src="(\/dashboard\/first-page[^"]+\.js)"/.exec(body)?.[1] ?? '';
  const plain = await get(part);
  assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable');
  assert.equal(plain.headers['content-type'], 'text/javascript; charset=utf-8');
  for (const encoding of ['gzip', 'br']) {
    const packed = await get(part, { 'accept-encoding': encoding });
    assert.equal(packed.headers['content-encoding'], encoding);
    assert(packed.rawPayload.length < plain.rawPayload.length / 2);
  }
});

test('HEAD answers what GET would, without the bytes', async () => {
  for (const url of ['/', '/overview', '/icon.svg']) {
    const { statusCode, headers, rawPayload } = await service.app.inject({ method: 'HEAD', url });
    const got = await get(url);
    assert.deepEqual(
      [statusCode, headers['content-type'], headers['content-length'], rawPayload.length],
      [200, got.headers['content-type'], String(got.rawPayload.length), 0],
    );
  }
});

test('nothing else is served from there, and the API is not hidden by the page', async () => {
  for (const url of [
    '/dashboard/nothing.js',
    '/dashboard/..%2fpackage.json',
    '/dashboard/%2e%2e%2findex.html',
    '/dashboard/.vite%2fmanifest.json',
    '/v1/nothing',
    '/nothing',
  ]) {
    const { statusCode, body } = await get(url);
    assert.deepEqual([statusCode, JSON.parse(body).code], [404, 'not_found'], url);
  }
});

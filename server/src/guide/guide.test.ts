import assert from 'node:assert/strict';
import { test } from 'node:test';
import { service } from '../../test/shared.ts';

const get = async (url: string, headers: Record<string, string> = {}) => service.app.inject({ url, headers });

test('every page that the guide links is served, and so are its Markdown, pictures and search index', async () => {
  const first = await get('/guide');
  assert.deepEqual([first.statusCode, first.headers.location], [302, 'guide/quick-start']);
  const start = new URL('http://x/guide/quick-start');
  const seen = new Set<string>([start.pathname]);
  for (const path of seen) {
    const { statusCode, headers, body } = await get(path);
    assert.equal(statusCode, 200, path);
    assert.match(String(headers['content-security-policy']), /default-src 'none'/);
    if (!String(headers['content-type']).includes('html')) continue;
    assert.doesNotMatch(body, /<script(?! type="module" src=)|style="/, 'nothing inline');
    for (const [, url = ''] of body.matchAll(/(?:href|src)="([^"]+)"/g)) {
      const target = new URL(url, `http://x${path}`);
      // The quick start links an address of the running service.
      if (target.host !== 'x' || !target.pathname.startsWith('/guide/')) continue;
      seen.add(target.pathname);
      if (target.hash === '' || target.pathname.includes('.')) continue;
      const page = await get(target.pathname);
      assert.ok(page.body.includes(`id="${decodeURIComponent(target.hash.slice(1))}"`), `${path} links ${url}`);
    }
  }
  assert.ok(seen.size > 40, `${seen.size} found`);
  for (const path of ['/guide/search.json', '/guide/guide.js', '/llms.txt'])
    assert.equal((await get(path)).statusCode, 200);
  const llms = (await get('/llms.txt')).body;
  for (const [, path = ''] of llms.matchAll(/\]\((\/guide\/[^)]+\.md)\)/g)) {
    const { statusCode, headers } = await get(path);
    assert.deepEqual([statusCode, headers['content-type']], [200, 'text/markdown; charset=utf-8'], path);
  }
});

test('pages are compressed on request; nothing outside of the guide is served', async () => {
  const plain = await get('/guide/backup');
  const zipped = await get('/guide/backup', { 'accept-encoding': 'gzip' });
  assert.equal(zipped.headers['content-encoding'], 'gzip');
  assert.ok(zipped.rawPayload.length < plain.rawPayload.length / 2);
  assert.equal((await service.app.inject({ method: 'HEAD', url: '/guide/backup' })).statusCode, 200);
  for (const url of [
    '/guide/nothing',
    '/guide/..%2fpackage.json',
    '/guide/%2e%2e/build.ts',
    '/guide/backup.html.gz',
    '/guide/.git',
  ]) {
    assert.equal((await get(url)).statusCode, 404, url);
  }
});

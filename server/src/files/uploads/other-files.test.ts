import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { testService } from '../../../test/harness.ts';
import { LOCAL_FETCHES } from '../../../test/image-server.ts';
import { until } from '../../../test/until.ts';
import { noiseImage, videoFixture } from '../../media/test-media.ts';
import { storedFiles, upload } from '../test-support.ts';

const service = await testService(LOCAL_FETCHES);
const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n');
const png = await noiseImage(30, 20).png().toBuffer();

const get = (url: string, headers = {}) => {
  const { pathname, search } = new URL(url);
  return service.app.inject({ url: pathname + search, headers });
};

test('any other type is a file, served as an attachment that no browser runs', async () => {
  const account = await service.newAccount();
  const cases: [filename: string, body: Buffer | string, mediaType: string][] = [
    ['Preise 2026.pdf', PDF, 'application/pdf'],
    ['prices.csv', 'a,b\n1,2\n', 'text/csv'],
    ['page.html', '<!doctype html><script>alert(1)</script>', 'application/octet-stream'],
    ['feed.xml', '<?xml version="1.0"?><a/>', 'application/octet-stream'],
    ['run.js', 'alert(1)', 'application/octet-stream'],
    ['module.mjs', 'alert(1)', 'application/octet-stream'],
    ['look.css', 'a{}', 'application/octet-stream'],
    ['types.ts', 'let a', 'text/plain'],
    ['README', 'text', 'application/octet-stream'],
    ['photo.exe', 'MZ', 'application/octet-stream'],
    ['sound.m4a', videoFixture('sound.m4a'), 'audio/mp4'],
  ];
  for (const [filename, body, mediaType] of cases) {
    const { status, body: asset } = await upload(service, account, [{ filename, type: 'application/x', body }]);
    assert.equal(status, 200, `${filename}: ${JSON.stringify(asset)}`);
    assert.deepEqual(
      [
        asset.type,
        asset.name,
        asset.mediaType,
        asset.bytes,
        asset.width,
        asset.height,
        asset.srcset,
        asset.placeholder,
      ],
      ['file', filename, mediaType, Buffer.byteLength(body), null, null, null, null],
    );
    const served = await get(asset.url);
    assert.equal(served.statusCode, 200);
    assert.ok(served.rawPayload.equals(Buffer.from(body)));
    assert.equal(served.headers['content-type'], mediaType);
    assert.match(String(served.headers['content-disposition']), /^attachment; filename=/);
    assert.equal(served.headers['x-content-type-options'], 'nosniff');
    assert.match(String(served.headers['content-security-policy']), /sandbox/);
  }
});

test('the same content under two names has two media types and is stored once', async () => {
  const account = await service.newAccount();
  const names = ['same.txt', 'same.csv'];
  const types = [];
  for (const filename of names)
    types.push((await upload(service, account, [{ filename, body: 'same' }])).body.mediaType);
  assert.deepEqual(types, ['text/plain', 'text/csv']);
  assert.equal(storedFiles(service).filter((path) => path.includes(account.uuid)).length, 1);
});

test('fields before and after the file place it; a faulty one refuses it and leaves nothing behind', async () => {
  const account = await service.newAccount();
  const folder = (await service.call('POST /v1/folders', { as: account, body: { name: 'Contracts' } })).body.id;
  const file = { filename: 'a.pdf', body: PDF };
  const field = (name: string, body: string) => ({ name, body });
  const { body: before } = await upload(service, account, [field('folderId', folder), file]);
  const { body: after_ } = await upload(service, account, [file, field('folderId', folder), field('private', 'true')]);
  const read = async (id: string) => (await service.call(`GET /v1/files/${id}`, { as: account })).body;
  assert.deepEqual([(await read(before.assetId)).folderId, (await read(before.assetId)).private], [folder, false]);
  assert.deepEqual([(await read(after_.assetId)).folderId, (await read(after_.assetId)).private], [folder, true]);
  const stored = storedFiles(service).filter((path) => path.includes(account.uuid));
  for (const [name, value, code] of [
    ['folderId', 'fol_none', 'folder_unknown'],
    ['private', 'maybe', 'not_allowed'],
  ] as const) {
    const refused = await upload(service, account, [field(name, value), { filename: 'b.pdf', body: 'other content' }]);
    assert.deepEqual([refused.status, refused.body.code], [400, code]);
  }
  assert.deepEqual(
    storedFiles(service).filter((path) => path.includes(account.uuid)),
    stored,
  );
});

test('a private file has a signed URL that expires, with its variants; nothing else reads it', async () => {
  const account = await service.newAccount();
  const parts = [
    { filename: 'a.png', body: png },
    { name: 'private', body: 'true' },
  ];
  const { body: asset } = await upload(service, account, parts);
  const url = new URL(asset.url);
  assert.deepEqual([...url.searchParams.keys()], ['expires', 'signature']);
  const served = await get(asset.url);
  assert.equal(served.statusCode, 200);
  assert.match(String(served.headers['cache-control']), /^private/);
  assert.equal((await get(`${asset.url}&w=16&format=webp`)).headers['content-type'], 'image/webp');
  const changed = (name: string, value: string) => {
    const other = new URL(asset.url);
    other.searchParams.set(name, value);
    return other.href;
  };
  const later = String(Number(url.searchParams.get('expires')) + 3600);
  for (const each of [
    url.origin + url.pathname,
    changed('expires', later),
    changed('signature', 'x'),
    changed('expires', ''),
  ]) {
    const { statusCode, body } = await get(each);
    assert.deepEqual([statusCode, JSON.parse(body).code], [404, 'not_found'], each);
  }
  service.clock.now += 26 * 3_600_000;
  const expired = await get(asset.url);
  assert.deepEqual([expired.statusCode, JSON.parse(expired.body).code], [404, 'url_expired']);
  service.clock.now -= 26 * 3_600_000;
  const listed = (await service.call('GET /v1/files', { as: account })).body.files[0];
  assert.equal((await get(listed.url)).statusCode, 200);
});

test('a variant is never larger than the file it is made of', async () => {
  const account = await service.newAccount();
  // Encoding it again at the default quality makes it larger.
  const jpeg = await noiseImage(300, 200).jpeg({ quality: 5 }).toBuffer();
  const { body: asset } = await upload(service, account, [{ filename: 'a.jpg', body: jpeg }]);
  for (const query of ['w=384', 'q=90', 'format=jpeg']) {
    const served = await get(`${asset.url}?${query}`);
    assert.equal(served.statusCode, 200);
    assert.ok(served.rawPayload.equals(jpeg), query);
  }
});

const servers: ReturnType<typeof createServer>[] = [];
after(() => {
  for (const server of servers) server.close();
});
async function serve(handler: RequestListener): Promise<string> {
  const server = createServer(handler).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a file is fetched from a URL, over redirects, with the name of the header or of the path', async () => {
  const account = await service.newAccount();
  const origin = await serve((request, response) => {
    const location = { '/moved': '/pictures/Caf%C3%A9.png', '/loop': '/loop' }[request.url ?? ''];
    if (location !== undefined) {
      response.writeHead(302, { location }).end();
      return;
    }
    if (request.url === '/gone') {
      response.writeHead(410).end('gone');
      return;
    }
    if (request.url === '/cut') {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('part');
      setImmediate(() => response.destroy());
      return;
    }
    if (request.url === '/named') response.setHeader('content-disposition', `attachment; filename="named.pdf"`);
    response.end(request.url === '/named' ? PDF : png);
  });
  const fetch = (body: object) => service.call('POST /v1/files/upload-from-url', { as: account, body });
  const moved = await fetch({ url: `${origin}/moved` });
  assert.equal(moved.status, 200, JSON.stringify(moved.body));
  assert.deepEqual([moved.body.type, moved.body.name, moved.body.width], ['image', 'Café.png', 30]);
  assert.ok((await get(moved.body.url)).rawPayload.equals(png));
  const named = await fetch({ url: `${origin}/named`, private: true });
  assert.deepEqual([named.body.type, named.body.name], ['file', 'named.pdf']);
  assert.match(named.body.url, /signature=/);
  assert.equal((await fetch({ url: `${origin}/named`, name: 'own.pdf' })).body.name, 'own.pdf');
  const refusals: [url: string, code: string][] = [
    [`${origin}/loop`, 'url_fetch_failed'],
    [`${origin}/gone`, 'url_fetch_failed'],
    [`${origin}/cut`, 'url_fetch_failed'],
    ['http://127.0.0.1:1/', 'url_fetch_failed'],
    ['ftp://files.example/a', 'url_invalid'],
    ['http://user:secret@127.0.0.1/', 'url_credentials'],
    ['http://10.0.0.1/', 'url_not_public'],
    ['http://169.254.169.254/latest/meta-data', 'url_not_public'],
  ];
  for (const [url, code] of refusals) {
    const { status, body } = await fetch({ url });
    assert.deepEqual([status, body.code], [400, code], url);
  }
});

test('a redirect to an address that is not public is not followed', async () => {
  const account = await service.newAccount();
  const origin = await serve((_request, response) =>
    response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
  );
  const { status, body } = await service.call('POST /v1/files/upload-from-url', {
    as: account,
    body: { url: `${origin}/` },
  });
  assert.deepEqual([status, body.code], [400, 'url_not_public']);
});

test('an account that fetches from slow servers waits for them, and others do not', async () => {
  const [slow, quick] = [await service.newAccount(), await service.newAccount()];
  const held: ServerResponse[] = [];
  const origin = await serve((request, response) => {
    if (request.url === '/quick') response.end(png);
    else held.push(response);
  });
  const fetch = (as: typeof slow, path: string) =>
    service.call('POST /v1/files/upload-from-url', { as, body: { url: `${origin}/${path}` } });
  // Four are fetched and eight wait.
  const all = Array.from({ length: 13 }, (_, i) => fetch(slow, `slow-${i}`));
  const refused = await Promise.race(all);
  assert.deepEqual([refused.status, refused.body.code, refused.headers['retry-after']], [429, 'overloaded', '2']);
  assert.equal((await fetch(quick, 'quick')).status, 200);
  for (let answered = 0; answered < 12; answered++) {
    await until(() => held.length > answered);
    held[answered]?.end(png);
  }
  const succeeded = (await Promise.all(all)).filter(({ status }) => status === 200);
  assert.equal(succeeded.length, 12);
});

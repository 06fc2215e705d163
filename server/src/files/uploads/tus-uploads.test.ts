// Slow: uploads of many megabytes and parts, to a disk and to a bucket.
import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { createReadStream, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { after, test } from 'node:test';
import { Upload } from 'tus-js-client';
import { type Account, testService } from '../../../test/harness.ts';
import { S3_CREDENTIALS, startS3Server } from '../../../test/s3-server.ts';
import { until } from '../../../test/until.ts';
import { noiseImage, paddedVideo, videoFixture } from '../../media/test-media.ts';
import { newUuid, parseId, publicId } from '../../shared/ids.ts';
import { openStorage } from '../storage/open-storage.ts';
import { cleanUp, portOf, startProcess, storedFiles } from '../test-support.ts';
import { receiveFile } from './receive-file.ts';

const service = await testService({ LIMIT_VIDEO_MB: '20', LIMIT_FILE_MB: '20' });
const port = await portOf(service);
const endpoint = `http://127.0.0.1:${port}/files/tus`;
const folder = mkdtempSync(join(tmpdir(), 'headwater-tus-'));
after(() => rmSync(folder, { recursive: true }));
const headers = (account: Account) => ({ 'x-api-key': `Bearer ${account.token}` });
const TUS = { 'tus-resumable': '1.0.0' };
const underWay = () => readdirSync(join(service.dataDir, 'files', 'uploads'));

/** The URL of an upload, on the port that the test uses. */
const here = (location: string | null) => new URL(location ?? '', endpoint).href;

async function begin(account: Account, bytes: Buffer, name = 'a.png'): Promise<string> {
  const answer = await fetch(endpoint, {
    method: 'POST',
    headers: {
      ...headers(account),
      ...TUS,
      'upload-length': String(bytes.length),
      'upload-metadata': `filename ${Buffer.from(name).toString('base64')}`,
    },
  });
  assert.equal(answer.status, 201, await answer.text());
  return here(answer.headers.get('location'));
}

const patch = (account: Account, url: string, offset: number, body: Buffer) =>
  fetch(url, {
    method: 'PATCH',
    headers: {
      ...headers(account),
      ...TUS,
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
    },
    body,
  });
const head = (account: Account, url: string) =>
  fetch(url, { method: 'HEAD', headers: { ...headers(account), ...TUS } });

test('a tus client uploads a file in chunks, and it becomes an asset', async () => {
  const account = await service.newAccount();
  const free = Buffer.from('\0\x10\0\0free', 'latin1');
  const bytes = Buffer.concat([videoFixture('plain.mp4'), free, Buffer.alloc(0x100000 - 8, 7)]);
  const path = join(folder, 'video');
  writeFileSync(path, bytes);
  let body = '';
  await new Promise<void>((resolve, reject) => {
    const upload = new Upload(createReadStream(path), {
      endpoint,
      headers: headers(account),
      metadata: { filename: 'Mein Film.mp4' },
      uploadSize: bytes.length,
      chunkSize: 300_000,
      onAfterResponse: (_request, response) => {
        body = response.getBody() || body;
      },
      onSuccess: () => resolve(),
      onError: reject,
    });
    upload.start();
  });
  const asset = JSON.parse(body);
  assert.deepEqual([asset.type, asset.name, asset.width], ['video', 'Mein Film.mp4', 96]);
  const file = (await service.call(`GET /v1/files/${asset.assetId}`, { as: account })).body;
  assert.equal(file.url, asset.url);
  assert.ok((await service.app.inject(new URL(asset.url).pathname)).rawPayload.equals(bytes));
});

test('an interrupted upload resumes at its offset, also after a restart', async () => {
  const account = await service.newAccount();
  const bytes = await noiseImage(300, 200).png().toBuffer();
  const url = await begin(account, bytes);
  const half = bytes.length >> 1;
  assert.equal((await patch(account, url, 0, bytes.subarray(0, half))).status, 204);
  assert.equal((await patch(account, url, 0, bytes)).status, 409, 'an existing file is not overwritten');
  const resumed = await head(account, url);
  assert.equal(resumed.headers.get('upload-offset'), String(half));
  const done = await patch(account, url, half, bytes.subarray(half));
  assert.equal(done.status, 200);
  const asset = (await done.json()) as { assetId: string; url: string };
  assert.equal(url.split('/').at(-1), asset.assetId, 'the id is known from the start');
  assert.ok((await service.app.inject(new URL(asset.url).pathname)).rawPayload.equals(bytes));
  const repeated = await patch(account, url, bytes.length, Buffer.alloc(0));
  assert.deepEqual([repeated.status, await repeated.json()], [200, asset], 'the asset is returned again');
  const after = await head(account, url);
  assert.deepEqual([after.status, after.headers.get('upload-offset')], [200, String(bytes.length)]);
});

test('an upload whose length is not known at first is complete when the client says so', async () => {
  const account = await service.newAccount();
  const bytes = await noiseImage(300, 200).png().toBuffer();
  const created = await fetch(endpoint, {
    method: 'POST',
    headers: { ...headers(account), ...TUS, 'upload-defer-length': '1' },
  });
  assert.equal(created.status, 201);
  const url = here(created.headers.get('location'));
  assert.equal((await patch(account, url, 0, bytes.subarray(0, 1_000))).status, 204);
  const before = await head(account, url);
  assert.deepEqual(
    ['upload-offset', 'upload-defer-length', 'upload-length'].map((name) => before.headers.get(name)),
    ['1000', '1', null],
  );
  const rest = (length: number, from: number, body: Buffer) =>
    fetch(url, {
      method: 'PATCH',
      headers: {
        ...headers(account),
        ...TUS,
        'upload-offset': String(from),
        'upload-length': String(length),
        'content-type': 'application/offset+octet-stream',
      },
      body,
    });
  assert.equal((await rest(21 * 1_048_576, 1_000, bytes.subarray(1_000))).status, 413);
  const done = await rest(bytes.length, 1_000, bytes.subarray(1_000));
  assert.equal(done.status, 200);
  const asset = (await done.json()) as { url: string };
  assert.ok((await service.app.inject(new URL(asset.url).pathname)).rawPayload.equals(bytes));
  assert.equal((await head(account, url)).headers.get('upload-length'), String(bytes.length));
});

test('the URL of an upload is relative, so that it is that of a proxy', async () => {
  const account = await service.newAccount();
  for (const [at, at2] of [
    [endpoint, 'https://shop.example/api/files/tus'],
    [`${endpoint}/`, 'https://shop.example/uploads/'],
  ] as const) {
    const created = await fetch(at, { method: 'POST', headers: { ...headers(account), ...TUS, 'upload-length': '9' } });
    const location = created.headers.get('location') ?? '';
    const id = location.split('/').at(-1) ?? '';
    assert.match(id, /^ast_\w{26}$/);
    assert.equal(new URL(location, at).href, `${endpoint}/${id}`);
    assert.equal(new URL(location, at2).href, `${at2.replace(/\/$/, '')}/${id}`);
  }
});

test('a complete upload whose process died is finished by the next HEAD', async () => {
  const account = await service.newAccount();
  const bytes = await noiseImage(30, 20).png().toBuffer();
  const created = await fetch(endpoint, {
    method: 'POST',
    headers: {
      ...headers(account),
      ...TUS,
      'upload-length': String(bytes.length),
      'upload-metadata': `name ${Buffer.from('b.png').toString('base64')}`,
    },
  });
  const url = here(created.headers.get('location'));
  const name = underWay().find((each) => each.startsWith(account.uuid)) ?? '';
  writeFileSync(join(service.dataDir, 'files', 'uploads', name, 'data'), bytes);
  assert.equal((await head(account, url)).headers.get('upload-offset'), String(bytes.length));
  const found = await service.call(`GET /v1/files/${url.split('/').at(-1)}`, { as: account });
  assert.deepEqual([found.status, found.body.name], [200, 'b.png']);
});

test('a client that sends a file with the creation of its upload learns its URL, and becomes the asset', async () => {
  const account = await service.newAccount();
  const bytes = await noiseImage(30, 20).png().toBuffer();
  const created = await fetch(endpoint, {
    method: 'POST',
    headers: {
      ...headers(account),
      ...TUS,
      'upload-length': String(bytes.length),
      'content-type': 'application/offset+octet-stream',
    },
    body: bytes,
  });
  const asset = (await created.json()) as { assetId: string };
  assert.deepEqual([created.status, created.headers.get('upload-offset')], [201, String(bytes.length)]);
  assert.equal(created.headers.get('location')?.split('/').at(-1), asset.assetId);
});

test('an upload that two processes finish at once becomes one asset, which keeps its content', async () => {
  const account = await service.newAccount();
  const { child, port: otherPort } = await startProcess(service);
  after(() => child.kill());
  for (let i = 0; i < 8; i++) {
    const bytes = await noiseImage(300, 200 + i)
      .png()
      .toBuffer();
    const url = await begin(account, bytes);
    const id = parseId('ast', url.split('/').at(-1) ?? '');
    writeFileSync(join(service.dataDir, 'files', 'uploads', `${account.uuid}.${id}.tus`, 'data'), bytes);
    const others = url.replace(`:${port}`, `:${otherPort}`);
    // A connection that has been idle for a while may be closed just then.
    const finish = (at: string) => head(account, at).catch(() => head(account, at));
    const answers = await Promise.all([finish(url), finish(others)]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    );
    service.clock.now += 7 * 3_600_000;
    await cleanUp(service);
    const found = await service.call(`GET /v1/files/${url.split('/').at(-1)}`, { as: account });
    const { rawPayload } = await service.app.inject(new URL(found.body.url).pathname);
    assert.ok(rawPayload.equals(bytes), `upload ${i} has its content`);
  }
  assert.deepEqual(
    underWay().filter((each) => each.startsWith(account.uuid) && !each.endsWith('.tus')),
    [],
  );
});

test('an upload that another process has finished just before it is read fails, and not the service', async () => {
  const gone = new PassThrough();
  process.nextTick(() => gone.destroy(new Error('gone')));
  const received = receiveFile(
    gone,
    join(folder, 'gone'),
    service.config.limits,
    { name: '', mediaType: '' },
    () => {},
  );
  await assert.rejects(received, /gone/);
});

test('with a bucket, any process continues an upload, whose objects are deleted when it is complete or expires', async () => {
  const s3 = await startS3Server();
  Object.assign(process.env, S3_CREDENTIALS);
  const first = await testService({ STORAGE_URL: s3.url });
  const account = await first.newAccount();
  const { child, port: otherPort } = await startProcess(first, {
    env: { STORAGE_URL: s3.url, DATA_DIR: mkdtempSync(join(folder, 'other-')) },
  });
  after(() => child.kill());
  const onFirst = `http://127.0.0.1:${await portOf(first)}/files/tus`;
  const onOther = `http://127.0.0.1:${otherPort}/files/tus`;
  const objects = () => [...s3.objects.keys()].filter((key) => key.includes('/tus/'));
  const bytes = paddedVideo(12_000_000, randomFillSync);

  const created = await fetch(onFirst, {
    method: 'POST',
    headers: { ...headers(account), ...TUS, 'upload-length': String(bytes.length) },
  });
  const id = created.headers.get('location')?.split('/').at(-1);
  // A request that breaks off keeps what was received of it.
  const broken = request(`${onFirst}/${id}`, {
    method: 'PATCH',
    headers: {
      ...headers(account),
      ...TUS,
      'upload-offset': 0,
      'content-type': 'application/offset+octet-stream',
      'content-length': bytes.length,
    },
  });
  broken.on('error', () => {}).write(bytes.subarray(0, 7_000_000));
  await until(() => objects().some((key) => key.includes('/0-')));
  broken.destroy();
  const offsetAt = async (at: string) => Number((await head(account, `${at}/${id}`)).headers.get('upload-offset'));
  // What the first process still receives meanwhile does no harm.
  const at = await offsetAt(onOther);
  assert.ok(at >= 5_000_000, String(at));
  assert.equal((await patch(account, `${onOther}/${id}`, at, bytes.subarray(at, 8_000_000))).status, 204);
  assert.equal(await offsetAt(onFirst), 8_000_000);
  const done = await patch(account, `${onFirst}/${id}`, 8_000_000, bytes.subarray(8_000_000));
  assert.equal(done.status, 200);
  const asset = (await done.json()) as { assetId: string; url: string };
  assert.equal(asset.assetId, id);
  assert.ok((await first.app.inject(new URL(asset.url).pathname)).rawPayload.equals(bytes));
  assert.equal(await offsetAt(onOther), bytes.length);
  assert.deepEqual(
    objects().map((key) => key.split('/').at(-1)),
    ['info'],
  );

  const other = await fetch(onOther, {
    method: 'POST',
    headers: { ...headers(account), ...TUS, 'upload-length': '9' },
  });
  const unfinished = `${onFirst}/${other.headers.get('location')?.split('/').at(-1)}`;
  assert.equal((await patch(account, unfinished, 0, Buffer.from('abc'))).status, 204);
  assert.equal((await head(await first.newAccount(), unfinished)).status, 404);
  const { openTusStore } = await import('./open-tus-store.ts');
  const clear = (hours: number) =>
    openTusStore(openStorage(first.config), () => Date.now() + hours * 3_600_000).deleteExpired();
  assert.deepEqual([await clear(23), await clear(25)], [0, 2]);
  assert.deepEqual(objects(), []);
  assert.equal((await head(account, unfinished)).status, 404);
  assert.deepEqual(readdirSync(join(first.dataDir, 'uploads')), []);
});

test('a refused file leaves nothing behind, and the response says why', async () => {
  const account = await service.newAccount();
  const before = storedFiles(service).length;
  for (const [code, bytes] of [
    ['file_corrupt', Buffer.from('\x89PNG\r\n\x1a\njust text', 'latin1')],
    ['file_corrupt', (await noiseImage(300, 200).png().toBuffer()).subarray(0, 5_000)],
  ] as const) {
    const url = await begin(account, bytes);
    const answer = await patch(account, url, 0, bytes);
    assert.equal(answer.status, 400);
    assert.equal(((await answer.json()) as { code: string }).code, code);
    assert.equal((await head(account, url)).status, 404);
  }
  assert.equal(storedFiles(service).length, before);
  const large = await fetch(endpoint, {
    method: 'POST',
    headers: { ...headers(account), ...TUS, 'upload-length': String(21 * 1_048_576) },
  });
  assert.equal(large.status, 413);
});

test('an account has a bounded number of unfinished uploads, also of those that begin at the same time', async () => {
  const account = await service.newAccount();
  const create = (as = account, size = 1_000) =>
    fetch(endpoint, { method: 'POST', headers: { ...headers(as), ...TUS, 'upload-length': String(size) } });
  for (let i = 0; i < 90; i++) assert.equal((await create()).status, 201);
  const statuses = (await Promise.all(Array.from({ length: 40 }, () => create()))).map(({ status }) => status);
  assert.ok(statuses.includes(400) && statuses.every((status) => status === 201 || status === 400));
  const own = () => underWay().filter((name) => name.startsWith(account.uuid)).length;
  while (own() < 100) assert.equal((await create()).status, 201);
  const refused = await create();
  assert.deepEqual([refused.status, ((await refused.json()) as { code: string }).code], [400, 'too_many_uploads']);
  assert.equal(own(), 100);
  assert.equal((await create(await service.newAccount())).status, 201);
  // A finished one counts no more.
  const other = await service.newAccount();
  const bytes = await noiseImage(30, 20).png().toBuffer();
  for (let i = 0; i < 99; i++) assert.equal((await create(other)).status, 201);
  const url = await begin(other, bytes);
  assert.equal((await create(other)).status, 400);
  assert.equal((await patch(other, url, 0, bytes)).status, 200);
  assert.equal((await create(other)).status, 201);
});

test('an upload needs a token and is visible only to its account', async () => {
  const [account, other] = [await service.newAccount(), await service.newAccount()];
  const bytes = await noiseImage(30, 20).png().toBuffer();
  const without = await fetch(endpoint, { method: 'POST', headers: { ...TUS, 'upload-length': '5' } });
  assert.equal(without.status, 401);
  const url = await begin(account, bytes);
  assert.equal((await head(other, url)).status, 404);
  assert.equal((await patch(other, url, 0, bytes)).status, 404);
  assert.equal((await fetch(url, { method: 'DELETE', headers: { ...headers(other), ...TUS } })).status, 404);
  for (const id of ['x', '..%2f..%2fetc', publicId('ast', account.uuid)]) {
    assert.equal((await head(account, `${endpoint}/${id}`)).status, 404, id);
  }
  assert.equal((await patch(account, url, 0, bytes)).status, 200);
});

test('an upload can be canceled, and an unfinished one expires after a day', async () => {
  const account = await service.newAccount();
  const bytes = await noiseImage(30, 20).png().toBuffer();
  const own = () => underWay().filter((name) => name.startsWith(account.uuid));
  const given = await begin(account, bytes);
  assert.equal((await fetch(given, { method: 'DELETE', headers: { ...headers(account), ...TUS } })).status, 204);
  assert.deepEqual(own(), []);

  const url = await begin(account, bytes);
  const { openTusStore } = await import('./open-tus-store.ts');
  const root = join(service.dataDir, 'files', 'uploads');
  const storage = openStorage(service.config);
  const clear = (hours: number) => openTusStore(storage, () => service.clock.now + hours * 3_600_000).deleteExpired();
  await clear(23);
  assert.equal(own().length, 1);
  await clear(25);
  assert.deepEqual(own(), []);
  assert.equal((await head(account, url)).status, 404);
  assert.ok(existsSync(root));
});

test('a client learns the version, extensions and limit, and may name its method in a header', async () => {
  const account = await service.newAccount();
  for (const url of [endpoint, `${endpoint}/${publicId('ast', newUuid(Date.now()))}`]) {
    const options = await fetch(url, { method: 'OPTIONS' });
    assert.deepEqual(
      [
        options.status,
        ...['version', 'extension', 'max-size', 'resumable'].map((name) => options.headers.get(`tus-${name}`)),
      ],
      [
        204,
        '1.0.0',
        'creation,creation-with-upload,creation-defer-length,termination,expiration',
        String(20 * 1_048_576),
        '1.0.0',
      ],
    );
  }
  for (const version of [{}, { 'tus-resumable': '0.2.2' }]) {
    for (const [method, url] of [
      ['POST', endpoint],
      ['HEAD', `${endpoint}/${publicId('ast', newUuid(Date.now()))}`],
    ] as const) {
      const refused = await fetch(url, { method, headers: { ...headers(account), 'upload-length': '5', ...version } });
      assert.deepEqual([refused.status, refused.headers.get('tus-version')], [412, '1.0.0']);
    }
  }
  assert.equal((await fetch(endpoint, { method: 'POST', headers: { ...TUS, 'upload-length': '5' } })).status, 401);

  const bytes = await noiseImage(30, 20).png().toBuffer();
  const url = await begin(account, bytes);
  const override = (method: string, more: Record<string, string> = {}, body: Buffer | null = null) =>
    fetch(url, {
      method: 'POST',
      headers: { ...headers(account), ...TUS, 'x-http-method-override': method, ...more },
      body,
    });
  const read = await override('HEAD');
  assert.deepEqual([read.status, read.headers.get('upload-offset'), await read.text()], [200, '0', '']);
  for (const wrong of ['', 'GET', 'POST', 'PUT']) assert.equal((await override(wrong)).status, 405);
  const offset = (at: number) => ({ 'upload-offset': String(at), 'content-type': 'application/offset+octet-stream' });
  assert.equal((await override('PATCH', offset(0), bytes.subarray(0, 100))).status, 204);
  const done = await override('patch', offset(100), bytes.subarray(100));
  assert.equal(done.status, 200);
  assert.equal(((await done.json()) as { width: number }).width, 30);

  const other = await begin(account, bytes);
  const removed = await fetch(other, {
    method: 'POST',
    headers: { ...headers(account), ...TUS, 'x-http-method-override': 'DELETE' },
  });
  assert.equal(removed.status, 204);
  assert.equal((await head(account, other)).status, 404);
});

test('an upload with a secret token has no CORS: it does not belong in a web page', async () => {
  const account = await service.newAccount();
  const origin = { origin: 'https://page.test' };
  const lengths = { 'upload-length': '10' };
  const created = await fetch(endpoint, {
    method: 'POST',
    headers: { ...headers(account), ...TUS, ...lengths, ...origin },
  });
  assert.equal(created.status, 201);
  const cors = [...created.headers.keys()].filter((name) => name.startsWith('access-control-'));
  assert.deepEqual([cors, created.headers.get('cache-control')], [[], 'no-store']);
});

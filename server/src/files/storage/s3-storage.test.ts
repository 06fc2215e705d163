// Slow: uploads of many parts, to a server that fails.
import assert from 'node:assert/strict';
import { createHash, randomBytes, randomFillSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { testService } from '../../../test/harness.ts';
import { S3_CREDENTIALS, type S3Server, startS3Server } from '../../../test/s3-server.ts';
import { until } from '../../../test/until.ts';
import { noiseImage, paddedVideo, videoFixture } from '../../media/test-media.ts';
import { cleanUp, multipart, readResponse, startUpload, upload, uploadsInProgress } from '../test-support.ts';
import { openDiskStorage } from './disk-storage.ts';
import { MultipartPut, PartBuffers, partBytesOf } from './multipart-put.ts';
import { openS3Storage } from './s3-storage.ts';
import { MissingBlob } from './storage.ts';

/** The tests' own server, or with TEST_S3_URL (and AWS_… variables) a real one, except where a test inspects the server. */
const own = await startS3Server();
const real = process.env.TEST_S3_URL;
if (real === undefined) Object.assign(process.env, S3_CREDENTIALS);
const url = real ?? own.url;

const folder = mkdtempSync(join(tmpdir(), 'headwater-s3-'));
after(() => rmSync(folder, { recursive: true }));
const storage = openS3Storage(url, folder);
const newKey = () => `account/${randomBytes(8).toString('hex')} ü+&%.x`;

async function put(bytes: Buffer, key = newKey()): Promise<string> {
  const file = join(folder, 'file');
  writeFileSync(file, bytes);
  await storage.put(file, key, 'image/png');
  return key;
}

const read = async (key: string, start: number, end: number) => {
  const found = await storage.read(key, start, end);
  return Buffer.isBuffer(found) ? found : buffer(found);
};

const newVideo = (size: number) => paddedVideo(size, randomFillSync);

test('blobs of any size are stored, and read whole and by range', async () => {
  for (const size of [1, 1_000, 8 * 1_048_576, 20_000_000]) {
    const bytes = randomBytes(size);
    const key = await put(bytes);
    assert.equal(await storage.size(key), size);
    const all = await read(key, 0, size - 1);
    assert.ok(createHash('sha256').update(all).digest().equals(createHash('sha256').update(bytes).digest()));
    assert.ok((await read(key, size >> 1, size - 1)).equals(bytes.subarray(size >> 1)));
    await storage.delete(key);
    assert.equal(await storage.size(key), undefined);
    await assert.rejects(read(key, 0, 0), MissingBlob);
    await storage.delete(key);
  }
});

test('a file of any size has no more parts than S3 takes, which are its content', async () => {
  for (const gib of [0.1, 48.8, 49, 400, 5_000]) {
    const size = Math.round(gib * 2 ** 30);
    assert.ok(Math.ceil(size / partBytesOf(size)) <= 10_000, `${gib} GiB`);
  }
  const bytes = randomBytes(13_000_000);
  const file = join(folder, 'large');
  writeFileSync(file, bytes);
  const sent: Buffer[] = [];
  const begin = async () => ({
    sendPart: async (number: number, body: Buffer) => {
      sent[number - 1] = Buffer.from(body);
      return { PartNumber: number };
    },
    complete: async () => {},
    abort: async () => {},
  });
  await new MultipartPut(file, new PartBuffers(), begin, 6_000_000).finish(bytes.length);
  assert.deepEqual(
    sent.map(({ length }) => length),
    [6_000_000, 6_000_000, 1_000_000],
  );
  assert.ok(Buffer.concat(sent).equals(bytes));
});

test('blobs are listed by prefix, in a bucket and in a folder, page after page', async () => {
  for (const each of [storage, openDiskStorage(join(folder, 'disk'))]) {
    const prefix = `exports-${randomBytes(4).toString('hex')}/`;
    assert.deepEqual(await Array.fromAsync(each.list(prefix)), []);
    for (const [name, size] of [
      ['a', 1],
      ['b', 2],
      ['account/c', 3],
      ['account/d', 4],
      ['e', 5],
    ] as const) {
      const file = join(folder, 'file');
      writeFileSync(file, Buffer.alloc(size));
      await each.put(file, prefix + name, 'text/csv');
    }
    await put(randomBytes(1));
    const found = (await Array.fromAsync(each.list(prefix))).sort((a, b) => (a.key < b.key ? -1 : 1));
    assert.deepEqual(
      found.map(({ key, bytes }) => [key, bytes]),
      [
        [`${prefix}a`, 1],
        [`${prefix}account/c`, 3],
        [`${prefix}account/d`, 4],
        [`${prefix}b`, 2],
        [`${prefix}e`, 5],
      ],
    );
    for (const { key, modifiedAt } of found) {
      assert.ok(modifiedAt instanceof Date);
      await each.delete(key);
    }
    assert.deepEqual(await Array.fromAsync(each.list(prefix)), []);
  }
});

test('a signed URL serves the blob with its type and name, and cannot be altered', async () => {
  const bytes = randomBytes(100);
  const key = await put(bytes);
  const headers = { contentType: 'image/webp', contentDisposition: 'inline; filename="a b.webp"' };
  const address = (await storage.signedUrl?.(key, headers)) ?? '';
  const answer = await fetch(address);
  assert.equal(answer.status, 200);
  assert.deepEqual(
    [answer.headers.get('content-type'), answer.headers.get('content-disposition')],
    [headers.contentType, headers.contentDisposition],
  );
  assert.ok(Buffer.from(await answer.arrayBuffer()).equals(bytes));
  assert.equal((await fetch(address.replace('webp', 'html'))).status, 403);
  assert.equal((await fetch(address.split('?')[0] ?? '')).status, 403);
});

test('a wrong secret is refused', async () => {
  const right = process.env.AWS_SECRET_ACCESS_KEY;
  process.env.AWS_SECRET_ACCESS_KEY = 'wrong';
  const other = openS3Storage(url, folder);
  await assert.rejects(other.size('x'));
  process.env.AWS_SECRET_ACCESS_KEY = right;
});

test('the whole service works on it: upload, delivery by range, variants, posters, deletion', async () => {
  const service = await testService({ STORAGE_URL: url });
  const account = await service.newAccount();
  const png = await noiseImage(600, 400).png().toBuffer();
  const { status, body } = await upload(service, account, png);
  assert.equal(status, 200, JSON.stringify(body));
  const path = new URL(body.url).pathname;
  assert.ok((await service.app.inject(path)).rawPayload.equals(png));
  const part = await service.app.inject({ url: path, headers: { range: 'bytes=10-19' } });
  assert.deepEqual([part.statusCode, part.rawPayload.equals(png.subarray(10, 20))], [206, true]);
  const small = await service.app.inject(`${path}?w=96&format=webp`);
  assert.deepEqual([small.statusCode, small.headers['content-type']], [200, 'image/webp']);
  const video = newVideo(20_000_000);
  const sent = await upload(service, account, video);
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
  const served = await service.app.inject(new URL(sent.body.url).pathname);
  assert.ok(served.rawPayload.equals(video));
  const vp8 = await upload(service, account, videoFixture('vp8.webm'));
  assert.equal((await service.app.inject(`${new URL(vp8.body.url).pathname}?poster=true`)).statusCode, 200);

  const keys = (await service.db.query('select storage_key from assets union select storage_key from file_variants'))
    .rows;
  for (const { assetId } of [body, sent.body, vp8.body]) {
    assert.equal((await service.call(`DELETE /v1/files/${assetId}`, { as: account })).status, 200);
  }
  for (const { storage_key } of keys) assert.equal(await storage.size(storage_key), undefined);
  assert.equal((await service.db.query('select from orphaned_blobs')).rowCount, 0);
});

test('a file is served by a signed redirect, an SVG is not', async () => {
  const service = await testService({ STORAGE_URL: url, FILE_DELIVERY: 'redirect' });
  const account = await service.newAccount();
  const png = await noiseImage(60, 40).png().toBuffer();
  const { body } = await upload(service, account, [{ filename: 'ü.png', body: png }]);
  const path = new URL(body.url).pathname;
  const answer = await service.app.inject(path);
  assert.equal(answer.statusCode, 302);
  const followed = await fetch(String(answer.headers.location));
  assert.deepEqual([followed.status, followed.headers.get('content-type')], [200, 'image/png']);
  assert.match(followed.headers.get('content-disposition') ?? '', /^inline; filename=/);
  assert.ok(Buffer.from(await followed.arrayBuffer()).equals(png));
  const kept = Number(/max-age=(\d+)/.exec(String(answer.headers['cache-control']))?.[1]);
  const good = Number(new URL(String(answer.headers.location)).searchParams.get('X-Amz-Expires'));
  assert.ok(kept < good, 'the redirect is not kept longer than the address is good for');
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>');
  const svgUpload = await upload(service, account, svg);
  const svgResponse = await service.app.inject(new URL(svgUpload.body.url).pathname);
  assert.deepEqual([svgResponse.statusCode, svgResponse.headers['content-type']], [200, 'image/svg+xml']);
  assert.match(String(svgResponse.headers['content-security-policy']), /sandbox/);
});

test('if the storage fails during an upload, no asset is created and what is left is cleaned up', async () => {
  const faulty: S3Server = await startS3Server();
  const saved = Object.fromEntries(Object.keys(S3_CREDENTIALS).map((name) => [name, process.env[name]]));
  Object.assign(process.env, S3_CREDENTIALS);
  const service = await testService({ STORAGE_URL: faulty.url });
  const account = await service.newAccount();
  const video = newVideo(30_000_000);
  /** Down from the n-th request that writes. */
  for (const from of [0, 1, 2, 3, 4]) {
    let puts = 0;
    faulty.fault = (method) => (method !== 'GET' && puts++ >= from ? 'hang up' : undefined);
    const { status } = await upload(service, account, video);
    assert.equal(status, 500);
    assert.equal((await service.db.query('select from assets')).rowCount, 0);
    assert.deepEqual(uploadsInProgress(service, 'uploads'), [], 'nothing is left on the disk');
  }
  const known = new Set(
    (await service.db.query('select storage_key from orphaned_blobs')).rows.map((row) => row.storage_key),
  );
  for (const key of [...faulty.objects.keys(), ...[...faulty.uploads.values()].map((each) => each.key)]) {
    assert.ok(known.has(key.replace('some/prefix/', '')), `${key} is known`);
  }
  assert.ok(known.size > 0 && faulty.uploads.size > 0, 'something was left behind');

  await assert.rejects(cleanUp(service));
  assert.ok(faulty.uploads.size > 0, 'the storage is still down');
  faulty.fault = () => undefined;
  service.clock.now += 7 * 3_600_000;
  await cleanUp(service);
  assert.deepEqual([faulty.objects.size, faulty.uploads.size], [0, 0]);
  assert.equal((await service.db.query('select from orphaned_blobs')).rowCount, 0);
  assert.equal((await upload(service, account, video)).status, 200);
  Object.assign(process.env, saved);
});

test('a large video is stored while it is received, and nothing remains of one that is refused, rewritten or already there', async () => {
  const s3 = await startS3Server();
  Object.assign(process.env, S3_CREDENTIALS);
  const service = await testService({ STORAGE_URL: s3.url, LIMIT_VIDEO_MB: '25' });
  const account = await service.newAccount();
  const partsSent = () => s3.requests.filter((line) => line.startsWith('PUT') && line.includes('partNumber')).length;
  const orphans = async () => (await service.db.query('select from orphaned_blobs')).rowCount;
  /** Sends a video, the last bytes only after parts of it have arrived. */
  const send = async (video: Buffer) => {
    const body = multipart([{ filename: 'a.mp4', body: video }]);
    const before = partsSent();
    const socket = await startUpload(service, account, { 'content-length': body.length });
    socket.write(body.subarray(0, 16_000_000));
    await until(() => partsSent() >= before + 2);
    const end = () => {
      socket.write(body.subarray(16_000_000));
      return readResponse(socket);
    };
    return { socket, end };
  };

  const video = newVideo(20_000_000);
  const { status, body } = await (await send(video)).end();
  assert.equal(status, 200, JSON.stringify(body));
  assert.ok((await service.app.inject(new URL(body.url).pathname)).rawPayload.equals(video));
  assert.deepEqual([s3.objects.size, s3.uploads.size, await orphans()], [1, 0, 0]);

  const again = await (await send(video)).end();
  assert.equal(again.status, 200);
  assert.deepEqual(
    [s3.objects.size, s3.uploads.size, await orphans()],
    [1, 0, 0],
    'content that exists is not stored twice',
  );

  const located = Buffer.concat([
    videoFixture('place.mov'),
    newVideo(20_000_000).subarray(videoFixture('plain.mp4').length),
  ]);
  const stripped = await (await send(located)).end();
  assert.equal(stripped.status, 200, JSON.stringify(stripped.body));
  const served = (await service.app.inject(new URL(stripped.body.url).pathname)).rawPayload;
  assert.deepEqual([served.length, served.equals(located)], [located.length, false]);
  for (const { body: stored } of s3.objects.values()) assert.ok(!stored.includes('+48.'), 'no location is stored');
  assert.deepEqual([s3.objects.size, s3.uploads.size, await orphans()], [2, 0, 0]);

  const tooLarge = await (await send(newVideo(27_000_000))).end();
  assert.equal(tooLarge.status, 400);
  (await send(newVideo(20_000_000))).socket.destroy();
  await until(async () => s3.uploads.size === 0 && (await orphans()) === 0);
  assert.equal(s3.objects.size, 2);

  let faults = 0;
  s3.fault = (method, { search }) =>
    method === 'PUT' && search.includes('partNumber=2') && faults++ < 3 ? 'hang up' : undefined;
  const repeated = await upload(service, account, newVideo(20_000_000));
  assert.deepEqual([repeated.status, faults], [200, 4], 'what failed is stored again');
  assert.deepEqual([s3.objects.size, s3.uploads.size, await orphans()], [3, 0, 0]);
});

test('a deletion while the storage is down is completed later', async () => {
  const faulty: S3Server = await startS3Server();
  const service = await testService({ STORAGE_URL: faulty.url });
  Object.assign(process.env, S3_CREDENTIALS);
  const account = await service.newAccount();
  const { body } = await upload(service, account, await noiseImage(30, 30).png().toBuffer());
  assert.equal(faulty.objects.size, 1);
  faulty.fault = () => 'hang up';
  const answer = await service.call(`DELETE /v1/files/${body.assetId}`, { as: account });
  assert.equal(answer.status, 200);
  assert.equal(faulty.objects.size, 1);
  faulty.fault = () => undefined;
  await cleanUp(service);
  assert.equal(faulty.objects.size, 0);
});

test('if the storage fails during a delivery, the response ends and the service keeps running', async () => {
  const faulty: S3Server = await startS3Server();
  Object.assign(process.env, S3_CREDENTIALS);
  const service = await testService({ STORAGE_URL: faulty.url });
  const account = await service.newAccount();
  const { body } = await upload(service, account, await noiseImage(30, 30).png().toBuffer());
  const path = new URL(body.url).pathname;
  faulty.fault = () => 'hang up';
  assert.equal((await service.app.inject(path)).statusCode, 500);
  faulty.fault = () => undefined;
  assert.equal((await service.app.inject(path)).statusCode, 200);
});

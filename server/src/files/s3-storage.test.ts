import assert from 'node:assert/strict';
import { createHash, randomBytes, randomFillSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { testService } from '../../test/harness.ts';
import { S3_CREDENTIALS, type S3Server, startS3Server } from '../../test/s3-server.ts';
import { openS3Storage } from './s3-storage.ts';
import { MissingFile } from './storage.ts';
import { film, picture, upload, uploadsUnderWay } from './test-support.ts';

/** The tests' own server; with TEST_S3_URL (and AWS_… for it) a real one as well, for all that does not look into it. */
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

/** A film with a part of random bytes that players pass over. */
function newFilm(size: number): Buffer {
  const free = Buffer.alloc(size);
  free.writeUInt32BE(size, 0);
  free.write('free', 4, 'latin1');
  randomFillSync(free, 8);
  return Buffer.concat([film('plain.mp4'), free]);
}

test('what is put is read again, whole and in parts, small and in several parts', async () => {
  for (const size of [1, 1_000, 8 * 1_048_576, 20_000_000]) {
    const bytes = randomBytes(size);
    const key = await put(bytes);
    assert.equal(await storage.size(key), size);
    const all = await read(key, 0, size - 1);
    assert.ok(createHash('sha256').update(all).digest().equals(createHash('sha256').update(bytes).digest()));
    assert.ok((await read(key, size >> 1, size - 1)).equals(bytes.subarray(size >> 1)));
    await storage.delete(key);
    assert.equal(await storage.size(key), undefined);
    await assert.rejects(read(key, 0, 0), MissingFile);
    await storage.delete(key);
  }
});

test('a signed address gives the file to anybody, under its type and name, and no other', async () => {
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

test('the wrong secret opens nothing', async () => {
  const right = process.env.AWS_SECRET_ACCESS_KEY;
  process.env.AWS_SECRET_ACCESS_KEY = 'wrong';
  const other = openS3Storage(url, folder);
  await assert.rejects(other.size('x'));
  process.env.AWS_SECRET_ACCESS_KEY = right;
});

test('the whole service works on it: upload, delivery by range, variants, posters, deletion', async () => {
  const service = await testService({ STORAGE_URL: url });
  const account = await service.newAccount();
  const png = await picture(600, 400).png().toBuffer();
  const { status, body } = await upload(service, account, png);
  assert.equal(status, 200, JSON.stringify(body));
  const path = new URL(body.url).pathname;
  assert.ok((await service.app.inject(path)).rawPayload.equals(png));
  const part = await service.app.inject({ url: path, headers: { range: 'bytes=10-19' } });
  assert.deepEqual([part.statusCode, part.rawPayload.equals(png.subarray(10, 20))], [206, true]);
  const small = await service.app.inject(`${path}?w=96&format=webp`);
  assert.deepEqual([small.statusCode, small.headers['content-type']], [200, 'image/webp']);
  const movie = newFilm(20_000_000);
  const sent = await upload(service, account, movie);
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
  const served = await service.app.inject(new URL(sent.body.url).pathname);
  assert.ok(served.rawPayload.equals(movie));
  const vp8 = await upload(service, account, film('vp8.webm'));
  assert.equal((await service.app.inject(`${new URL(vp8.body.url).pathname}?poster=true`)).statusCode, 200);

  const keys = (await service.db.query('select storage_key from assets union select storage_key from file_variants'))
    .rows;
  for (const { assetId } of [body, sent.body, vp8.body]) {
    assert.equal((await service.call(`DELETE /v1/files/${assetId}`, { as: account })).status, 200);
  }
  for (const { storage_key } of keys) assert.equal(await storage.size(storage_key), undefined);
  assert.equal((await service.db.query('select from unowned_files')).rowCount, 0);
});

test('a file is handed over to the storage by a signed redirect, a drawing is not', async () => {
  const service = await testService({ STORAGE_URL: url, FILE_DELIVERY: 'redirect' });
  const account = await service.newAccount();
  const png = await picture(60, 40).png().toBuffer();
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
  const drawing = await upload(service, account, svg);
  const drawn = await service.app.inject(new URL(drawing.body.url).pathname);
  assert.deepEqual([drawn.statusCode, drawn.headers['content-type']], [200, 'image/svg+xml']);
  assert.match(String(drawn.headers['content-security-policy']), /sandbox/);
});

/** Starts the service's work, waits until it has cleared once. */
async function clear(service: Awaited<ReturnType<typeof testService>>): Promise<void> {
  for (const worker of service.workers) worker.start();
  for (const worker of service.workers) await worker.stop();
}

test('a server that goes away in the middle of an upload leaves no asset, and nothing that is not cleared', async () => {
  const faulty: S3Server = await startS3Server();
  const saved = Object.fromEntries(Object.keys(S3_CREDENTIALS).map((name) => [name, process.env[name]]));
  Object.assign(process.env, S3_CREDENTIALS);
  const service = await testService({ STORAGE_URL: faulty.url });
  const account = await service.newAccount();
  const movie = newFilm(30_000_000);
  /** Away for good from the n-th request that puts something. */
  for (const from of [0, 1, 2, 3, 4]) {
    let puts = 0;
    faulty.fault = (method) => (method !== 'GET' && puts++ >= from ? 'hang up' : undefined);
    const { status } = await upload(service, account, movie);
    assert.equal(status, 500);
    assert.equal((await service.db.query('select from assets')).rowCount, 0);
    assert.deepEqual(uploadsUnderWay(service, 'uploads'), [], 'nothing is left on the disk');
  }
  const known = new Set(
    (await service.db.query('select storage_key from unowned_files')).rows.map((row) => row.storage_key),
  );
  for (const key of [...faulty.objects.keys(), ...[...faulty.uploads.values()].map((each) => each.key)]) {
    assert.ok(known.has(key.replace('some/prefix/', '')), `${key} is known`);
  }
  assert.ok(known.size > 0 && faulty.uploads.size > 0, 'something was left to clear');

  await clear(service);
  assert.ok(faulty.uploads.size > 0, 'it is still away');
  faulty.fault = () => undefined;
  service.clock.now += 7 * 3_600_000;
  await clear(service);
  assert.deepEqual([faulty.objects.size, faulty.uploads.size], [0, 0]);
  assert.equal((await service.db.query('select from unowned_files')).rowCount, 0);
  assert.equal((await upload(service, account, movie)).status, 200);
  Object.assign(process.env, saved);
});

test('a deletion while the server is away is made up for', async () => {
  const faulty: S3Server = await startS3Server();
  const service = await testService({ STORAGE_URL: faulty.url });
  Object.assign(process.env, S3_CREDENTIALS);
  const account = await service.newAccount();
  const { body } = await upload(service, account, await picture(30, 30).png().toBuffer());
  assert.equal(faulty.objects.size, 1);
  faulty.fault = () => 'hang up';
  const answer = await service.call(`DELETE /v1/files/${body.assetId}`, { as: account });
  assert.equal(answer.status, 200);
  assert.equal(faulty.objects.size, 1);
  faulty.fault = () => undefined;
  await clear(service);
  assert.equal(faulty.objects.size, 0);
});

test('a server that goes away while a file is delivered ends the answer, and not the service', async () => {
  const faulty: S3Server = await startS3Server();
  Object.assign(process.env, S3_CREDENTIALS);
  const service = await testService({ STORAGE_URL: faulty.url });
  const account = await service.newAccount();
  const { body } = await upload(service, account, await picture(30, 30).png().toBuffer());
  const path = new URL(body.url).pathname;
  faulty.fault = () => 'hang up';
  assert.equal((await service.app.inject(path)).statusCode, 500);
  faulty.fault = () => undefined;
  assert.equal((await service.app.inject(path)).statusCode, 200);
});

// Slow: a gigabyte passes through sockets.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { after, test } from 'node:test';
import { testService } from '../../../test/harness.ts';
import { stretched } from '../../../test/machine.ts';
import { testVault } from '../../../test/test-keys.ts';
import { until } from '../../../test/until.ts';
import { MediaService } from '../../media/index.ts';
import { noiseImage, videoFixture } from '../../media/test-media.ts';
import { createServer } from '../../shared/http/server.ts';
import { createLog } from '../../shared/log.ts';
import { createMetrics } from '../../shared/metrics.ts';
import { pageTokens } from '../../shared/page-token.ts';
import { sessionIds } from '../../shared/session-ids.ts';
import { DeliveryCache } from '../delivery/delivery-cache.ts';
import { uploadRoutes } from '../routes.ts';
import { openStorage } from '../storage/open-storage.ts';
import {
  BOUNDARY,
  multipart,
  partHead,
  readResponse,
  startUpload,
  storedFiles,
  uploadsInProgress,
} from '../test-support.ts';

const service = await testService({ LIMIT_VIDEO_MB: '310' });
const account = await service.newAccount();
const png = await noiseImage(30, 20).png().toBuffer();
const END = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
const MB = 1_048_576;

/** Waits for the cleanup after the end of a request. */
async function nothingLeft(files: string[]): Promise<void> {
  await until(() => uploadsInProgress(service).length === 0);
  assert.deepEqual(storedFiles(service), files);
}

/** Sends `megabytes` of `block`s, as fast as they are taken, until the other side disconnects. */
async function pour(socket: Socket, megabytes: number, block = Buffer.alloc(MB, 0x5a)): Promise<void> {
  const closed = once(socket, 'close').catch(() => {});
  for (let sent = 0; sent < megabytes && socket.writable; sent++) {
    if (!socket.write(block)) await Promise.race([once(socket, 'drain').catch(() => {}), closed]);
  }
}

test('a body may arrive byte by byte', async () => {
  const body = multipart([
    { name: 'other', filename: 'o', body: 'x' },
    { filename: 'a.png', body: png },
  ]);
  const socket = await startUpload(service, account, { 'content-length': body.length });
  socket.setNoDelay(true);
  for (let i = 0; i < body.length; i++) {
    socket.write(body.subarray(i, i + 1));
    if (i % 16 === 0) await new Promise((resume) => setImmediate(resume));
  }
  const answer = await readResponse(socket);
  assert.equal(answer.status, 200);
  assert.deepEqual([answer.body.width, answer.body.height], [30, 20]);
  socket.destroy();
});

test('a connection is reusable after an upload, whatever followed the file', async () => {
  const body = multipart([
    { filename: 'a.png', body: png },
    { name: 'after', body: 'x'.repeat(300_000) },
  ]);
  let socket: Socket | undefined;
  for (let round = 0; round < 3; round++) {
    socket = await startUpload(service, account, { 'content-length': body.length }, socket);
    socket.write(body);
    assert.equal((await readResponse(socket)).status, 200);
  }
  socket?.destroy();
});

test('a client that disconnects within the file leaves nothing behind', async () => {
  const before = storedFiles(service);
  for (const bytes of [0, 100, 5_000, 3 * MB]) {
    const socket = await startUpload(service, account, { 'content-length': 10 * MB });
    socket.write(partHead({ filename: 'a.mp4' }));
    socket.write(videoFixture('plain.mp4').subarray(0, 500));
    socket.write(Buffer.alloc(bytes));
    await until(() => uploadsInProgress(service).length === 1);
    socket.destroy();
    await nothingLeft(before);
  }
});

test('a client that disconnects at any point leaves nothing behind', async () => {
  const before = storedFiles(service);
  const body = multipart([
    { name: 'other', filename: 'o', body: 'x'.repeat(2_000) },
    { filename: 'a.png', body: png },
  ]);
  const lastOfFile = body.length - END.length;
  const hangUp = async (i: number) => {
    const socket = await startUpload(service, account, { 'content-length': body.length });
    socket.on('error', () => {}).write(body.subarray(0, (i * lastOfFile) / 100));
    for (let turns = i % 7; turns > 0; turns--) await new Promise((resume) => setImmediate(resume));
    if (i % 2) socket.destroy();
    else await once(socket.end().resume(), 'close');
  };
  await Promise.all(Array.from({ length: 100 }, (_, i) => hangUp(i)));
  await nothingLeft(before);
});

test('a body that ends within the file is refused', async () => {
  const before = storedFiles(service);
  const start = Buffer.concat([partHead({ filename: 'a.png' }), png]);
  for (const ending of ['', '\r\n', '\r\n--', `\r\n--${BOUNDARY}`.slice(0, -1)]) {
    const body = Buffer.concat([start, Buffer.from(ending)]);
    const socket = await startUpload(service, account, { 'content-length': body.length });
    socket.write(body);
    const answer = await readResponse(socket);
    assert.deepEqual([answer.status, answer.body.code], [400, 'multipart_malformed']);
    socket.destroy();
    await nothingLeft(before);
  }
});

test('a broken chunked body is refused', async () => {
  const before = storedFiles(service);
  const socket = await startUpload(service, account, { 'transfer-encoding': 'chunked' });
  const head = partHead({ filename: 'a.png' });
  socket.write(`${head.length.toString(16)}\r\n${head}\r\nzz\r\n`);
  const answer = await readResponse(socket);
  assert.equal(answer.status, 400);
  socket.destroy();
  await nothingLeft(before);
});

test('a refused file is answered at once, and the response reaches a client that keeps sending', async () => {
  const before = storedFiles(service);
  const cases: [code: string, megabytes: number, start: Buffer, headers: Record<string, string>][] = [
    ['file_type_unsupported', 200, Buffer.concat([partHead({ filename: 'a.webp' }), Buffer.from('%PDF-1.7')]), {}],
    ['file_too_large', 90, Buffer.concat([partHead({ filename: 'a.png' }), png]), {}],
    ['unauthorized', 90, partHead({ filename: 'a.png' }), { 'x-api-key': 'Bearer hw_sk_wrong' }],
    ['content_type_unsupported', 90, Buffer.alloc(0), { 'content-type': 'video/mp4' }],
  ];
  for (const [code, megabytes, start, headers] of cases) {
    const socket = await startUpload(service, account, { 'content-length': start.length + megabytes * MB, ...headers });
    const answer = readResponse(socket);
    socket.write(start);
    await pour(socket, 60);
    // The refusal is known long before the body is sent.
    assert.equal((await answer).body.code, code);
    await pour(socket, megabytes - 60);
    // The connection was not reset, and can be reused.
    const good = multipart([{ filename: 'a.mp4', body: 'x' }]);
    await startUpload(service, account, { 'content-length': good.length }, socket);
    socket.write(good);
    assert.equal((await readResponse(socket)).body.code, 'file_type_unsupported');
    socket.destroy();
  }
  await nothingLeft(before);
});

test('parts before the file are limited to the size of the largest file', async () => {
  const before = storedFiles(service);
  const socket = await startUpload(service, account, { 'content-length': 1_000 * MB });
  const answer = readResponse(socket);
  socket.on('error', () => {}).write(partHead({ name: 'other', filename: 'a.mp4' }));
  await pour(socket, 312);
  assert.equal((await answer).body.code, 'body_too_large');
  socket.destroy();
  await nothingLeft(before);
});

test('memory stays flat while a 300 MB video arrives', async () => {
  const start = Buffer.concat([partHead({ filename: 'a.mp4' }), videoFixture('plain.mp4')]);
  const send = async (megabytes: number) => {
    // A last box whose content is not parsed.
    const box = Buffer.alloc(8);
    box.writeUInt32BE(megabytes * MB + 8, 0);
    box.write('free', 4);
    const length = start.length + box.length + megabytes * MB + END.length;
    const socket = await startUpload(service, account, { 'content-length': length });
    const answer = readResponse(socket);
    socket.write(start);
    socket.write(box);
    await pour(socket, megabytes);
    socket.write(END);
    assert.equal((await answer).status, 200);
    socket.destroy();
  };
  await send(100);
  const resting = process.memoryUsage.rss();
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 5);
  await send(300);
  clearInterval(watch);
  // The client's buffers are in this process as well.
  assert.ok(most - resting < 100 * MB, `${Math.round((most - resting) / MB)} MB more`);
});

test('a client that stops sending is timed out and leaves nothing behind', async () => {
  const storage = openStorage(service.config);
  const log = createLog('silent');
  const secret = Buffer.alloc(32);
  const deps = {
    config: service.config,
    db: service.db,
    control: service.control,
    log,
    metrics: createMetrics(),
    clock: Date.now,
    pageTokens: pageTokens(secret),
    sessionIds: sessionIds(secret),
    vault: testVault(),
    secret,
    publicUrl: () => 'http://headwater.test',
  };
  const idleMs = stretched(1_000);
  const app = createServer(service.config, log, deps.metrics);
  app.addHook('onRequest', async (request) => {
    request.caller = { accountId: account.uuid, cell: 'main', keyId: '', type: 'secret' };
  });
  const media = new MediaService(storage.uploadsFolder);
  after(() => media.stop());
  const delivered = new DeliveryCache(deps);
  uploadRoutes(app, {
    ...deps,
    storage,
    media,
    delivered,
    onPosterDue() {},
    readableUses: async () => [],
    idleMs,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const before = storedFiles(service);
  const impatient = { ...service, app };
  for (const start of [
    Buffer.alloc(0),
    partHead({ filename: 'a.png' }),
    Buffer.concat([partHead({ filename: 'a.png' }), png]),
  ]) {
    const socket = await startUpload(impatient, account, { 'content-length': 1_000_000 });
    socket.write(start);
    const answer = await readResponse(socket);
    assert.deepEqual([answer.status, answer.body.code], [400, 'request_timeout']);
    socket.destroy();
    await nothingLeft(before);
  }
  // A slow client is not timed out.
  const body = multipart([{ filename: 'a.png', body: png }]);
  const socket = await startUpload(impatient, account, { 'content-length': body.length });
  socket.setNoDelay(true);
  for (let i = 0; i < 8; i++) {
    socket.write(body.subarray((i * body.length) / 8, ((i + 1) * body.length) / 8));
    await new Promise((resume) => setTimeout(resume, 0.15 * idleMs));
  }
  assert.equal((await readResponse(socket)).status, 200);
  socket.destroy();
  await app.close();
});

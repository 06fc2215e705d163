import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { rmSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { service } from '../../../test/shared.ts';
import { noiseImage, paddedVideo, videoFixture } from '../../media/test-media.ts';
import { parseId } from '../../shared/ids.ts';
import { encodeFileKey } from '../library/asset-response.ts';
import { portOf, upload } from '../test-support.ts';

const account = await service.newAccount();
const bytes = await noiseImage(40, 30).png().toBuffer();
const size = bytes.length;
const uploadedAt = Math.floor(Date.now() / 1_000) * 1_000;
const { url, assetId } = (await upload(service, account, [{ filename: 'ä \\"b\\".png', body: bytes }])).body;
const path = new URL(url).pathname;

const get = (headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  service.app.inject({ method, url: path, headers });

test('a file is public, cached for ever, and sandboxed in the browser', async () => {
  const { statusCode, headers, rawPayload } = await get();
  assert.equal(statusCode, 200);
  assert.ok(rawPayload.equals(bytes));
  const { date: _, 'last-modified': modified, etag, 'x-request-id': requestId, connection: __, ...rest } = headers;
  assert.match(String(etag), /^"[A-Za-z0-9_-]{27}"$/);
  const time = Date.parse(String(modified));
  assert.ok(time >= uploadedAt && time <= Date.now(), String(modified));
  assert.ok(requestId);
  assert.deepEqual(rest, {
    'content-type': 'image/png',
    'content-length': String(size),
    'content-disposition': `inline; filename="_ _b_.png"; filename*=UTF-8''%C3%A4%20%22b%22.png`,
    'accept-ranges': 'bytes',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'content-security-policy':
      "default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
  });
});

test('HEAD returns the headers of GET without the body', async () => {
  const drop = ({ date: _, 'x-request-id': __, ...rest }: Record<string, unknown>) => rest;
  const head = await get({ range: 'bytes=0-1' }, 'HEAD');
  assert.equal(head.statusCode, 200);
  assert.equal(head.rawPayload.length, 0);
  assert.deepEqual(drop(head.headers), drop((await get()).headers));
});

test('a single range is served; any other gets the whole file or 416', async () => {
  const etag = String((await get()).headers.etag);
  const modified = String((await get()).headers['last-modified']);
  const cases: [range: string, from: number, to: number, extra?: Record<string, string>][] = [
    ['bytes=0-0', 0, 1],
    ['bytes=0-', 0, size],
    ['bytes=5-9', 5, 10],
    [`bytes=5-${size * 2}`, 5, size],
    [`bytes=${size - 1}-`, size - 1, size],
    ['bytes=-4', size - 4, size],
    [`bytes=-${size * 2}`, 0, size],
    ['Bytes=1-2', 1, 3],
    ['bytes=1-2', 1, 3, { 'if-range': etag }],
    ['bytes=1-2', 1, 3, { 'if-range': modified }],
  ];
  for (const [range, from, to, extra] of cases) {
    const answer = await get({ range, ...extra });
    assert.equal(answer.statusCode, 206, range);
    assert.ok(answer.rawPayload.equals(bytes.subarray(from, to)), range);
    assert.equal(answer.headers['content-range'], `bytes ${from}-${to - 1}/${size}`);
    assert.equal(answer.headers['content-length'], String(to - from));
    assert.equal(answer.headers.etag, etag);
  }
  const whole: [range: string, extra?: Record<string, string>][] = [
    ['bytes=0-1,3-4'],
    ['bytes=9-5'],
    ['bytes=a-b'],
    ['bytes=-'],
    ['bytes='],
    ['lines=0-1'],
    ['bytes=1-2', { 'if-range': '"other"' }],
    ['bytes=1-2', { 'if-range': `W/${etag}` }],
    ['bytes=1-2', { 'if-range': 'Wed, 21 Oct 2015 07:28:00 GMT' }],
  ];
  for (const [range, extra] of whole) {
    const answer = await get({ range, ...extra });
    assert.equal(answer.statusCode, 200, range);
    assert.equal(answer.rawPayload.length, size);
    assert.equal(answer.headers['content-range'], undefined);
  }
  for (const range of [`bytes=${size}-`, `bytes=${size}-${size + 5}`, 'bytes=-0', 'bytes=999999999999999-']) {
    const answer = await get({ range });
    assert.equal(answer.statusCode, 416, range);
    assert.equal(answer.headers['content-range'], `bytes */${size}`);
    assert.equal(answer.rawPayload.length, 0);
  }
});

test('a client with a current copy gets 304', async () => {
  const etag = String((await get()).headers.etag);
  const modified = String((await get()).headers['last-modified']);
  const later = new Date(Date.parse(modified) + 60_000).toUTCString();
  const earlier = new Date(Date.parse(modified) - 60_000).toUTCString();
  const same: Record<string, string>[] = [
    { 'if-none-match': etag },
    { 'if-none-match': `W/${etag}` },
    { 'if-none-match': `"other", ${etag}` },
    { 'if-none-match': '*' },
    { 'if-modified-since': modified },
    { 'if-modified-since': later },
    { 'if-none-match': etag, 'if-modified-since': earlier, range: 'bytes=0-1' },
  ];
  for (const headers of same) {
    for (const method of ['GET', 'HEAD'] as const) {
      const answer = await get(headers, method);
      assert.equal(answer.statusCode, 304, JSON.stringify(headers));
      assert.equal(answer.rawPayload.length, 0);
      assert.equal(answer.headers.etag, etag);
      assert.ok(answer.headers['cache-control']);
    }
  }
  const other: Record<string, string>[] = [
    { 'if-none-match': '"other"' },
    { 'if-none-match': '"other"', 'if-modified-since': later },
    { 'if-modified-since': earlier },
    { 'if-modified-since': 'never' },
  ];
  for (const headers of other) assert.equal((await get(headers)).statusCode, 200, JSON.stringify(headers));
});

test('only the exact URL key leads to a file', async () => {
  const key = path.split('/')[2] ?? '';
  const uuid = parseId('ast', assetId) ?? '';
  const wrong = [
    key.slice(0, -1),
    `${key}A`,
    key.slice(0, -1) + (key.at(-1) === 'A' ? 'B' : 'A'),
    encodeFileKey(account.uuid, uuid),
    encodeFileKey((await service.newAccount()).uuid, '00000000-0000-4000-8000-000000000000'),
    assetId,
    '..',
    '%00',
    "'",
  ];
  for (const each of wrong) {
    const answer = await service.app.inject({ url: `/files/${each}/x.png` });
    assert.equal(answer.statusCode, 404, each);
    assert.doesNotMatch(String(answer.headers['cache-control']), /immutable/);
  }
  // The name is only for people.
  assert.equal((await service.app.inject({ url: `/files/${key}/another.png` })).statusCode, 200);
  assert.equal((await service.app.inject({ url: `/files/${key}` })).statusCode, 404);
  assert.equal((await service.app.inject({ url: path, method: 'DELETE' })).statusCode, 405);
});

test('a video can be read in ranges over one connection and abandoned midway', async () => {
  const port = await portOf(service);
  const body = Buffer.concat([videoFixture('plain.webm'), Buffer.alloc(3_000_000)]);
  // An empty element, as long as what was added.
  body.set([0xec, 0x10, 0x2d, 0xc6, 0xbb], videoFixture('plain.webm').length);
  const answer = await upload(service, account, [{ filename: 'a.webm', body }]);
  assert.equal(answer.status, 200);
  const address = `http://127.0.0.1:${port}${new URL(answer.body.url).pathname}`;
  for (let start = 0; start < body.length; start += 700_000) {
    const piece = await fetch(address, { headers: { range: `bytes=${start}-${start + 699_999}` } });
    assert.ok(Buffer.from(await piece.arrayBuffer()).equals(body.subarray(start, start + 700_000)));
  }
  for (let i = 0; i < 20; i++) {
    const left = new AbortController();
    const answer = await fetch(address, { signal: left.signal });
    await answer.body?.getReader().read();
    left.abort();
  }
  assert.equal((await (await fetch(address)).bytes()).length, body.length);
});

test('a file missing from the disk is a 500, not an empty response', async () => {
  const lost = (await upload(service, account, await noiseImage(9, 9).png().toBuffer())).body;
  rmSync(join(service.dataDir, 'files', account.uuid, parseId('ast', lost.assetId) ?? ''));
  assert.equal((await service.app.inject({ url: new URL(lost.url).pathname })).statusCode, 500);
});

test('concurrent, slow and aborted downloads of large files each have the bytes of their file', async () => {
  const port = await portOf(service);
  const files = await Promise.all(
    Array.from({ length: 3 }, async (_, i) => {
      const body = paddedVideo(1_500_000 + 300_000 * i, randomFillSync);
      const uploaded = await upload(service, account, [{ filename: `${i}.mp4`, body }]);
      return { body, path: new URL(uploaded.body.url).pathname };
    }),
  );
  const download = (path: string, headers: http.OutgoingHttpHeaders, kind: number) =>
    new Promise<Buffer | undefined>((resolve, reject) => {
      const request = http.get({ port, path, headers, agent: false }, async (response) => {
        const chunks: Buffer[] = [];
        try {
          for await (const chunk of response) {
            chunks.push(chunk);
            if (kind === 1) await new Promise((resume) => setImmediate(resume));
            if (kind === 2) return resolve(undefined);
          }
          resolve(Buffer.concat(chunks));
        } catch (error) {
          reject(error);
        }
      });
      request.once('error', (error) => (kind === 2 ? resolve(undefined) : reject(error)));
    });
  for (let round = 0; round < 3; round++) {
    await Promise.all(
      Array.from({ length: 18 }, async (_, i) => {
        const { body, path } = files[i % 3] as (typeof files)[number];
        const start = i % 2 === 0 ? 0 : 1_000 * i;
        const received = await download(
          path,
          start > 0 ? { range: `bytes=${start}-` } : {},
          i % 3 === round ? 1 : i % 5 === 4 ? 2 : 0,
        );
        if (received) assert.ok(received.equals(body.subarray(start)), `download ${i} of round ${round}`);
      }),
    );
  }
});

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { type Account, testService } from '../../../test/harness.ts';
import { noiseImage, videoFixture } from '../../media/test-media.ts';
import { findAssets } from '../index.ts';
import { MULTIPART, multipart, type Part, storedFiles, upload, uploadsInProgress } from '../test-support.ts';

const service = await testService({ LIMIT_IMAGE_MB: '1', LIMIT_IMAGE_MEGAPIXELS: '2', LIMIT_VIDEO_MB: '2' });

const png = await noiseImage(30, 20).png().toBuffer();
const IMAGES: [format: string, mediaType: string, bytes: Buffer][] = [
  ['jpg', 'image/jpeg', await noiseImage(30, 20).jpeg().toBuffer()],
  ['jpg', 'image/jpeg', await noiseImage(30, 20).jpeg({ progressive: true }).toBuffer()],
  ['png', 'image/png', png],
  ['png', 'image/png', await noiseImage(30, 20).png({ progressive: true }).toBuffer()],
  ['gif', 'image/gif', await noiseImage(30, 20).gif().toBuffer()],
  ['webp', 'image/webp', await noiseImage(30, 20).webp().toBuffer()],
  ['webp', 'image/webp', await noiseImage(30, 20).webp({ lossless: true }).toBuffer()],
  ['avif', 'image/avif', await noiseImage(30, 20).avif({ effort: 0 }).toBuffer()],
];

/** Asserts that a refused upload left no file, folder or row. */
async function refused(account: Account, code: string, send: () => ReturnType<typeof upload>): Promise<void> {
  const before = storedFiles(service);
  const answer = await send();
  assert.deepEqual([answer.status, answer.body.code], [400, code]);
  assert.deepEqual(storedFiles(service), before);
  assert.deepEqual(uploadsInProgress(service), []);
  const { rows } = await service.db.query('select count(*) from assets where account_id = $1', [account.uuid]);
  assert.equal(rows[0].count, 0);
}

const NO_TEXTS = { alt: null, title: null, caption: null, focalPoint: null, poster: null, srcset: null };

test('every image format is detected from its content and served unchanged', async () => {
  const account = await service.newAccount();
  for (const [extension, mediaType, bytes] of IMAGES) {
    const answer = await upload(service, account, [{ filename: 'a.txt', type: 'text/html', body: bytes }]);
    assert.equal(answer.status, 200, `${mediaType}: ${JSON.stringify(answer.body)}`);
    const { assetId, url, placeholder: _, ...rest } = answer.body;
    assert.match(assetId, /^ast_[0-9a-z]{26}$/);
    assert.match(url, new RegExp(`^http://headwater\\.test/files/[A-Za-z0-9_-]{43}/a-txt\\.${extension}$`));
    assert.deepEqual(rest, {
      ...NO_TEXTS,
      ...{ type: 'image', mediaType, name: 'a.txt', bytes: bytes.length, width: 30, height: 20, duration: null },
    });
    const response = await service.app.inject({ url: new URL(url).pathname });
    assert.equal(response.headers['content-type'], mediaType);
    assert.ok(response.rawPayload.equals(bytes));
    const found = await findAssets(service.db, account.uuid, [assetId], 'http://headwater.test');
    assert.deepEqual(found.get(assetId), answer.body);
    const { rows } = await service.db.query('select * from assets where account_id = $1 order by id desc limit 1', [
      account.uuid,
    ]);
    assert.equal(rows[0].bytes, bytes.length);
    assert.ok(rows[0].sha256.equals(createHash('sha256').update(bytes).digest()));
    assert.ok(storedFiles(service).some((path) => readFileSync(path).equals(bytes)));
  }
  assert.deepEqual(uploadsInProgress(service), []);
});

test('videos are accepted by their container, with their displayed size', async () => {
  const account = await service.newAccount();
  const cases: [name: string, mediaType: string, width: number, height: number, duration: number | null][] = [
    ['plain.mp4', 'video/mp4', 96, 64, 0.5],
    ['portrait.mp4', 'video/mp4', 64, 96, 0.5],
    ['anamorphic.mp4', 'video/mp4', 192, 64, 0.5],
    ['fragmented.mp4', 'video/mp4', 96, 64, null],
    ['plain.mov', 'video/quicktime', 96, 64, 0.5],
    ['plain.webm', 'video/webm', 96, 64, 0.5],
    ['live.webm', 'video/webm', 96, 64, null],
  ];
  for (const [name, mediaType, width, height, duration] of cases) {
    const answer = await upload(service, account, [{ filename: name, type: 'image/png', body: videoFixture(name) }]);
    const { assetId: _, url, ...rest } = answer.body;
    const bytes = videoFixture(name).length;
    assert.deepEqual(rest, {
      ...NO_TEXTS,
      placeholder: null,
      type: 'video',
      mediaType,
      name,
      bytes,
      width,
      height,
      duration,
    });
    const response = await service.app.inject({ url: new URL(url).pathname });
    assert.equal(response.headers['content-type'], mediaType);
    assert.ok(response.rawPayload.equals(videoFixture(name)));
    const { rows } = await service.db.query(
      'select duration_seconds from assets where account_id = $1 order by id desc limit 1',
      [account.uuid],
    );
    assert.equal(rows[0].duration_seconds, duration, name);
  }
});

test('width and height are as displayed, with the EXIF orientation applied', async () => {
  const account = await service.newAccount();
  for (const orientation of [1, 3, 6, 8]) {
    for (const format of ['jpeg', 'webp', 'png'] as const) {
      const bytes = await noiseImage(30, 20).withMetadata({ orientation }).toFormat(format).toBuffer();
      const { body } = await upload(service, account, bytes);
      assert.deepEqual([body.width, body.height], orientation > 4 ? [20, 30] : [30, 20], `${format} ${orientation}`);
    }
  }
});

test('what is called an image and is none is refused with its own error code', async () => {
  const account = await service.newAccount();
  const cases: [code: string, bytes: Buffer | string][] = [
    ['file_empty', ''],
    ['file_type_unsupported', 'just text'],
    ['file_type_unsupported', '%PDF-1.7\n'],
    ['file_type_unsupported', '<!doctype html><script>alert(1)</script>'],
    ['file_type_unsupported', Buffer.alloc(100_000)],
    ['file_type_unsupported', await noiseImage(8, 8).tiff().toBuffer()],
    ['file_type_unsupported', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')],
    ['file_type_unsupported', videoFixture('sound.m4a')],
    ['file_type_unsupported', videoFixture('plain.mkv')],
  ];
  for (const [code, body] of cases) {
    await refused(account, code, () => upload(service, account, [{ filename: 'photo.png', type: 'image/png', body }]));
  }
});

test('a truncated or damaged file is refused', async () => {
  const account = await service.newAccount();
  for (const [, mediaType, bytes] of IMAGES) {
    for (const part of [0.2, 0.5, 0.9]) {
      const cut = bytes.subarray(0, Math.floor(bytes.length * part));
      await refused(account, 'file_corrupt', () => upload(service, account, [{ filename: mediaType, body: cut }]));
    }
  }
  for (const name of ['plain.mp4', 'anamorphic.mp4', 'fragmented.mp4', 'plain.mov', 'plain.webm', 'live.webm']) {
    const bytes = videoFixture(name);
    for (const length of [bytes.length - 1, bytes.length - 20, Math.floor(bytes.length / 2), 60]) {
      const cut = bytes.subarray(0, length);
      await refused(account, 'file_corrupt', () => upload(service, account, [{ filename: name, body: cut }]));
    }
  }
  const noise = Buffer.concat([videoFixture('plain.mp4').subarray(0, 40), Buffer.alloc(5_000, 0xa7)]);
  await refused(account, 'file_corrupt', () => upload(service, account, noise));
  const header = Buffer.concat([png.subarray(0, 33), Buffer.alloc(5_000, 0xa7)]);
  await refused(account, 'file_corrupt', () => upload(service, account, header));
});

/** A PNG of one color that claims a size: a few hundred bytes per million pixels. */
function bomb(width: number, height: number, pixels: Buffer): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const out = Buffer.alloc(body.length + 8);
    out.writeUInt32BE(data.length, 0);
    body.copy(out, 4);
    out.writeUInt32BE(crc32(body), body.length + 4);
    return out;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', pixels.subarray(0, 0)),
  ]);
}

test('an image with too many pixels is refused by its header, without decoding it', async () => {
  const account = await service.newAccount();
  const claims = bomb(50_000, 50_000, Buffer.alloc(100));
  await refused(account, 'too_many_pixels', () => upload(service, account, claims));
  const real = bomb(2_001, 1_000, Buffer.alloc(2_002 * 1_000));
  await refused(account, 'too_many_pixels', () => upload(service, account, real));
  const most = bomb(2_000, 1_000, Buffer.alloc(2_001 * 1_000));
  assert.equal((await upload(service, account, most)).status, 200);
});

test('an image whose header claims more pixels than it has is refused', async () => {
  const account = await service.newAccount();
  await refused(account, 'file_corrupt', () => upload(service, account, bomb(1_000, 1_000, Buffer.alloc(100))));
});

test('images and videos have their own size limits', async () => {
  const account = await service.newAccount();
  const MB = 1_048_576;
  const padded = (bytes: Buffer, length: number) => Buffer.concat([bytes, Buffer.alloc(length - bytes.length)]);
  await refused(account, 'file_too_large', () => upload(service, account, padded(png, MB + 1)));
  await refused(account, 'file_too_large', () =>
    upload(service, account, padded(videoFixture('plain.mp4'), 2 * MB + 1)),
  );
  assert.equal((await upload(service, account, padded(png, MB))).status, 200);
  assert.equal((await upload(service, account, padded(videoFixture('plain.mp4'), 2 * MB))).status, 200);
});

test('the first file part named file counts, whatever precedes and follows it', async () => {
  const account = await service.newAccount();
  const gif = await noiseImage(7, 5).gif().toBuffer();
  const decoys: Part[] = [
    { name: 'file', body: 'a text field is not a file' },
    { name: 'thumbnail', filename: 'thumb.png', type: 'image/png', body: png },
    { name: 'note', body: 'x'.repeat(100_000) },
    { name: '', filename: 'nameless.png', body: png },
  ];
  const parts = [...decoys, { filename: 'first.gif', body: gif }, { filename: 'second.png', body: png }, ...decoys];
  const { status, body } = await upload(service, account, parts);
  assert.equal(status, 200);
  assert.deepEqual([body.name, body.width, body.height], ['first.gif', 7, 5]);
  const { rows } = await service.db.query('select count(*) from assets where account_id = $1', [account.uuid]);
  assert.equal(rows[0].count, 1);
});

test('a file part needs no file name', async () => {
  const account = await service.newAccount();
  for (const type of ['application/octet-stream', 'image/png', 'Video/MP4']) {
    const { body } = await upload(service, account, [{ type, body: png }]);
    assert.equal(body.name, 'image.png');
  }
  const named = await upload(service, account, [{ filename: '../..', body: videoFixture('plain.webm') }]);
  assert.equal(named.body.name, 'video.webm');
});

test('a request without a file is refused', async () => {
  const account = await service.newAccount();
  const send = (headers: Record<string, string>, body?: Buffer | string) =>
    service.call('POST /v1/files/upload', { as: account, headers, ...(body !== undefined && { body }) });
  const parts = multipart([{ filename: 'a.png', body: png }]);
  const cases: [code: string, headers: Record<string, string>, body?: Buffer | string][] = [
    ['file_missing', MULTIPART, multipart([])],
    ['file_missing', MULTIPART, multipart([{ name: 'file', body: 'text' }])],
    ['file_missing', MULTIPART, multipart([{ name: 'File', filename: 'a.png', body: png }])],
    ['multipart_malformed', MULTIPART, Buffer.alloc(0)],
    ['multipart_malformed', MULTIPART, 'no part at all'],
    ['multipart_malformed', MULTIPART, parts.subarray(0, 60)],
    ['multipart_malformed', MULTIPART, parts.subarray(0, parts.length - 30)],
    ['multipart_malformed', { 'content-type': 'multipart/form-data' }, parts],
    ['multipart_malformed', { 'content-type': 'multipart/form-data; boundary=other' }, parts],
    ['multipart_malformed', { 'content-type': `multipart/form-data; boundary=${'x'.repeat(300)}` }, parts],
    ['content_type_unsupported', { 'content-type': 'application/json' }, '{}'],
    ['content_type_unsupported', { 'content-type': 'image/png' }, png],
    ['content_type_unsupported', { 'content-type': 'multipart/mixed; boundary=x' }, parts],
    ['content_type_unsupported', {}],
  ];
  for (const [code, headers, body] of cases) await refused(account, code, () => send(headers, body));
});

test('the file may be the last of a thousand parts; more are refused', async () => {
  const account = await service.newAccount();
  const fields = Array.from({ length: 999 }, (_, i): Part => ({ name: `field${i}`, body: 'x' }));
  const file = { filename: 'a.png', body: png };
  await refused(account, 'too_many_parts', () => upload(service, account, [...fields, ...fields, file]));
  assert.equal((await upload(service, account, [...fields, file])).status, 200);
  assert.equal((await upload(service, account, [file, ...fields, ...fields])).status, 200);
});

test('a file name is kept as sent, without dangerous characters', async () => {
  const account = await service.newAccount();
  const cases: [sent: string, name: string, inUrl: string][] = [
    ['Straße 1 – Süd.png', 'Straße 1 – Süd.png', 'Stra-e-1-Sud.png'],
    ['../../etc/passwd', 'passwd', 'passwd.png'],
    ['C:\\temp\\bild.PNG', 'bild.PNG', 'bild.png'],
    ['x\u0007\u202egnp.exe', 'xgnp.exe', 'xgnp-exe.png'],
    ['日本語.png', '日本語.png', 'image.png'],
    ['.htaccess', 'htaccess', 'htaccess.png'],
    ['a;b=c,%2e%2e%2f.png', 'a;b=c,%2e%2e%2f.png', 'a-b-c-2e-2e-2f.png'],
    [`${'n'.repeat(400)}.png`, `${'n'.repeat(196)}.png`, `${'n'.repeat(100)}.png`],
  ];
  for (const [filename, name, inUrl] of cases) {
    const { body } = await upload(service, account, [{ filename, body: png }]);
    assert.equal(body.name, name);
    assert.equal(new URL(body.url).pathname.split('/').at(-1), inUrl);
    assert.equal((await service.app.inject({ url: new URL(body.url).pathname })).statusCode, 200);
  }
});

test('an Idempotency-Key makes a retried upload safe, for one file under one name', async () => {
  const account = await service.newAccount();
  const headers = { 'idempotency-key': 'once' };
  const send = (filename: string, body: Buffer) => upload(service, account, [{ filename, body }], headers);
  const before = storedFiles(service).length;
  const answers = await Promise.all([send('a.png', png), send('a.png', png), send('a.png', png)]);
  answers.push(await send('a.png', png));
  for (const answer of answers) assert.deepEqual(answer.body, answers[0]?.body);
  assert.equal(answers[0]?.status, 200);
  for (const other of [await send('b.png', png), await send('a.png', await sharp(png).negate().png().toBuffer())]) {
    assert.deepEqual([other.status, other.body.code], [400, 'idempotency_key_reused']);
  }
  const long = await upload(service, account, png, { 'idempotency-key': 'x'.repeat(256) });
  assert.equal(long.body.code, 'idempotency_key_invalid');
  assert.equal(storedFiles(service).length, before + 1);
  assert.deepEqual(uploadsInProgress(service), []);
  const other = await upload(service, await service.newAccount(), [{ filename: 'a.png', body: png }], headers);
  assert.notEqual(other.body.assetId, answers[0]?.body.assetId);
});

test('an upload needs a secret token, and only POST is allowed', async () => {
  const account = await service.newAccount();
  const body = multipart([{ filename: 'a.png', body: png }]);
  for (const token of [undefined, account.apiKey, 'hw_sk_wrong']) {
    const answer = await service.call('POST /v1/files/upload', {
      ...(token && { as: token }),
      body,
      headers: MULTIPART,
    });
    assert.equal(answer.status, 401);
  }
  const wrong = await service.call('GET /v1/files/upload', { as: account });
  assert.deepEqual([wrong.status, wrong.headers.allow], [405, 'POST']);
});

test('if the database refuses the asset, no unrecorded blob is left behind', async () => {
  const account = await service.newAccount();
  await service.db.query('alter table assets rename to assets_away');
  const failed = await upload(service, account, png);
  await service.db.query('alter table assets_away rename to assets');
  assert.equal(failed.status, 500);
  assert.deepEqual(uploadsInProgress(service), []);
  const left = storedFiles(service).filter((path) => path.includes(account.uuid));
  const { rows } = await service.db.query('select storage_key from orphaned_blobs where account_id = $1', [
    account.uuid,
  ]);
  assert.equal(left.length, rows.length);
});

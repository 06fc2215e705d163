// Slow: images are encoded in each format, also while they are deleted.
import assert from 'node:assert/strict';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp, { type Sharp } from 'sharp';
import { type Account, type TestService, testService } from '../../../test/harness.ts';
import { until } from '../../../test/until.ts';
import { animatedPng, longGif, noiseImage, videoFixture } from '../../media/test-media.ts';
import { openStorage } from '../storage/open-storage.ts';
import { cleanUp, portOf, storedFiles, upload } from '../test-support.ts';
import { Variants } from './variants.ts';

const service = await testService();

/** An image of red, green and blue thirds, from left to right. */
async function flag(width: number, height: number) {
  const part = (color: string) => ({
    create: { width: Math.ceil(width / 3), height, channels: 3 as const, background: color },
  });
  return sharp({ create: { width, height, channels: 3, background: '#00f' } }).composite([
    { input: part('#f00'), left: 0, top: 0 },
    { input: part('#0f0'), left: Math.floor(width / 3), top: 0 },
  ]);
}

async function send(to: TestService, account: Account, bytes: Buffer): Promise<{ assetId: string; path: string }> {
  const { status, body } = await upload(to, account, bytes);
  assert.equal(status, 200, JSON.stringify(body));
  return { assetId: body.assetId, path: new URL(body.url).pathname };
}

/** As browsers and caches do, asks again for an image that is still being made. */
async function ask(path: string, query: string, headers: Record<string, string> = {}, from = service) {
  const get = () => from.app.inject({ url: `${path}?${query}`, headers });
  let answer = await get();
  while (answer.statusCode === 429) {
    await sleep(100);
    answer = await get();
  }
  assert.equal(answer.statusCode, 200, `${query}: ${answer.body}`);
  const { width, height, format, pages, orientation, exif, compression } = await sharp(answer.rawPayload).metadata();
  assert.equal(answer.headers['content-length'], String(answer.rawPayload.length));
  const type = format === 'heif' ? compression : format;
  return { answer, size: [width, height], type, pages, orientation, exif, bytes: answer.rawPayload };
}

const variantFiles = (of: TestService, account: Account) => {
  try {
    return readdirSync(join(of.dataDir, 'files', account.uuid, 'variants'));
  } catch {
    return [];
  }
};

test('an image is served in the requested size, and never enlarged', async () => {
  const account = await service.newAccount();
  const { path } = await send(service, account, await (await flag(600, 400)).jpeg().toBuffer());
  const cases: [query: string, width: number, height: number][] = [
    ['w=320', 320, 213],
    ['h=200', 300, 200],
    ['w=1920', 600, 400],
    ['w=320&h=320', 320, 320],
    ['w=320&h=320&fit=contain', 320, 213],
    ['w=320&h=320&fit=fill', 320, 320],
    ['w=96&h=320', 96, 320],
    ['w=1920&h=960', 600, 300],
    ['w=1920&h=1920&fit=contain', 600, 400],
    ['format=webp', 600, 400],
    ['w=320&v=2&utm_source=x', 320, 213],
  ];
  for (const [query, width, height] of cases) assert.deepEqual((await ask(path, query)).size, [width, height], query);
});

test('an image is served in the requested format, or one that the client accepts', async () => {
  const account = await service.newAccount();
  const jpeg = await send(service, account, await (await flag(60, 40)).jpeg().toBuffer());
  const png = await send(service, account, await (await flag(60, 40)).png().toBuffer());
  for (const [format, type] of Object.entries({ webp: 'webp', avif: 'av1', jpeg: 'jpeg', png: 'png' })) {
    const got = await ask(jpeg.path, `w=32&format=${format}`);
    assert.equal(got.type, type);
    assert.equal(got.answer.headers['content-type'], `image/${format}`);
    assert.match(
      String(got.answer.headers['content-disposition']),
      new RegExp(`\\.${format === 'jpeg' ? 'jpg' : format}"`),
    );
    assert.equal(got.answer.headers.vary, undefined);
  }
  assert.equal((await ask(jpeg.path, 'w=32')).type, 'jpeg');
  assert.equal((await ask(png.path, 'w=32')).type, 'png');
  const auto = async (path: string, accept: string) => {
    const { type, answer } = await ask(path, 'w=32&format=auto', { accept });
    assert.equal(answer.headers.vary, 'accept');
    return type;
  };
  assert.equal(await auto(jpeg.path, 'image/avif,image/webp,*/*'), 'av1');
  assert.equal(await auto(jpeg.path, 'image/webp,*/*'), 'webp');
  assert.equal(await auto(jpeg.path, '*/*'), 'jpeg');
  assert.equal(await auto(png.path, '*/*'), 'png');
});

test('a lower quality is a smaller file', async () => {
  const account = await service.newAccount();
  const { path } = await send(service, account, await noiseImage(400, 300).jpeg({ quality: 100 }).toBuffer());
  const [low, high] = [await ask(path, 'w=320&q=40'), await ask(path, 'w=320&q=90')];
  assert.ok(low.bytes.length < high.bytes.length / 1.5);
});

test('a variant is rotated by its EXIF orientation, and has no metadata', async () => {
  const account = await service.newAccount();
  const bytes = await (await flag(600, 300)).withMetadata({ orientation: 6 }).jpeg().toBuffer();
  const { path } = await send(service, account, bytes);
  const got = await ask(path, 'w=96');
  assert.deepEqual(got.size, [96, 192]);
  assert.deepEqual([got.orientation ?? 1, got.exif], [1, undefined]);
  const { data, info } = await sharp(got.bytes).raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3)];
  const [r = 0, g = 0] = at(48, 5);
  assert.ok(r > 200 && g < 60, 'the left side is on top');
});

test('a crop keeps the focal point in view, and is not cached for ever', async () => {
  const account = await service.newAccount();
  const { path, assetId } = await send(service, account, await (await flag(900, 100)).png().toBuffer());
  const colour = async () => {
    const { answer, bytes } = await ask(path, 'w=96&h=96');
    assert.equal(answer.headers['cache-control'], 'public, max-age=3600');
    const { dominant } = await sharp(bytes).stats();
    return dominant.r > 128 ? 'red' : dominant.g > 128 ? 'green' : 'blue';
  };
  const focus = (x: number) =>
    service.call(`PATCH /v1/files/${assetId}`, { as: account, body: { focalPoint: { x, y: 0.5 } } });
  assert.equal(await colour(), 'green', 'the default is the center');
  await focus(0);
  assert.equal(await colour(), 'red');
  await focus(0.9);
  assert.equal(await colour(), 'blue');
  const whole = await ask(path, 'w=96');
  assert.match(String(whole.answer.headers['cache-control']), /immutable/);
});

const CHROME = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8';

test('an animation stays one in every answer, unless a format of stills is requested', async () => {
  const account = await service.newAccount();
  const frames = await Promise.all([1, 2, 3].map(() => noiseImage(60, 40).png().toBuffer()));
  const joined = () => sharp(frames, { join: { animated: true } });
  for (const bytes of [await joined().gif().toBuffer(), await joined().webp().toBuffer()]) {
    const { path, assetId } = await send(service, account, bytes);
    const file = (await service.call(`GET /v1/files/${assetId}`, { as: account })).body;
    assert.equal(file.animated, true);
    for (const query of [
      'w=32',
      'w=32&h=32',
      'w=32&format=webp',
      'w=32&format=avif',
      'q=40',
      'format=auto',
      'w=32&format=auto',
    ]) {
      for (const accept of [CHROME, 'image/webp,*/*', 'image/avif', '*/*']) {
        const { answer, type, pages, size, bytes: got } = await ask(path, query, { accept });
        const isAuto = query.includes('auto');
        assert.equal(answer.headers.vary, isAuto ? 'accept' : undefined);
        assert.equal(pages, 3, `${query} ${accept}`);
        if (isAuto && !accept.includes('webp')) {
          assert.ok(got.equals((await ask(path, '')).bytes), 'as stored');
          assert.equal(answer.headers['content-type'], file.mediaType);
        } else {
          assert.equal(type, 'webp');
          if (query.includes('w=32')) assert.equal(size[0], 32);
        }
      }
    }
    for (const format of ['jpeg', 'png']) {
      const still = await ask(path, `w=32&format=${format}`);
      assert.deepEqual([still.type, still.pages ?? 1], [format, 1]);
    }
  }
});

test('an animation that cannot be resized is served as stored, whatever is requested', async () => {
  const account = await service.newAccount();
  const gif = await longGif(1280, 720, 120);
  const apng = await animatedPng(60, 40, 3);
  for (const [bytes, type] of [
    [gif, 'image/gif'],
    [apng, 'image/png'],
  ] as const) {
    const { path, assetId } = await send(service, account, bytes);
    const file = (await service.call(`GET /v1/files/${assetId}`, { as: account })).body;
    assert.deepEqual([file.animated, file.mediaType], [true, type]);
    const stored = (await ask(path, '')).bytes;
    for (const query of ['w=32', 'w=32&format=auto', 'format=webp', 'w=48&format=avif', 'w=32']) {
      const { answer, bytes: got } = await ask(path, query, { accept: CHROME });
      assert.equal(answer.headers['content-type'], type, query);
      assert.ok(got.equals(stored), query);
    }
    assert.deepEqual((await ask(path, 'w=32&format=jpeg')).size[0], 32);
  }
  const made = 'select from file_variants where account_id = $1 and bytes is not null and spec not like $2';
  assert.equal((await service.db.query(made, [account.uuid, '%.jpeg%'])).rowCount, 0);

  // An APNG of one frame is a still.
  const one = await send(service, account, await animatedPng(60, 40, 1));
  assert.deepEqual((await ask(one.path, 'w=32&format=auto', { accept: CHROME })).type, 'av1');
});

test('an animation that takes long is served as stored meanwhile', async () => {
  const account = await service.newAccount();
  const { path } = await send(service, account, await longGif(600, 400, 3));
  await ask(path, 'w=320');
  await service.db.query(
    `update file_variants set bytes = null, lease_until = $2, spec = replace(spec, '320x213', '480x320')
     where account_id = $1`,
    [account.uuid, new Date(service.clock.now + 3_600_000)],
  );
  const { answer, type } = await ask(path, 'w=480&format=auto', { accept: CHROME });
  assert.deepEqual([type, answer.headers['cache-control']], ['gif', 'public, max-age=3600']);
});

test('the limits of each format decide the format, so that every image has every variant', async () => {
  const account = await service.newAccount();
  const plain = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 4, background: '#0a08' } });
  const cases: [image: Sharp, auto: string, others: Record<string, string>][] = [
    [plain(20_000, 400).flatten().jpeg(), 'jpeg', { webp: 'jpeg', avif: 'jpeg', jpeg: 'jpeg', png: 'png' }],
    [plain(400, 20_000).png(), 'png', { webp: 'png', avif: 'png', jpeg: 'jpeg', png: 'png' }],
    [plain(16_384, 20).png(), 'av1', { webp: 'png', avif: 'av1', jpeg: 'jpeg', png: 'png' }],
    [plain(16_383, 20).png(), 'av1', { webp: 'webp', avif: 'av1', jpeg: 'jpeg', png: 'png' }],
    [plain(70_000, 2).png(), 'png', { webp: 'png', avif: 'png', jpeg: 'png', png: 'png' }],
    [plain(20_000, 2).gif(), 'png', { webp: 'png', avif: 'png', jpeg: 'jpeg', png: 'png' }],
    [plain(1, 1).png(), 'av1', { webp: 'webp', avif: 'av1', jpeg: 'jpeg', png: 'png' }],
  ];
  for (const [image, auto, others] of cases) {
    const { path } = await send(service, account, await image.toBuffer());
    const whole = await ask(path, '');
    for (const [format, expected] of [['auto', auto] as const, ...Object.entries(others)]) {
      const got = await ask(path, `format=${format}`, { accept: CHROME });
      assert.deepEqual([got.type, got.size], [expected, whole.size], `${whole.size} ${format}`);
      const mediaType = got.type === 'av1' ? 'image/avif' : `image/${got.type}`;
      assert.equal(got.answer.headers['content-type'], mediaType);
    }
    for (const query of ['w=320', 'h=320', 'w=320&h=320', 'w=96&h=1920', 'w=1920&h=96&fit=fill']) {
      for (const format of ['webp', 'avif', 'jpeg', 'png']) await ask(path, `${query}&format=${format}`);
    }
  }
});

test('invalid parameters are named; sizes must be listed', async () => {
  const account = await service.newAccount();
  const { path } = await send(service, account, await noiseImage(60, 40).png().toBuffer());
  const before = (await service.db.query('select from file_variants')).rowCount;
  const bad = [
    'w=33',
    'w=0',
    'w=-1',
    'w=1e3',
    'w=',
    'w=32&w=48',
    'h=99999',
    'q=1',
    'q=76',
    'fit=x',
    'format=gif',
    'poster=1',
  ];
  for (const query of bad) {
    const { statusCode, body } = await service.app.inject(`${path}?${query}`);
    assert.equal(statusCode, 400, query);
    assert.equal(JSON.parse(body).errors[0].pointer, `?${query.split('=')[0]}`);
  }
  const { body } = await service.app.inject(`${path}?w=33&q=1`);
  assert.equal(JSON.parse(body).errors.length, 2);
  assert.equal((await service.db.query('select from file_variants')).rowCount, before);
});

test('an SVG and a video are served unchanged, whatever size is requested', async () => {
  const account = await service.newAccount();
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0"/></svg>');
  for (const [bytes, type] of [
    [svg, 'image/svg+xml'],
    [videoFixture('plain.mp4'), 'video/mp4'],
  ] as const) {
    const { path } = await send(service, account, bytes);
    const answer = await service.app.inject(`${path}?w=320&format=webp`);
    assert.deepEqual([answer.statusCode, answer.headers['content-type']], [200, type]);
  }
});

test('the poster of a video is served in any size', async () => {
  const account = await service.newAccount();
  const vp8 = await send(service, account, videoFixture('vp8.webm'));
  const got = await ask(vp8.path, 'poster=true&w=48&format=jpeg');
  assert.deepEqual([got.size, got.type], [[48, 32], 'jpeg']);
  const cover = await send(service, account, videoFixture('cover.mp4'));
  assert.deepEqual((await ask(cover.path, 'poster=true&w=32')).size, [32, 24], 'a cover keeps its own shape');
});

test('a variant has an ETag and supports conditions, ranges and HEAD', async () => {
  const account = await service.newAccount();
  const { path } = await send(service, account, await noiseImage(60, 40).png().toBuffer());
  const { answer, bytes } = await ask(path, 'w=32');
  const etag = String(answer.headers.etag);
  const original = await service.app.inject(path);
  assert.notEqual(etag, original.headers.etag);
  const same = await service.app.inject({ url: `${path}?w=32`, headers: { 'if-none-match': etag } });
  assert.deepEqual([same.statusCode, same.body], [304, '']);
  const part = await service.app.inject({ url: `${path}?w=32`, headers: { range: 'bytes=2-5' } });
  assert.deepEqual([part.statusCode, part.rawPayload.equals(bytes.subarray(2, 6))], [206, true]);
  const head = await service.app.inject({ method: 'HEAD', url: `${path}?w=32` });
  assert.deepEqual([head.headers['content-length'], head.body], [String(bytes.length), '']);
});

test('a hundred concurrent requests, on two processes, share one variant', async () => {
  const account = await service.newAccount();
  const { path } = await send(service, account, await noiseImage(1200, 900).jpeg().toBuffer());
  const answers = await Promise.all(Array.from({ length: 100 }, () => ask(path, 'w=640&format=webp')));
  assert.equal(new Set(answers.map(({ answer }) => answer.headers.etag)).size, 1);
  assert.equal(variantFiles(service, account).length, 1);

  // A variant that another process is making is awaited.
  await ask(path, 'w=320&format=webp');
  const { rows } = await service.db.query(
    `update file_variants set bytes = null, lease_until = $2, spec = replace(spec, '320x', '480x')
     where account_id = $1 and spec like '320x%' returning storage_key`,
    [account.uuid, new Date(service.clock.now + 60_000)],
  );
  await service.db.query(`update file_variants set spec = '480x360.webp.q75' where storage_key = $1`, [
    rows[0].storage_key,
  ]);
  const waiting = ask(path, 'w=480&format=webp');
  await new Promise((resume) => setTimeout(resume, 200));
  await service.db.query('update file_variants set bytes = $2 where storage_key = $1', [
    rows[0].storage_key,
    statSync(join(service.dataDir, 'files', rows[0].storage_key)).size,
  ]);
  assert.deepEqual((await waiting).size, [320, 240], 'it is the one of the other process');
});

test('a variant whose process died is made by the next, and its blob is deleted', async () => {
  const account = await service.newAccount();
  const { path } = await send(service, account, await noiseImage(60, 40).png().toBuffer());
  await ask(path, 'w=32');
  const { rows } = await service.db.query(
    `update file_variants set bytes = null, spec = '48x32.png', lease_until = $2 where account_id = $1 returning storage_key`,
    [account.uuid, new Date(service.clock.now - 1)],
  );
  assert.deepEqual((await ask(path, 'w=48')).size, [48, 32]);
  await cleanUp(service);
  assert.ok(!storedFiles(service).some((each) => each.endsWith(rows[0].storage_key)));
  assert.equal(variantFiles(service, account).length, 1);
});

test('a variant whose blob is missing is made again', async () => {
  const account = await service.newAccount();
  const { path } = await send(service, account, await noiseImage(60, 40).png().toBuffer());
  const first = await ask(path, 'w=32');
  rmSync(join(service.dataDir, 'files', account.uuid, 'variants'), { recursive: true });
  const second = await ask(path, 'w=32');
  assert.ok(second.bytes.equals(first.bytes));
});

test('variants are deleted with their file', async () => {
  const account = await service.newAccount();
  const bytes = await noiseImage(60, 40).png().toBuffer();
  const { path, assetId } = await send(service, account, bytes);
  const twin = await send(service, account, bytes);
  await ask(path, 'w=32');
  await service.call(`DELETE /v1/files/${assetId}`, { as: account });
  assert.equal((await service.app.inject(`${path}?w=32`)).statusCode, 404);
  assert.deepEqual((await ask(twin.path, 'w=32')).size, [32, 21], 'a file with the same content shares them');
  await service.call(`DELETE /v1/files/${twin.assetId}`, { as: account });
  assert.deepEqual(variantFiles(service, account), []);
  const left = await service.db.query('select from file_variants where account_id = $1', [account.uuid]);
  assert.equal(left.rowCount, 0);
});

test('a file deleted while a variant is being made leaves nothing behind', async () => {
  const account = await service.newAccount();
  for (let round = 0; round < 4; round++) {
    const { path, assetId } = await send(
      service,
      account,
      await noiseImage(900 + round, 600)
        .jpeg()
        .toBuffer(),
    );
    const response = service.app.inject(`${path}?w=640&format=webp`);
    await new Promise((resume) => setTimeout(resume, round * 16));
    await service.call(`DELETE /v1/files/${assetId}`, { as: account });
    const { statusCode } = await response;
    assert.ok([200, 404, 500].includes(statusCode), String(statusCode));
  }
  service.clock.now += 3_600_000;
  await cleanUp(service);
  assert.deepEqual(
    storedFiles(service).filter((each) => each.includes(account.uuid)),
    [],
  );
  assert.equal(
    (await service.db.query('select from orphaned_blobs where account_id = $1', [account.uuid])).rowCount,
    0,
  );
});

test('variants that no client waits for are not made, and do not delay those of other accounts', async () => {
  const [one, other] = [await service.newAccount(), await service.newAccount()];
  const large = await send(service, one, await noiseImage(3000, 2000).jpeg().toBuffer());
  const small = await send(service, other, await noiseImage(60, 40).png().toBuffer());
  const port = await portOf(service);
  const sizes = service.config.files.variantSizes.slice(0, 20);
  const queries = [40, 50, 60, 70, 75].flatMap((q) => sizes.map((w) => `w=${w}&q=${q}&format=webp`));
  const clients = queries.map((query) => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.write(`GET ${large.path}?${query} HTTP/1.1\r\nhost: test\r\n\r\n`);
    return socket;
  });
  const making = async () => Number(/^headwater_variants_making (\d+)/m.exec((await metrics()).body)?.[1]);
  const metrics = () => service.app.inject('/metrics');
  await until(async () => (await making()) > 50);
  assert.deepEqual((await ask(small.path, 'w=32')).size, [32, 21], 'another account has its own queue');
  for (const socket of clients) socket.destroy();
  await until(async () => (await making()) <= 2);
  const made = variantFiles(service, one).length;
  assert.ok(made < queries.length / 2, `${made} variants were made`);
  assert.deepEqual((await ask(large.path, `w=${sizes[19]}&q=90&format=webp`)).size[0], sizes[19]);
});

test('an AVIF that takes too much memory to decode is served as stored', async () => {
  const account = await service.newAccount();
  const bytes = videoFixture('large.avif');
  const { path } = await send(service, account, bytes);
  const before = process.memoryUsage.rss();
  const { size, bytes: served } = await ask(path, 'w=320&format=webp');
  assert.deepEqual([size, served.equals(bytes)], [[4200, 4000], true]);
  assert.ok(process.memoryUsage.rss() - before < 100 * 1_048_576);
});

test('the least recently used variants are evicted when there is no room', async () => {
  const small = await testService({ FILE_VARIANTS_MB: '1' });
  const account = await small.newAccount();
  const { path } = await send(small, account, await noiseImage(2000, 1500).jpeg({ quality: 100 }).toBuffer());
  const sizes = [640, 800, 960, 1080, 1200];
  for (const w of sizes) {
    await ask(path, `w=${w}&q=90`, {}, small);
    small.clock.now += 1_000;
  }
  await small.db.query("update file_variants set used_at = $1 where spec like '640x%'", [new Date(small.clock.now)]);
  const storage = openStorage(small.config);
  const deps = { db: small.db, config: small.config, clock: () => small.clock.now, metrics: { gauge() {} }, storage };
  await new Variants(deps as never).evict();
  const { rows } = await small.db.query('select spec, bytes from file_variants');
  assert.ok(rows.reduce((sum, { bytes }) => sum + bytes, 0) <= 1_048_576);
  assert.ok(rows.length > 0 && rows.length < sizes.length);
  assert.ok(
    rows.some(({ spec }) => spec.startsWith('640x')),
    'the most recently used one stays',
  );
  assert.equal(variantFiles(small, account).length, rows.length);
  for (const w of sizes) assert.equal((await small.app.inject(`${path}?w=${w}&q=90`)).statusCode, 200);
});

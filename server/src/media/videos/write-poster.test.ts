import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import sharp from 'sharp';
import { thumbHashToRGBA } from 'thumbhash';
import { testService } from '../../../test/harness.ts';
import { upload } from '../../files/test-support.ts';
import { FIXTURES, noiseImage } from '../test-media.ts';
import { readVideo } from './read-video.ts';
import { extractStillImage } from './still-image.ts';
import { writePoster } from './write-poster.ts';

const folder = mkdtempSync(join(tmpdir(), 'headwater-poster-'));
after(() => rmSync(folder, { recursive: true }));

test('a video gets a poster without a video decoder: its cover, or a key frame of VP8 or AV1', async () => {
  for (const name of ['cover.mp4', 'vp8.webm', 'av1.webm', 'av1.mp4']) {
    const path = join(FIXTURES, name);
    const video = await readVideo(path);
    const still = await extractStillImage(path, video.durationSeconds);
    assert.ok(still, name);
    const to = join(folder, `${name}.webp`);
    const poster = await writePoster(still, video, to);
    const size = name === 'cover.mp4' ? [40, 30] : [96, 64];
    assert.deepEqual([poster?.width, poster?.height], size, name);
    const { format, width, height } = await sharp(to).metadata();
    assert.deepEqual([format, width, height], ['webp', ...size], name);
    const { channels, isOpaque } = await sharp(to).stats();
    const isDetailed = channels.some(({ stdev }) => stdev > 20);
    assert.ok(isOpaque && isDetailed !== (name === 'cover.mp4'), 'a frame is detailed, the cover is plain red');
  }
  assert.equal(await extractStillImage(join(FIXTURES, 'plain.mp4'), 0.5), undefined);
});

test('a file without a poster answers 404 for it', async () => {
  const service = await testService();
  const account = await service.newAccount();
  const { body } = await upload(service, account, await noiseImage(20, 10).png().toBuffer());
  assert.equal((await service.app.inject(`${new URL(body.url).pathname}?poster=true`)).statusCode, 404);
});

test("an image's thumbhash has its colors and shape", async () => {
  const service = await testService();
  const account = await service.newAccount();
  const red = { create: { width: 300, height: 100, channels: 3, background: '#d01020' } } as const;
  for (const format of ['jpeg', 'png', 'webp', 'avif', 'gif'] as const) {
    const { body } = await upload(service, account, await sharp(red).toFormat(format).toBuffer());
    const { thumbhash } = (await service.call(`GET /v1/files/${body.assetId}`, { as: account })).body;
    const hash = Buffer.from(thumbhash, 'base64');
    assert.ok(hash.length >= 5 && hash.length <= 30, `${hash.length} bytes`);
    const { w, h, rgba } = thumbHashToRGBA(hash);
    assert.ok(w > 2 * h, `${format}: ${w} by ${h}`);
    const [r = 0, g = 0, b = 0] = rgba;
    assert.ok(r > 170 && g < 60 && b < 80, `${format}: ${r} ${g} ${b}`);
  }
});

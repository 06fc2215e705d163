import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import sharp from 'sharp';
import { thumbHashToRGBA } from 'thumbhash';
import { testService } from '../../test/harness.ts';
import { inspectFilm } from './inspect-film.ts';
import { writePicture } from './poster.ts';
import { film, picture, upload } from './test-support.ts';

const folder = mkdtempSync(join(tmpdir(), 'headwater-poster-'));
after(() => rmSync(folder, { recursive: true }));

test('a film has a picture without any decoder of films: its cover, or a key frame of VP8 or AV1', async () => {
  for (const name of ['cover.mp4', 'vp8.webm', 'av1.webm', 'av1.mp4']) {
    const media = await inspectFilm(join(import.meta.dirname, 'fixtures', name));
    assert.ok(media.picture, name);
    const to = join(folder, `${name}.webp`);
    assert.ok(await writePicture(media.picture, media, to), name);
    const { format, width, height } = await sharp(to).metadata();
    assert.deepEqual([format, width, height], ['webp', ...(name === 'cover.mp4' ? [40, 30] : [96, 64])], name);
    const { channels, isOpaque } = await sharp(to).stats();
    assert.ok(
      isOpaque && channels.some(({ stdev }) => stdev > 20) !== (name === 'cover.mp4'),
      'it is the picture, or one red',
    );
  }
  const media = await inspectFilm(join(import.meta.dirname, 'fixtures', 'plain.mp4'));
  assert.equal(media.picture, undefined);
});

test('a film tells of its picture, which is served, and goes with it', async () => {
  const service = await testService();
  const account = await service.newAccount();
  const { body } = await upload(service, account, [{ filename: 'a.webm', body: film('vp8.webm') }]);
  const told = (await service.call(`GET /v1/files/${body.assetId}`, { as: account })).body;
  assert.deepEqual([told.codec, told.posterUrl], ['vp8', `${body.url}?poster=true`]);
  const { pathname, search } = new URL(told.posterUrl);
  const served = await service.app.inject(pathname + search);
  assert.deepEqual([served.statusCode, served.headers['content-type']], [200, 'image/webp']);
  const { width, height } = await sharp(served.rawPayload).metadata();
  assert.deepEqual([width, height], [96, 64]);
  assert.ok(told.thumbhash);
  await service.call(`DELETE /v1/files/${body.assetId}`, { as: account });
  assert.equal((await service.app.inject(pathname + search)).statusCode, 404);
  assert.equal((await service.db.query('select from unowned_files')).rowCount, 0);
});

test('of a file without a picture of its own none is served', async () => {
  const service = await testService();
  const account = await service.newAccount();
  const { body } = await upload(service, account, await picture(20, 10).png().toBuffer());
  assert.equal((await service.app.inject(`${new URL(body.url).pathname}?poster=true`)).statusCode, 404);
});

test('a picture tells a placeholder of its own colours and shape', async () => {
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

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { longestBlock } from '../../../test/event-loop.ts';
import { testService } from '../../../test/harness.ts';
import { BOUNDARY, MULTIPART, storedFiles, uploadsInProgress } from '../../files/test-support.ts';
import { ApiError } from '../../shared/errors.ts';
import { decodeThumbhash, readImage } from '../images/read-image.ts';
import { stripMetadata } from '../images/strip-metadata.ts';
import { MediaService } from '../index.ts';
import { noiseImage, swellingVideo, videoFixture } from '../test-media.ts';

const service = await testService();
const folder = mkdtempSync(join(tmpdir(), 'headwater-hostile-'));
const media = new MediaService(folder);
after(() => media.stop());
const path = join(folder, 'file');
const { imagePixels: maxPixels } = service.config.limits;

const inspect = (type: 'video' | 'image' | 'svg', accountId = 'account') =>
  media.inspect(accountId, { path, type, maxPixels, keepMetadata: true });
after(() => rmSync(folder, { recursive: true }));

/** The bytes with some of them changed, and perhaps truncated. */
const damaged = (bytes: Buffer) =>
  fc
    .tuple(
      fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 20 }),
      fc.option(fc.nat(bytes.length)),
    )
    .map(([changes, length]) => {
      const copy = Buffer.from(bytes);
      for (const [offset, value] of changes) copy[offset] = value;
      return copy.subarray(0, length ?? undefined);
    });

test('a corrupted video is accepted or refused, without any other error', async () => {
  for (const name of ['plain.mp4', 'fragmented.mp4', 'plain.mov', 'plain.webm', 'live.webm']) {
    await fc.assert(
      fc.asyncProperty(damaged(videoFixture(name)), async (bytes) => {
        writeFileSync(path, bytes);
        const video = await inspect('video').catch((error) => error);
        if (video instanceof ApiError) return assert.equal(video.status, 400);
        assert.ok(Number.isSafeInteger(video.width) && video.width > 0);
        assert.ok(Number.isSafeInteger(video.height) && video.height > 0);
        assert.ok(video.durationSeconds === null || video.durationSeconds >= 0);
      }),
      { numRuns: 15 },
    );
  }
});

test('a corrupted image is accepted or refused, without any other error', async () => {
  for (const format of ['jpeg', 'png', 'gif', 'webp', 'avif'] as const) {
    const bytes = await noiseImage(30, 20).toFormat(format, { effort: 1 }).toBuffer();
    await fc.assert(
      fc.asyncProperty(damaged(bytes), async (changed) => {
        writeFileSync(path, changed);
        const image = await readImage(path, maxPixels)
          .then(async (image) => {
            rmSync(`${path}.stripped`, { force: true });
            await stripMetadata(path, `${path}.stripped`, image.mediaType, image.orientation);
            await decodeThumbhash(path, image, maxPixels);
            return image;
          })
          .catch((error) => error);
        if (image instanceof ApiError) assert.equal(image.status, 400);
        else assert.ok(image.width * image.height <= maxPixels);
      }),
      { numRuns: 60 },
    );
  }
});

/** An MP4 box with its content. */
function box(type: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8, 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}

test('a video that makes its parser run out of memory is refused, and the event loop is not blocked', async () => {
  writeFileSync(path, swellingVideo());
  const refusal = { code: 'file_corrupt', message: /more memory or time/ };
  const blocked = await longestBlock(() => assert.rejects(inspect('video'), refusal));
  assert.ok(blocked < 250, `the event loop was blocked for ${blocked} units`);
});

test('a video with an excessively large index is refused without being loaded', async () => {
  const ftyp = box('ftyp', Buffer.from('isom\0\0\0\0isom', 'latin1'));
  writeFileSync(path, Buffer.concat([ftyp, box('moov', Buffer.alloc(130 * 1_048_576))]));
  const before = process.memoryUsage.rss();
  await assert.rejects(inspect('video'), { code: 'file_corrupt', message: /more memory or time/ });
  assert.ok(process.memoryUsage.rss() - before < 100 * 1_048_576);
});

test('a video with a million empty boxes is accepted', async () => {
  const parts = Buffer.alloc(8_000_000, box('free'));
  writeFileSync(path, Buffer.concat([videoFixture('plain.mp4'), parts]));
  assert.equal((await inspect('video')).width, 96);
});

test('any request body is answered with 200 or 400, and leaves nothing behind', async () => {
  const account = await service.newAccount();
  const png = await noiseImage(8, 8).png().toBuffer();
  mkdirSync(join(service.dataDir, 'files'), { recursive: true });
  const fragment = fc.oneof(
    fc
      .constantFrom(
        `--${BOUNDARY}`,
        `\r\n--${BOUNDARY}`,
        `\r\n--${BOUNDARY}--\r\n`,
        '\r\n',
        '\r\n\r\n',
        '\r',
        '\n',
        '-',
        'content-disposition: form-data; name="file"; filename="a.png"\r\n\r\n',
        'content-disposition: form-data; name="file"; filename="a\r\nb"\r\n',
        "content-disposition: form-data; name=file; filename*=UTF-8''%ff%00.png\r\n\r\n",
        "content-disposition: form-data; name=file; filename*=x-none'en'a.png\r\n\r\n",
        'content-disposition: form-data; name="file"\r\ncontent-type: application/octet-stream\r\n\r\n',
        'content-disposition: form-data\r\n',
        'content-disposition\r\n',
        `x: ${'y'.repeat(20_000)}\r\n`,
      )
      .map((text) => Buffer.from(text)),
    fc.constant(png),
    fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fragment, { maxLength: 12 }), async (fragments) => {
      const before = storedFiles(service).length;
      const body = Buffer.concat(fragments);
      const answer = await service.call('POST /v1/files/upload', { as: account, body, headers: MULTIPART });
      assert.ok(answer.status === 200 || answer.status === 400, JSON.stringify(answer.body));
      assert.ok(storedFiles(service).length <= before + (answer.status === 200 ? 1 : 0));
      assert.deepEqual(uploadsInProgress(service), []);
    }),
    { numRuns: 300 },
  );
});

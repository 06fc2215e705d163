import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { testService } from '../../test/harness.ts';
import { ApiError } from '../shared/errors.ts';
import { inspectFilm } from './inspect-film.ts';
import { decodeImage, readImage } from './inspect-image.ts';
import { stripMetadata } from './strip-metadata.ts';
import { BOUNDARY, film, MULTIPART, picture, storedFiles, uploadsUnderWay } from './test-support.ts';

const service = await testService();
const folder = mkdtempSync(join(tmpdir(), 'headwater-hostile-'));
const path = join(folder, 'file');
after(() => rmSync(folder, { recursive: true }));

/** The bytes with some of them changed, and perhaps cut. */
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

test('a film whose bytes were changed is read or refused, and harms nothing', async () => {
  for (const name of ['plain.mp4', 'fragmented.mp4', 'plain.mov', 'plain.webm', 'live.webm']) {
    await fc.assert(
      fc.asyncProperty(damaged(film(name)), async (bytes) => {
        writeFileSync(path, bytes);
        const media = await inspectFilm(path).catch((error) => error);
        if (media instanceof ApiError) return assert.equal(media.status, 400);
        assert.ok(Number.isSafeInteger(media.width) && media.width > 0);
        assert.ok(Number.isSafeInteger(media.height) && media.height > 0);
        assert.ok(media.durationSeconds === null || media.durationSeconds >= 0);
      }),
      { numRuns: 15 },
    );
  }
});

test('an image whose bytes were changed is read or refused, and harms nothing', async () => {
  for (const format of ['jpeg', 'png', 'gif', 'webp', 'avif'] as const) {
    const bytes = await picture(30, 20).toFormat(format, { effort: 1 }).toBuffer();
    await fc.assert(
      fc.asyncProperty(damaged(bytes), async (changed) => {
        writeFileSync(path, changed);
        const { limits } = service.config;
        const media = await readImage(path, limits)
          .then(async (image) => {
            rmSync(`${path}.stripped`, { force: true });
            await stripMetadata(path, `${path}.stripped`, image.mediaType, image.orientation);
            await decodeImage(path, image, limits);
            return image;
          })
          .catch((error) => error);
        if (media instanceof ApiError) assert.equal(media.status, 400);
        else assert.ok(media.width * media.height <= service.config.limits.imagePixels);
      }),
      { numRuns: 60 },
    );
  }
});

/** A box of MP4 around what it holds. */
function box(type: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8, 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}

test('a film that makes its parser swell is refused, while the service goes on', async () => {
  const bytes = film('plain.mp4');
  // The first length of time in its index is given to 654 million frames.
  bytes[1767] = 0x27;
  writeFileSync(path, bytes);
  let turns = 0;
  const watch = setInterval(() => turns++, 1);
  await assert.rejects(inspectFilm(path), { code: 'file_corrupt' });
  clearInterval(watch);
  assert.ok(turns > 50, `${turns} turns of the event loop`);
});

test('a film whose index is larger than any film needs is refused without being loaded', async () => {
  const ftyp = box('ftyp', Buffer.from('isom\0\0\0\0isom', 'latin1'));
  writeFileSync(path, Buffer.concat([ftyp, box('moov', Buffer.alloc(130 * 1_048_576))]));
  const before = process.memoryUsage.rss();
  await assert.rejects(inspectFilm(path), { code: 'file_corrupt' });
  assert.ok(process.memoryUsage.rss() - before < 100 * 1_048_576);
});

test('a film of a million empty parts is read in time', async () => {
  const parts = Buffer.alloc(8_000_000, box('free'));
  writeFileSync(path, Buffer.concat([film('plain.mp4'), parts]));
  assert.equal((await inspectFilm(path)).width, 96);
});

test('any body whatever is answered with 200 or 400, and leaves nothing', async () => {
  const account = await service.newAccount();
  const png = await picture(8, 8).png().toBuffer();
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
      assert.deepEqual(uploadsUnderWay(service), []);
    }),
    { numRuns: 300 },
  );
});

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import sharp from 'sharp';
import { testService } from '../../../test/harness.ts';
import { upload } from '../../files/test-support.ts';
import { noiseImage, videoFixture } from '../test-media.ts';
import { readVideo } from '../videos/read-video.ts';
import { stripLocation } from '../videos/strip-location.ts';
import { inspectMedia } from '../worker/inspect-media.ts';
import { stripAvif } from './strip-avif.ts';
import { stripMetadata } from './strip-metadata.ts';

const folder = mkdtempSync(join(tmpdir(), 'headwater-strip-'));
after(() => rmSync(folder, { recursive: true }));
const [from, to] = [join(folder, 'from'), join(folder, 'to')];

const FORMATS = ['jpeg', 'png', 'webp', 'avif'] as const;
const PLACE = 'PLACE-48.8577N';
const XMP = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="${PLACE}"/></rdf:RDF></x:xmpmeta>`;

/** An image with a location, in every way its format supports. */
function withLocation(format: (typeof FORMATS)[number], orientation: number): Promise<Buffer> {
  return noiseImage(40, 30)
    .withMetadata({ orientation })
    .withExifMerge({
      IFD0: { Artist: PLACE, Copyright: PLACE },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '48/1 51/1 27/1' },
    })
    .withXmp(XMP)
    .withIccProfile('p3')
    .toFormat(format)
    .toBuffer();
}

async function strip(bytes: Buffer, mediaType: string, orientation = 1) {
  writeFileSync(from, bytes);
  rmSync(to, { force: true });
  const result = await stripMetadata(from, to, mediaType, orientation);
  if (typeof result !== 'object') return result;
  const out = readFileSync(to);
  assert.equal(result.bytes, out.length);
  assert.ok(result.sha256.equals(createHash('sha256').update(out).digest()));
  return out;
}

const pixels = (bytes: Buffer) => sharp(bytes, { pages: -1 }).autoOrient().raw().toBuffer();

test('location and other metadata are removed, and every pixel stays identical', async () => {
  for (const format of FORMATS) {
    for (const orientation of [1, 6]) {
      const bytes = await withLocation(format, orientation);
      assert.ok(bytes.includes(PLACE), 'the location is there before');
      const before = await sharp(bytes).metadata();
      const out = await strip(bytes, `image/${format}`, before.orientation ?? 1);
      assert.ok(Buffer.isBuffer(out), format);
      assert.ok(!out.includes(PLACE), format);
      assert.ok(!/gps/i.test(out.toString('latin1')), format);
      const after = await sharp(out).metadata();
      assert.deepEqual(
        [after.autoOrient, after.orientation ?? 1, after.icc],
        [before.autoOrient, before.orientation ?? 1, before.icc],
        format,
      );
      assert.ok((await pixels(out)).equals(await pixels(bytes)), format);
      if (format !== 'avif') {
        assert.ok((after.exif?.length ?? 0) <= 40, 'only the orientation is left of EXIF');
        const again = await strip(out, `image/${format}`, before.orientation ?? 1);
        assert.ok(again === 'unchanged' || (Buffer.isBuffer(again) && again.equals(out)), 'stripping is idempotent');
      }
    }
  }
});

test('an image without metadata is unchanged', async () => {
  for (const format of [...FORMATS, 'gif'] as const) {
    for (const options of [{}, { progressive: true }, { lossless: true }]) {
      const bytes = await noiseImage(40, 30).toFormat(format, options).toBuffer();
      assert.equal(await strip(bytes, `image/${format}`), 'unchanged', `${format} ${JSON.stringify(options)}`);
    }
  }
});

test('data appended to an image is removed, be it another image with a location or another file', async () => {
  const second = await withLocation('jpeg', 1);
  for (const format of ['jpeg', 'png', 'webp', 'gif'] as const) {
    const bytes = await noiseImage(40, 30).toFormat(format).toBuffer();
    for (const tail of [second, Buffer.from('PK\x03\x04 a zip'), Buffer.from('<script>alert(1)</script>')]) {
      const out = await strip(Buffer.concat([bytes, tail]), `image/${format}`);
      assert.ok(Buffer.isBuffer(out) && out.equals(bytes), format);
    }
  }
});

test('a JPEG without its end marker is accepted, and nothing that a camera appended to it is served', async () => {
  const MADE = 'MADE-2026-11-28T10:00';
  const image = noiseImage(120, 90).withMetadata({ orientation: 6 });
  const film = videoFixture('plain.mp4');
  for (const progressive of [false, true]) {
    const whole = await image.clone().jpeg({ progressive }).toBuffer();
    const pixels = await sharp(whole).autoOrient().raw().toBuffer();
    const endless = whole.subarray(0, -2);
    const appended: [name: string, bytes: Buffer][] = [
      ['nothing', Buffer.alloc(0)],
      ['zeros', Buffer.alloc(500)],
      ['a text', Buffer.from(MADE)],
      ['a marked text', Buffer.concat([Buffer.from([0xff, 0xfe, 0, 40]), Buffer.from(MADE.padEnd(60))])],
      ['a film', Buffer.concat([Buffer.from(MADE), film])],
    ];
    for (const [name, more] of appended) {
      for (const [kind, bytes] of [
        ['without end', Buffer.concat([endless, more])],
        ['with end', Buffer.concat([whole, more])],
      ] as const) {
        const path = join(folder, 'endless');
        for (const each of ['', '.stripped', '.pixels']) rmSync(path + each, { force: true });
        writeFileSync(path, bytes);
        const media = await inspectMedia({ path, type: 'image', maxPixels: 1e8, keepMetadata: false });
        assert.deepEqual([media.width, media.height], [90, 120]);
        const served = readFileSync(media.path);
        assert.ok(!served.includes(MADE) && !served.includes('ftyp'), `${name} ${kind}`);
        assert.deepEqual([...served.subarray(-2)], [0xff, 0xd9]);
        const { data, info } = await sharp(served).autoOrient().raw().toBuffer({ resolveWithObject: true });
        assert.deepEqual([info.width, info.height], [90, 120]);
        const difference = data.reduce((sum, value, i) => sum + Math.abs(value - (pixels[i] ?? 0)), 0) / data.length;
        assert.ok(difference < 6, `${name} ${kind}: ${difference}`);
        if (kind === 'with end') assert.equal(difference, 0);
      }
    }
    for (const part of [0.5, 0.9]) {
      const path = join(folder, 'cut');
      writeFileSync(path, whole.subarray(0, Math.floor(whole.length * part)));
      const inspected = inspectMedia({ path, type: 'image', maxPixels: 1e8, keepMetadata: false });
      await assert.rejects(inspected, { code: 'file_corrupt' });
    }
    const kept = join(folder, 'kept');
    writeFileSync(kept, endless);
    assert.equal((await inspectMedia({ path: kept, type: 'image', maxPixels: 1e8, keepMetadata: true })).path, kept);
  }
});

test('zeros after the end of a file do not make it incomplete', async () => {
  const avif = await noiseImage(40, 30).avif().toBuffer();
  for (const [type, bytes] of [
    ['image', avif],
    ['image', await noiseImage(40, 30).png().toBuffer()],
    ['image', await noiseImage(40, 30).webp().toBuffer()],
    ['image', await noiseImage(40, 30).gif().toBuffer()],
    ['video', videoFixture('plain.mp4')],
    ['video', videoFixture('plain.mov')],
    ['video', videoFixture('plain.webm')],
  ] as const) {
    for (const zeros of [1, 3, 7, 8, 100]) {
      const path = join(folder, `zeros-${zeros}`);
      for (const each of ['', '.stripped']) rmSync(path + each, { force: true });
      writeFileSync(path, Buffer.concat([bytes, Buffer.alloc(zeros)]));
      const { width } = await inspectMedia({ path, type, maxPixels: 1e8, keepMetadata: false });
      assert.ok(width > 0);
    }
  }
});

test('an animation keeps its frames and loses comments and application data', async () => {
  const frames = await sharp(await Promise.all([1, 2, 3].map(() => noiseImage(20, 10).png().toBuffer())), {
    join: { animated: true },
  })
    .gif({ loop: 3, delay: [100, 200, 300] })
    .toBuffer();
  const comment = Buffer.concat([Buffer.from([0x21, 0xfe, PLACE.length]), Buffer.from(PLACE), Buffer.from([0])]);
  const xmp = Buffer.concat([
    Buffer.from([0x21, 0xff, 11]),
    Buffer.from('XMP DataXMP'),
    Buffer.from([PLACE.length]),
    Buffer.from(PLACE),
    Buffer.from([0]),
  ]);
  const tables = 13 + ((frames[10] ?? 0) & 0x80 ? 3 << (((frames[10] ?? 0) & 7) + 1) : 0);
  const annotated = Buffer.concat([frames.subarray(0, tables), comment, xmp, frames.subarray(tables)]);
  const out = await strip(annotated, 'image/gif');
  assert.ok(Buffer.isBuffer(out) && out.equals(frames));
  const { pages, loop, delay } = await sharp(out).metadata();
  assert.deepEqual([pages, loop, delay], [3, 3, [100, 200, 300]]);
});

test('the location is removed from a video, and nothing else', async () => {
  for (const name of ['place-user-data.mov', 'place.mov']) {
    writeFileSync(from, videoFixture(name));
    assert.ok(videoFixture(name).includes('48.8577'));
    assert.equal(await stripLocation(from), true, name);
    const out = readFileSync(from);
    assert.ok(!out.includes('48.8577'), name);
    assert.equal(out.length, videoFixture(name).length);
    assert.equal((await readVideo(from)).width, 96);
    if (name === 'place.mov') assert.ok(out.includes('Apple'), 'other metadata stays');
  }
  for (const name of ['plain.mp4', 'plain.mov', 'fragmented.mp4', 'anamorphic.mp4']) {
    writeFileSync(from, videoFixture(name));
    assert.equal(await stripLocation(from), false, name);
    assert.ok(readFileSync(from).equals(videoFixture(name)));
  }
});

test('uploads are stored and served without location, unless FILE_METADATA=keep', async () => {
  const [service, keeping] = [await testService(), await testService({ FILE_METADATA: 'keep' })];
  const bytes = await withLocation('jpeg', 6);
  for (const [each, keeps] of [
    [service, false],
    [keeping, true],
  ] as const) {
    const account = await each.newAccount();
    const { body } = await upload(each, account, bytes);
    assert.deepEqual([body.width, body.height], [30, 40]);
    const served = (await each.app.inject(new URL(body.url).pathname)).rawPayload;
    assert.equal(served.includes(PLACE), keeps);
    assert.equal(served.equals(bytes), keeps);
    const file = (await each.call(`GET /v1/files/${body.assetId}`, { as: account })).body;
    assert.equal(file.bytes, served.length);
    const moved = await upload(each, account, videoFixture('place-user-data.mov'));
    const movedVideo = (await each.app.inject(new URL(moved.body.url).pathname)).rawPayload;
    assert.equal(movedVideo.includes('48.8577'), keeps);
  }
});

test('an AVIF that claims billions of empty extents is read at once', async () => {
  const box = (type: string, ...content: Buffer[]) => {
    const body = Buffer.concat(content);
    const head = Buffer.alloc(8);
    head.writeUInt32BE(body.length + 8, 0);
    head.write(type, 4, 'latin1');
    return Buffer.concat([head, body]);
  };
  // 65,535 items of 65,535 extents each, whose offsets and lengths have no bytes.
  const items = Buffer.alloc(65_535 * 6, 0xff);
  const iloc = box('iloc', Buffer.from([0, 0, 0, 0, 0, 0, 0xff, 0xff]), items);
  const bytes = box('meta', Buffer.alloc(4), iloc);
  const read = async (at: number, length: number) => bytes.subarray(at, at + length);
  assert.deepEqual(await stripAvif(read, bytes.length), [{ start: 0, end: bytes.length }]);
});

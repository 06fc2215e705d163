import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import sharp from 'sharp';
import { testService } from '../../test/harness.ts';
import { inspectFilm } from './inspect-film.ts';
import { stripFilmLocation } from './strip-film.ts';
import { stripMetadata } from './strip-metadata.ts';
import { film, picture, upload } from './test-support.ts';

const folder = mkdtempSync(join(tmpdir(), 'headwater-strip-'));
after(() => rmSync(folder, { recursive: true }));
const [from, to] = [join(folder, 'from'), join(folder, 'to')];

const FORMATS = ['jpeg', 'png', 'webp', 'avif'] as const;
const PLACE = 'PLACE-48.8577N';
const XMP = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="${PLACE}"/></rdf:RDF></x:xmpmeta>`;

/** A picture that tells where it was made, in every way that its format has. */
function placed(format: (typeof FORMATS)[number], orientation: number): Promise<Buffer> {
  return picture(40, 30)
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

test('a picture does not tell any more where it was made, and not a pixel of it is other', async () => {
  for (const format of FORMATS) {
    for (const orientation of [1, 6]) {
      const bytes = await placed(format, orientation);
      assert.ok(bytes.includes(PLACE), 'it did tell');
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
        assert.ok((after.exif?.length ?? 0) <= 40, 'of EXIF the orientation alone is left');
        const again = await strip(out, `image/${format}`, before.orientation ?? 1);
        assert.ok(
          again === 'as it was' || (Buffer.isBuffer(again) && again.equals(out)),
          'there is nothing more to take',
        );
      }
    }
  }
});

test('a picture without metadata stays as it was', async () => {
  for (const format of [...FORMATS, 'gif'] as const) {
    for (const options of [{}, { progressive: true }, { lossless: true }]) {
      const bytes = await picture(40, 30).toFormat(format, options).toBuffer();
      assert.equal(await strip(bytes, `image/${format}`), 'as it was', `${format} ${JSON.stringify(options)}`);
    }
  }
});

test('what is appended to a picture goes: another picture with a place of its own, or another file', async () => {
  const second = await placed('jpeg', 1);
  for (const format of ['jpeg', 'png', 'webp', 'gif'] as const) {
    const bytes = await picture(40, 30).toFormat(format).toBuffer();
    for (const tail of [second, Buffer.from('PK\x03\x04 a zip'), Buffer.from('<script>alert(1)</script>')]) {
      const out = await strip(Buffer.concat([bytes, tail]), `image/${format}`);
      assert.ok(Buffer.isBuffer(out) && out.equals(bytes), format);
    }
  }
});

test('an animation keeps its frames, and loses its comments and foreign blocks', async () => {
  const frames = await sharp(await Promise.all([1, 2, 3].map(() => picture(20, 10).png().toBuffer())), {
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
  const told = Buffer.concat([frames.subarray(0, tables), comment, xmp, frames.subarray(tables)]);
  const out = await strip(told, 'image/gif');
  assert.ok(Buffer.isBuffer(out) && out.equals(frames));
  const { pages, loop, delay } = await sharp(out).metadata();
  assert.deepEqual([pages, loop, delay], [3, 3, [100, 200, 300]]);
});

test('a film does not tell any more where it was made, and plays as before', async () => {
  for (const name of ['place-user-data.mov', 'place.mov']) {
    writeFileSync(from, film(name));
    assert.ok(film(name).includes('48.8577'));
    assert.equal(await stripFilmLocation(from), true, name);
    const out = readFileSync(from);
    assert.ok(!out.includes('48.8577'), name);
    assert.equal(out.length, film(name).length);
    assert.equal((await inspectFilm(from)).width, 96);
    if (name === 'place.mov') assert.ok(out.includes('Apple'), 'nothing else is gone');
  }
  for (const name of ['plain.mp4', 'plain.mov', 'fragmented.mp4', 'anamorphic.mp4']) {
    writeFileSync(from, film(name));
    assert.equal(await stripFilmLocation(from), false, name);
    assert.ok(readFileSync(from).equals(film(name)));
  }
});

test('what is stored and served of an upload tells no place, unless it is asked to be kept', async () => {
  const [service, keeping] = [await testService(), await testService({ FILE_METADATA: 'keep' })];
  const bytes = await placed('jpeg', 6);
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
    const told = (await each.call(`GET /v1/files/${body.assetId}`, { as: account })).body;
    assert.equal(told.bytes, served.length);
    const moved = await upload(each, account, film('place-user-data.mov'));
    const movie = (await each.app.inject(new URL(moved.body.url).pathname)).rawPayload;
    assert.equal(movie.includes('48.8577'), keeps);
  }
});

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Logging, LogLevel } from 'mediabunny';
import { readFilm } from './read-film.ts';
import { film, picture } from './test-support.ts';
import { isWholeFile } from './whole-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'headwater-film-'));
const path = join(folder, 'file');
after(() => rmSync(folder, { recursive: true }));
Logging.level = LogLevel.Silent;

function read(bytes: Buffer) {
  writeFileSync(path, bytes);
  return readFilm(path);
}

test('a film that was cut, at whatever byte, is not taken for whole', async () => {
  for (const name of ['plain.mp4', 'anamorphic.mp4', 'plain.mov', 'plain.webm']) {
    const bytes = film(name);
    for (let length = bytes.length - 1; length > 0; length -= length > bytes.length - 40 ? 1 : 37) {
      assert.equal(await read(bytes.subarray(0, length)), 'corrupt', `${name} cut to ${length}`);
    }
  }
});

test('an AVIF that was cut is seen to be, without being decoded', async () => {
  const bytes = await picture(30, 20).avif({ effort: 0 }).toBuffer();
  writeFileSync(path, bytes);
  assert.equal(await isWholeFile(path), true);
  for (let length = bytes.length - 1; length > bytes.length - 100; length -= 7) {
    writeFileSync(path, bytes.subarray(0, length));
    assert.equal(await isWholeFile(path), false);
  }
});

test('bytes that follow the last box of a film, as some cameras append, do no harm', async () => {
  for (const tail of [Buffer.alloc(64), Buffer.alloc(64, 0xff)]) {
    const report = await read(Buffer.concat([film('plain.mp4'), tail]));
    assert.deepEqual(report, {
      mediaType: 'video/mp4',
      width: 96,
      height: 64,
      durationSeconds: 0.5,
      codec: 'avc',
      animated: false,
      picture: undefined,
    });
  }
});

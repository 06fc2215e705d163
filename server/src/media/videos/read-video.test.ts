import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { isComplete } from '../containers/is-complete.ts';
import { detectType, guessVideoType } from '../detect-type.ts';
import { noiseImage, videoFixture } from '../test-media.ts';
import { readVideo, type VideoInfo } from './read-video.ts';

const folder = mkdtempSync(join(tmpdir(), 'headwater-video-'));
const path = join(folder, 'file');
after(() => rmSync(folder, { recursive: true }));

async function read(bytes: Buffer) {
  writeFileSync(path, bytes);
  return readVideo(path).catch((error: { code?: string }) => error.code);
}

test('a truncated video is detected, whichever byte it ends at', async () => {
  for (const name of ['plain.mp4', 'anamorphic.mp4', 'plain.mov', 'plain.webm']) {
    const bytes = videoFixture(name);
    for (let length = bytes.length - 1; length > 0; length -= length > bytes.length - 40 ? 1 : 37) {
      assert.equal(await read(bytes.subarray(0, length)), 'file_corrupt', `${name} cut to ${length}`);
    }
  }
});

test('a QuickTime film from before files named their brands is read', async () => {
  for (const type of ['wide', 'free', 'skip']) {
    const bytes = Buffer.from(videoFixture('plain.mov'));
    assert.equal(bytes.toString('latin1', 4, 8), 'ftyp');
    bytes.fill(0, 8, bytes.readUInt32BE(0)).write(type, 4, 'latin1');
    const { mediaType, width, codec } = (await read(bytes)) as VideoInfo;
    assert.deepEqual([mediaType, width, codec], ['video/quicktime', 96, 'avc']);
    assert.equal(detectType(bytes), 'video');
    assert.equal(guessVideoType(bytes), 'video/quicktime');
    for (let length = bytes.length - 1; length > 0; length -= 97) {
      assert.equal(await read(bytes.subarray(0, length)), 'file_corrupt', `cut to ${length}`);
    }
  }
});

test('a truncated AVIF is detected without decoding it', async () => {
  const bytes = await noiseImage(30, 20).avif({ effort: 0 }).toBuffer();
  writeFileSync(path, bytes);
  assert.equal(await isComplete(path), true);
  for (let length = bytes.length - 1; length > bytes.length - 100; length -= 7) {
    writeFileSync(path, bytes.subarray(0, length));
    assert.equal(await isComplete(path), false);
  }
});

test('bytes after the last box of a video, which some cameras append, are ignored', async () => {
  for (const tail of [Buffer.alloc(64), Buffer.alloc(64, 0xff)]) {
    const report = await read(Buffer.concat([videoFixture('plain.mp4'), tail]));
    assert.deepEqual(report, {
      mediaType: 'video/mp4',
      width: 96,
      height: 64,
      durationSeconds: 0.5,
      codec: 'avc',
      animated: false,
      hasStillImage: false,
    });
  }
});

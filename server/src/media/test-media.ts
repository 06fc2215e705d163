import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';

export const FIXTURES = join(import.meta.dirname, 'fixtures');

export function videoFixture(name: string): Buffer {
  return readFileSync(join(FIXTURES, name));
}

/** An image with detail, so that truncating it loses pixels. */
export function noiseImage(width: number, height: number): Sharp {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
  return sharp({ create: { width, height, channels: 3, background: '#000', noise } });
}

/** A video followed by a `free` box of this size, which players skip, filled by `fill`. */
export function paddedVideo(size: number, fill: (box: Buffer) => void = () => {}): Buffer {
  const box = Buffer.alloc(size);
  fill(box);
  box.writeUInt32BE(size, 0);
  box.write('free', 4, 'latin1');
  return Buffer.concat([videoFixture('plain.mp4'), box]);
}

/** A 2 kB video whose parser allocates gigabytes. */
export function swellingVideo(): Buffer {
  const bytes = videoFixture('plain.mp4');
  // The first duration in its index claims to apply to 654 million frames.
  bytes[1767] = 0x27;
  return bytes;
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
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

/** A GIF of one colour in this many equal frames. */
export async function longGif(width: number, height: number, frames: number): Promise<Buffer> {
  const gif = await sharp({ create: { width, height, channels: 3, background: '#0a0' } })
    .gif()
    .toBuffer();
  const start = 13 + ((gif[10] ?? 0) & 0x80 ? 3 << (((gif[10] ?? 0) & 7) + 1) : 0);
  const frame = gif.subarray(start, -1);
  return Buffer.concat([gif.subarray(0, start), ...Array.from({ length: frames }, () => frame), gif.subarray(-1)]);
}

/** An APNG of this many equal frames. */
export async function animatedPng(width: number, height: number, frames: number): Promise<Buffer> {
  const png = await noiseImage(width, height).png({ compressionLevel: 9 }).toBuffer();
  const parts: Buffer[] = [png.subarray(0, 33), pngChunk('acTL', numbers(frames, 0))];
  const data: Buffer[] = [];
  for (let at = 33; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  let sequence = 0;
  for (let frame = 0; frame < frames; frame++) {
    const delay = Buffer.from([0, 1, 0, 10, 0, 0]);
    parts.push(pngChunk('fcTL', Buffer.concat([numbers(sequence++, width, height, 0, 0), delay])));
    for (const each of data) {
      parts.push(frame === 0 ? pngChunk('IDAT', each) : pngChunk('fdAT', Buffer.concat([numbers(sequence++), each])));
    }
  }
  return Buffer.concat([...parts, png.subarray(-12)]);
}

function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value, i * 4);
  return bytes;
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([numbers(data.length), body, numbers(crc32(body))]);
}

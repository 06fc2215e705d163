import { crc32, deflateSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { thumbHashToRGBA } from 'thumbhash';

/** The longer side in pixels: browsers enlarge it smoothly. */
const SIZE = 8;
const CACHED = 5_000;

const known = new LRUCache<string, string>({ max: CACHED });

/** A blurred preview of an image as a `data:` URL of about 300 characters, from its ThumbHash. */
export function placeholderOf(thumbhash: Buffer): string {
  const name = thumbhash.toString('base64');
  const found = known.get(name) ?? encode(thumbhash);
  known.set(name, found);
  return found;
}

function encode(thumbhash: Buffer): string {
  const { w, h, rgba } = thumbHashToRGBA(thumbhash);
  const scale = Math.min(1, SIZE / Math.max(w, h));
  const [width, height] = [Math.max(1, Math.round(w * scale)), Math.max(1, Math.round(h * scale))];
  // Each row starts with the number of its filter: none.
  const rows = Buffer.alloc(height * (1 + width * 4));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = (Math.floor(((y + 0.5) * h) / height) * w + Math.floor(((x + 0.5) * w) / width)) * 4;
      rows.set(rgba.subarray(from, from + 4), y * (1 + width * 4) + 1 + x * 4);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits per channel, with alpha.
  header.set([8, 6], 8);
  const png = Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
  return `data:image/png;base64,${png.toString('base64')}`;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

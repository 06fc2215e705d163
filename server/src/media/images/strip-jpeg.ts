import { keepRange, type Read, type Slice } from '../containers/slices.ts';
import { orientationExif } from './orientation-exif.ts';

const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const SCAN_BYTES = 32_768;

/**
 * JPEG: segments, of which a scan is followed by its data. Bytes appended after the end of the image are dropped. Without an end
 * marker, they cannot be told from the image.
 */
export async function stripJpeg(read: Read, size: number, orientation: number): Promise<Slice[] | undefined> {
  const slices: Slice[] = [];
  keepRange(slices, 0, 2);
  if (orientation > 1) slices.push(exifSegment(orientation));
  let at = 2;
  while (at + 2 <= size) {
    const head = await read(at, 18);
    const marker = head[1] ?? 0;
    if (head[0] !== 0xff || marker === SOI) return undefined;
    if (marker === EOI) {
      keepRange(slices, at, at + 2);
      return slices;
    }
    // Any number of fill bytes (0xff) may precede a marker.
    if (marker === 0xff) {
      at++;
      continue;
    }
    let end = at + 2 + (head.length < 4 ? size : head.readUInt16BE(2));
    if (end > size) return undefined;
    const isKept = affectsDisplay(marker, head);
    if (marker === SOS) end = await endOfScan(read, end, size);
    if (isKept) keepRange(slices, at, end);
    at = end;
  }
  return undefined;
}

/** Of a JPEG without an end marker: where its last scan ends, with whatever follows it up to the next 0xff. */
export async function endOfPixels(read: Read, size: number): Promise<number> {
  let end = size;
  for (let at = 2; at + 4 <= size; ) {
    const head = await read(at, 4);
    const marker = head[1] ?? 0;
    // Tables, scans, application data and comments.
    if (head[0] !== 0xff || !(marker >= 0xc0 && marker !== SOI && marker !== EOI)) break;
    at += 2 + head.readUInt16BE(2);
    if (marker === SOS) at = end = await endOfScan(read, at, size);
  }
  return Math.min(end, size);
}

/** Of the application segments, those that define the pixels' meaning stay. Comments do not. */
function affectsDisplay(marker: number, head: Buffer): boolean {
  if (marker === 0xfe) return false;
  if (marker < 0xe0 || marker > 0xef) return true;
  const name = head.toString('latin1', 4, 18);
  if (marker === 0xe0) return name.startsWith('JFIF\0');
  if (marker === 0xe2) return name.startsWith('ICC_PROFILE\0');
  return marker === 0xee && name.startsWith('Adobe');
}

/** Finds the next marker: within scan data 0xff is followed by 0 or by a restart number. */
async function endOfScan(read: Read, from: number, size: number): Promise<number> {
  for (let at = from; at < size; at += SCAN_BYTES) {
    const chunk = await read(at, SCAN_BYTES + 1);
    for (
      let i = chunk.indexOf(0xff);
      i >= 0 && i < SCAN_BYTES && i + 1 < chunk.length;
      i = chunk.indexOf(0xff, i + 1)
    ) {
      const next = chunk[i + 1] ?? 0;
      if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at + i;
    }
  }
  return size;
}

function exifSegment(orientation: number): Buffer {
  const exif = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), orientationExif(orientation)]);
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(exif.length + 2, 2);
  return Buffer.concat([head, exif]);
}

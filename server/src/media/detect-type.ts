import { xmlEncoding } from './svg/xml-encoding.ts';

/** The parser that a file's content calls for, and the limits that apply to it. */
export type DetectedType = 'image' | 'video' | 'svg';

/** How many bytes `detectType` needs: an SVG may start with long comments. */
export const DETECT_BYTES = 65_536;

const hasText = (head: Buffer, offset: number, text: string) =>
  head.toString('latin1', offset, offset + text.length) === text;

/**
 * Detects the type from the first bytes, so that the right limits apply while the file is still arriving. The parser
 * decides in the end. Returns undefined for unsupported types.
 */
export function detectType(head: Buffer): DetectedType | undefined {
  if (hasText(head, 0, '\xff\xd8\xff')) return 'image';
  if (hasText(head, 0, '\x89PNG\r\n\x1a\n')) return 'image';
  if (hasText(head, 0, 'GIF87a') || hasText(head, 0, 'GIF89a')) return 'image';
  if (hasText(head, 0, 'RIFF') && hasText(head, 8, 'WEBP')) return 'image';
  // EBML: WebM, or Matroska, which the parser refuses.
  if (hasText(head, 0, '\x1a\x45\xdf\xa3')) return 'video';
  if (hasText(head, 4, 'ftyp')) return detectByBrands(head);
  if (isOldQuickTime(head)) return 'video';
  const text = new TextDecoder(xmlEncoding(head)).decode(head).trimStart();
  return text.startsWith('<') && /<(?:\w+:)?svg[\s/>]/.test(text) ? 'svg' : undefined;
}

/** The media type that a video probably has, by its first bytes. */
export function guessVideoType(head: Buffer): string {
  if (isOldQuickTime(head)) return 'video/quicktime';
  if (hasText(head, 4, 'ftyp')) return hasText(head, 8, 'qt  ') ? 'video/quicktime' : 'video/mp4';
  return 'video/webm';
}

/** QuickTime from before files named their brands: it starts with its index, its data, or space. */
export function isOldQuickTime(head: Buffer): boolean {
  const type = head.toString('latin1', 4, 8);
  const content = head.length >= 16 ? head.toString('latin1', 12, 16) : '';
  // Four letters of a text would be a length of more than 512 MB.
  if (head.length < 8 || head.readUInt32BE(0) > 0x20000000) return false;
  if (type === 'moov') return ['mvhd', 'cmov', 'rmra'].includes(content);
  return ['mdat', 'wide', 'free', 'skip', 'pnot'].includes(type);
}

/** AVIF and HEIC share MP4's container: the brands distinguish them. */
function detectByBrands(head: Buffer): DetectedType | undefined {
  const end = Math.min(head.length, head.readUInt32BE(0));
  const brands: string[] = [];
  for (let offset = 8; offset + 4 <= end; offset += offset === 8 ? 8 : 4) {
    brands.push(head.toString('latin1', offset, offset + 4));
  }
  if (brands.some((brand) => brand === 'avif' || brand === 'avis')) return 'image';
  return ['mif1', 'msf1', 'heic', 'heix', 'hevc', 'hevx', 'crx '].includes(brands[0] ?? '') ? undefined : 'video';
}

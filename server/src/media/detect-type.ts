/** The parser that a file's content calls for, and the limits that apply to it. */
export type DetectedType = 'image' | 'video' | 'svg';

/** How many bytes `detectType` needs. */
export const DETECT_BYTES = 4096;

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
  const text = head
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart();
  return text.startsWith('<') && /<(?:\w+:)?svg[\s/>]/.test(text) ? 'svg' : undefined;
}

/** The media type that a video probably has, by its first bytes. */
export function guessVideoType(head: Buffer): string {
  if (hasText(head, 4, 'ftyp')) return hasText(head, 8, 'qt  ') ? 'video/quicktime' : 'video/mp4';
  return 'video/webm';
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

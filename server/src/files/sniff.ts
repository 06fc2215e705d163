/** What a file is by its first bytes: what of it can be taken, and what is worth its own refusal. */
export type Sniffed = 'image' | 'video' | 'svg' | undefined;

/** So many bytes are enough to tell. */
export const SNIFF_BYTES = 4096;

const at = (head: Buffer, offset: number, text: string) =>
  head.toString('latin1', offset, offset + text.length) === text;

/**
 * Tells images from films by their signatures, so that each is held to its own limits while it still arrives and is
 * handed to the right parser. The parser has the last word.
 */
export function sniff(head: Buffer): Sniffed {
  if (at(head, 0, '\xff\xd8\xff')) return 'image';
  if (at(head, 0, '\x89PNG\r\n\x1a\n')) return 'image';
  if (at(head, 0, 'GIF87a') || at(head, 0, 'GIF89a')) return 'image';
  if (at(head, 0, 'RIFF') && at(head, 8, 'WEBP')) return 'image';
  // EBML: WebM, or Matroska, which the parser refuses.
  if (at(head, 0, '\x1a\x45\xdf\xa3')) return 'video';
  if (at(head, 4, 'ftyp')) return sniffBrands(head);
  const text = head
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart();
  return text.startsWith('<') && /<(?:\w+:)?svg[\s/>]/.test(text) ? 'svg' : undefined;
}

/** Still images use the container of MP4 as well: the brands tell. Of those AVIF is taken, HEIC is not. */
function sniffBrands(head: Buffer): Sniffed {
  const end = Math.min(head.length, head.readUInt32BE(0));
  const brands: string[] = [];
  for (let offset = 8; offset + 4 <= end; offset += offset === 8 ? 8 : 4) {
    brands.push(head.toString('latin1', offset, offset + 4));
  }
  if (brands.some((brand) => brand === 'avif' || brand === 'avis')) return 'image';
  return ['mif1', 'msf1', 'heic', 'heix', 'hevc', 'hevx', 'crx '].includes(brands[0] ?? '') ? undefined : 'video';
}

import type { AssetValue } from '../../files/index.ts';
import { publicId, uuidTime } from '../../shared/ids.ts';
import { isoTime } from '../../shared/time.ts';
import type { Collection } from '../collections/collection.ts';
import { type EntryFrame, type EntryJsonRow, isoOf } from '../entries/entry-json.ts';
import { RICH_TEXT, type RichTextFormat } from '../entries/present-rich-text.ts';
import type { Presentation } from '../entries/serialize-entry.ts';
import { publishedLocalesOf } from '../locales/published-locales.ts';

/** A published entry as JSON around its values. @param redirectTo its slug, if it was read by another one */
export function publicEntryFrame(
  { locales: account }: Collection,
  { id, updated_at, ...row }: Pick<EntryJsonRow, 'id' | 'updated_at' | 'version' | 'published_locales'>,
  redirectTo?: string,
): EntryFrame {
  const published = { ...row, published_version: row.version };
  const locales = account ? `,"locales":${JSON.stringify(Object.keys(publishedLocalesOf(account, published)))}` : '';
  const redirect = redirectTo === undefined ? '' : `,"redirectTo":"${redirectTo}"`;
  return [
    `{"id":"${publicId('ent', id)}","values":`,
    `,"publishedAt":"${isoOf(updated_at)}","createdAt":"${isoTime(uuidTime(id))}"${locales}${redirect}}`,
  ];
}

/** An entry as it would be published now. `publishedAt` is null if it is not. */
export function previewEntryFrame({ id, published_at }: Pick<EntryJsonRow, 'id' | 'published_at'>): EntryFrame {
  const publishedAt = published_at ? `"${isoOf(published_at)}"` : 'null';
  return [
    `{"id":"${publicId('ent', id)}","values":`,
    `,"publishedAt":${publishedAt},"createdAt":"${isoTime(uuidTime(id))}"}`,
  ];
}

/** An expanded entry also has its collection, because a field can reference entries of several. */
export const expandedJson = (collectionId: string, json: string): string =>
  `{"collectionId":"${collectionId}",${json.slice(1)}`;

/** @param sizes widths of image variants */
export const presentationOf = (sizes: readonly number[], richText: RichTextFormat = 'json'): Presentation => ({
  asset: (asset) => withSrcset(asset, sizes),
  richText: RICH_TEXT[richText],
});

/** The widths of a `srcset`, of those that images can be resized to. */
const SRCSET = new Set([320, 640, 960, 1280, 1920]);

/** An image with the addresses of smaller variants, for the `srcset` of an `img` element. */
function withSrcset(asset: AssetValue, sizes: readonly number[]): AssetValue & { srcset?: string } {
  const { url, type, width } = asset;
  if (type !== 'image' || !width || /\.svg$/.test(url)) return asset;
  const smaller = sizes.filter((size) => SRCSET.has(size) && size < width);
  if (smaller.length === 0) return asset;
  return { ...asset, srcset: smaller.map((size) => `${url}?w=${size}&format=webp ${size}w`).join(', ') };
}

import { publicId, uuidTime } from '../../shared/ids.ts';
import { isoTime } from '../../shared/time.ts';
import type { Collection } from '../collections/collection.ts';
import { type EntryFrame, type EntryJsonRow, isoOf } from '../entries/entry-json.ts';
import { RICH_TEXT, type RichTextFormat } from '../entries/present-rich-text.ts';
import type { Presentation } from '../entries/serialize-entry.ts';
import { publishedLocalesOf } from '../locales/published-locales.ts';

/** A published entry as JSON around its values. @param redirectTo its slug, if it was read by another one @param members more, each after a comma */
export function publicEntryFrame(
  { locales: account }: Collection,
  { id, updated_at, ...row }: Pick<EntryJsonRow, 'id' | 'updated_at' | 'version' | 'published_locales'>,
  redirectTo?: string,
  members = '',
): EntryFrame {
  const published = { ...row, published_version: row.version };
  const locales = account ? `,"locales":${JSON.stringify(Object.keys(publishedLocalesOf(account, published)))}` : '';
  const redirect = redirectTo === undefined ? '' : `,"redirectTo":"${redirectTo}"`;
  return [
    `{"id":"${publicId('ent', id)}","values":`,
    `,"publishedAt":"${isoOf(updated_at)}","createdAt":"${isoTime(uuidTime(id))}"${locales}${members}${redirect}}`,
  ];
}

/** An entry as it would be published now. `publishedAt` is null if it is not. @param members as above */
export function previewEntryFrame(
  { id, published_at }: Pick<EntryJsonRow, 'id' | 'published_at'>,
  members = '',
): EntryFrame {
  const publishedAt = published_at ? `"${isoOf(published_at)}"` : 'null';
  return [
    `{"id":"${publicId('ent', id)}","values":`,
    `,"publishedAt":${publishedAt},"createdAt":"${isoTime(uuidTime(id))}"${members}}`,
  ];
}

/** An expanded entry also has its collection, because a field can reference entries of several. */
export const expandedJson = (collectionId: string, json: string): string =>
  `{"collectionId":"${collectionId}",${json.slice(1)}`;

export const presentationOf = (
  richText: RichTextFormat | undefined,
  linkUrls: Required<Presentation>['linkUrls'],
): Presentation => ({ richText: RICH_TEXT[richText ?? 'json'], linkUrls });

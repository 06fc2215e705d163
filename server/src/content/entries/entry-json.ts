import { type AnyUuid, publicId, uuidTime } from '../../shared/ids.ts';
import { isoTime } from '../../shared/time.ts';
import type { Collection, Status } from '../collections/collection.ts';
import type { CollectionLocales } from '../locales/contract.ts';
import { type PublishedLocales, publishedLocalesOf } from '../locales/published-locales.ts';

/** The columns of an entry; times are as PostgreSQL writes them, or in milliseconds since 1970. */
export interface EntryJsonRow {
  id: AnyUuid;
  status: Status;
  version: number;
  updated_at: string | number;
  published_version?: number | null | undefined;
  published_at?: string | number | null | undefined;
  /** JSON text, or what it contains. */
  published_locales?: PublishedLocales | string | null | undefined;
}

/** What precedes and what follows the values in the JSON of an entry. Both consist of ASCII characters. */
export type EntryFrame = [before: string, after: string];

/** An entry as JSON with the text of its values, the only part that can contain characters that JSON escapes. */
export function entryJson(collection: Collection, row: EntryJsonRow, values: string): string {
  return entryFrame(collection, row).join(values);
}

function entryFrame(
  { publicId: collectionId, publishing, locales, locale }: Collection,
  row: EntryJsonRow,
): EntryFrame {
  const { id, status, version, updated_at, published_version = null, published_at = null } = row;
  const publishedAt = published_at === null ? 'null' : `"${isoOf(published_at)}"`;
  const published = publishing ? `"publishedVersion":${published_version},"publishedAt":${publishedAt},` : '';
  const inLocales = locales ? localeMembers(locales, locale, publishing, row) : '';
  return [
    `{"id":"${publicId('ent', id)}","collectionId":"${collectionId}","values":`,
    `,"status":"${status}","version":${version},${published}${inLocales}"createdAt":"${isoTime(uuidTime(id))}","updatedAt":"${isoOf(updated_at)}"}`,
  ];
}

/** Those of an entry in an account with locales. */
export function localeMembers(
  locales: CollectionLocales,
  locale: string | undefined,
  publishing: boolean,
  row: EntryJsonRow,
): string {
  const published = publishing ? `"publishedLocales":${JSON.stringify(publishedLocalesOf(locales, row))},` : '';
  return locale === undefined ? published : `${published}"locale":"${locale}",`;
}

/** Converts a time as PostgreSQL writes it, `2026-11-20 08:00:00.12+00`. A time in UTC needs no parsing. */
export function isoOf(text: string | number): string {
  if (typeof text === 'number') return isoTime(text);
  if (!text.endsWith('+00') || text.length > 26) return isoTime(new Date(text));
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(3, '0')}Z`;
}

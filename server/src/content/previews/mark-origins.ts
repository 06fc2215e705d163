import { readJson } from '../../shared/json.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { Collection, SchemaView } from '../collections/collection.ts';
import { fieldsOfRow, isActive, type NestedField } from '../collections/field.ts';
import { canonicalLocale } from '../locales/check-locales.ts';
import { markHtml, markMarkdown, markTree } from './mark-rich-text.ts';

/** Where a text comes from. The client reads it by `originOf`. */
interface Origin {
  entryId: string;
  collectionId: string;
  /** Empty: the field is not localized. */
  locale: string;
}

interface PublicEntry {
  id: string;
  values: Record<string, unknown>;
}

/**
 * Adds to the texts of a preview, as invisible characters at their end, from which entry and field they come. Not to slugs, URLs, selects,
 * numbers, dates and whatever else programs read.
 * @param body an entry or a page, as public content is returned
 * @param locale that of the request
 */
export async function markOrigins(
  { db, cache }: { db: Tx; cache: SchemaView },
  accountId: string,
  collectionId: string,
  locale: string | undefined,
  body: string | Buffer,
): Promise<string> {
  const text = body.toString();
  const expanded = [...text.matchAll(/"collectionId":"(col_\w+)"/g)].map(([, id]) => id ?? '');
  const found = await cache.loadCurrent(db, accountId, [...new Set([collectionId, ...expanded])], true);
  const collections = new Map(found.map((collection) => [collection.publicId, collection]));
  const requested = locale === undefined ? undefined : canonicalLocale(locale);

  const markEntry = ({ id, values }: PublicEntry, collection: Collection | undefined) => {
    for (const field of collection?.fields ?? []) {
      const shown = field.localized ? (requested ?? collection?.locales?.default ?? '') : '';
      const origin = { entryId: id, collectionId: collection?.publicId ?? '', locale: shown };
      values[field.id] = markValue(origin, field, values[field.id], field.id);
      if (values[field.id] === undefined) delete values[field.id];
    }
  };
  const markValue = (origin: Origin, field: NestedField, value: unknown, path: string): unknown => {
    if (value == null || !isActive(field) || field.computed !== undefined) return value;
    if (Array.isArray(value))
      return value.map((item, i) => markItem(origin, field, item, `${path}.${rowName(item, i)}`));
    return markItem(origin, field, value, path);
  };
  const markItem = (origin: Origin, field: NestedField, item: unknown, path: string): unknown => {
    if (field.type === 'group') {
      const row = item as Record<string, unknown>;
      for (const each of fieldsOfRow(field, row)) {
        if (Object.hasOwn(row, each.id)) row[each.id] = markValue(origin, each, row[each.id], `${path}.${each.id}`);
      }
    } else if (field.format === 'reference') {
      const target = item as PublicEntry & { collectionId?: string };
      if (typeof target === 'object' && target.values) markEntry(target, collections.get(target.collectionId ?? ''));
    } else if (field.type === 'asset') {
      const asset = item as { alt?: unknown };
      if (typeof asset.alt === 'string') asset.alt = markText(origin, path, asset.alt);
    } else if (field.type === 'text') return markFormat(origin, field, item, path);
    return item;
  };

  const parsed: PublicEntry | { entries: PublicEntry[] } = readJson(text);
  for (const entry of 'entries' in parsed ? parsed.entries : [parsed]) markEntry(entry, collections.get(collectionId));
  return JSON.stringify(parsed);
}

/** A row is named by its ID, as others can be inserted before it. */
const rowName = (item: unknown, index: number) => (item as { _id?: string } | null)?._id ?? String(index);

function markFormat(origin: Origin, { format }: NestedField, value: unknown, path: string): unknown {
  if (format === undefined) return markText(origin, path, value as string);
  if (format !== 'markdown' && format !== 'richtext') return value;
  const mark = markOf(origin, path, 0);
  if (typeof value !== 'string') return markTree(value as object, mark);
  return format === 'richtext' && value.startsWith('<') ? markHtml(value, mark) : markMarkdown(value, mark);
}

/** What a page may use other than to show it. */
const FOR_PROGRAMS = /^(?:(?:https?|mailto|tel|data):\S*|[/#.]\S*|[\d\s.,:/+TZ-]*)$/;

function markText(origin: Origin, path: string, text: string): string {
  return FOR_PROGRAMS.test(text) ? text : text + markOf(origin, path, text.length);
}

/** Four characters that no font draws, which are the digits of bytes. */
const DIGITS = '\u2061\u2062\u2063\u2064';
/** Starts and ends a mark. */
const FRAME = '\u2060';

/** @param length that of the text before the mark; 0: the page shows the text in its own way */
function markOf({ entryId, collectionId, locale }: Origin, path: string, length: number): string {
  const digits = [...Buffer.from(`${entryId}/${collectionId}/${path}/${locale}/${length}`)].map((byte) =>
    [6, 4, 2, 0].map((shift) => DIGITS[(byte >> shift) & 3]).join(''),
  );
  return FRAME + digits.join('') + FRAME;
}

import type { Tx } from '../../shared/postgres/database.ts';
import { type Collection, isActive, publishedView } from '../collections/collection.ts';
import type { Values } from '../entries/check-values.ts';
import type { Entry } from '../entries/contract.ts';
import {
  diffIndexRows,
  type IndexRow,
  indexRowsOf,
  type SortKeys,
  searchTextOf,
  sortKeysOf,
} from '../entries/index-entry.ts';
import type { WritableEntryRow } from '../entries/queries.ts';
import { serializeEntry, serializeValues } from '../entries/serialize-entry.ts';
import { claimKeys, type EntryKey, keysAmong, type ValuePointer } from '../entries/unique-keys.ts';
import type { WriteContext } from '../entries/write-context.ts';
import { filterBitmapOf } from '../listing/filter-bitmap.ts';
import { translationId } from '../locales/check-locales.ts';
import { publishedLocalesOf } from '../locales/published-locales.ts';
import { deletePublishedRows, findPublishedRows, insertPublished, type PublishedRow } from './queries.ts';

// The only code that writes published entries. The transaction has locked the entries, and checked what is published.

/** An entry with the values and the version to publish. */
export interface PublishableRow extends WritableEntryRow {
  /** The version of the entry, if another one is published. */
  current_version?: number;
  /** The locales whose values change, if fields are localized. */
  changed_locales?: readonly string[];
  /** If locales are unpublished: what was published, whose slugs subscribers receive. */
  values_before?: Values;
}

type Writing = Pick<WriteContext, 'author' | 'now' | 'publicUrl'>;

/**
 * Publishes a version of entries.
 * @throws ApiError 400 `value_taken`
 */
export async function writePublished(
  tx: Tx,
  { author, now, publicUrl }: Writing,
  collection: Collection,
  entries: readonly PublishableRow[],
  pointer?: ValuePointer,
  topic: 'entry.published' | 'entry.unpublished' = 'entry.published',
): Promise<Entry[]> {
  const { accountId } = author;
  const view = publishedView(collection);
  const stored = entries.map((entry): Values => JSON.parse(entry.values));
  const serialized = await serializeValues(tx, accountId, collection, stored, publicUrl);
  const rowsBefore = await publishedRows(tx, accountId, view, entries);
  const returned: Entry[] = [];
  const deleted: EntryKey[] = [];
  const inserted: EntryKey[] = [];
  const written: (EntryKey & { filter_bitmap: string })[] = [];
  const published = entries.map((entry, i) => {
    const { id, version } = entry;
    const values = stored[i] ?? {};
    const keys = sortKeysOf(view, values);
    const filter_bitmap = filterBitmapOf(view.fields, keys);
    const rows = diffIndexRows(rowsBefore.get(id) ?? [], rowsOf(view, keys));
    for (const row of rows.deleted) deleted.push({ ...row, entry_id: id });
    for (const row of rows.inserted) inserted.push({ ...row, entry_id: id });
    for (const row of [...rows.inserted, ...rows.kept]) written.push({ ...row, entry_id: id, filter_bitmap });
    const published_at = new Date(Math.max(entry.published_at?.getTime() ?? 0, now));
    const published = { published_version: version, published_at };
    const after = { ...entry, version: entry.current_version ?? version, ...published };
    const result = serializeEntry(collection, after, serialized[i] ?? {});
    returned.push(result);
    return {
      id,
      version,
      stored: entry.values,
      sort_keys: JSON.stringify(keys),
      filter_bitmap,
      search_text: searchTextOf(view, values) ?? null,
      created_at: entry.created_at,
      published_at,
      locales: entry.published_locales ? JSON.stringify(entry.published_locales) : null,
      returned: JSON.stringify(withSlug(collection, result, entry.values_before ?? values, entry.changed_locales)),
    };
  });
  await claimKeys(tx, accountId, view, keysAmong(view, deleted), keysAmong(view, inserted), pointer);
  const scope = { account_id: accountId, collection_id: collection.id };
  await insertPublished(tx, { ...scope, entries: published, deleted_rows: deleted, written_rows: written, topic, now });
  return returned;
}

/** Unpublishes entries that are published. */
export async function deletePublished(
  tx: Tx,
  { author, now, publicUrl }: Writing,
  collection: Collection,
  entries: readonly WritableEntryRow[],
): Promise<Entry[]> {
  const { accountId: account_id } = author;
  const view = publishedView(collection);
  const stored = entries.map((entry): Values => JSON.parse(entry.values));
  const serialized = await serializeValues(tx, account_id, collection, stored, publicUrl);
  const found = await publishedNow(tx, account_id, entries);
  const slugs = new Map(found.map((row) => [row.id, JSON.parse(row.values) as Values]));
  const deleted = found.flatMap(({ id, sort_keys }) =>
    rowsOf(view, sort_keys).map((row) => ({ ...row, entry_id: id })),
  );
  const returned = entries.map((entry, i) =>
    serializeEntry(
      collection,
      { ...entry, published_version: null, published_at: null, published_locales: null },
      serialized[i] ?? {},
    ),
  );
  const unpublished = entries.map(({ id }, i) => {
    const row = found.find((each) => each.id === id);
    const locales = collection.locales && row ? publishedLocalesOf(collection.locales, asEntry(row)) : undefined;
    const result =
      returned[i] && withSlug(collection, returned[i], slugs.get(id) ?? {}, locales && Object.keys(locales));
    return { id, returned: JSON.stringify(result) };
  });
  await claimKeys(tx, account_id, view, keysAmong(view, deleted), []);
  await deletePublishedRows(tx, {
    account_id,
    collection_id: collection.id,
    entries: unpublished,
    deleted_rows: deleted,
    now,
  });
  return returned;
}

/** The index rows of what is published now, by entry. */
async function publishedRows(
  tx: Tx,
  account_id: string,
  view: Collection,
  entries: readonly WritableEntryRow[],
): Promise<Map<string, IndexRow[]>> {
  const found = await publishedNow(tx, account_id, entries);
  return new Map(found.map(({ id, sort_keys }) => [id, rowsOf(view, sort_keys)]));
}

async function publishedNow(tx: Tx, account_id: string, entries: readonly WritableEntryRow[]) {
  const ids = entries.flatMap(({ id, published_version }) => (published_version == null ? [] : [id]));
  return ids.length === 0 ? [] : findPublishedRows(tx, { account_id, ids });
}

/**
 * For subscribers, who rebuild the page of that slug.
 * @param values as they are or were published
 * @param locales those that changed, if fields are localized
 */
function withSlug({ byId, fields }: Collection, entry: Entry, values: Values, locales?: readonly string[]) {
  const field = fields.find((each) => each.format === 'slug' && isActive(each));
  const slug = field && { slug: values[field.id] ?? null };
  if (!locales) return { ...entry, ...slug };
  const slugOf = (locale: string) => {
    const translated = field && byId.get(translationId(field.id, locale));
    return [locale, (translated && values[translated.id]) ?? slug?.slug ?? null];
  };
  return { ...entry, ...slug, locales, ...(field?.localized && { slugs: Object.fromEntries(locales.map(slugOf)) }) };
}

/** What is published of an entry, as columns of the entry. */
export const asEntry = ({ version, locales }: Pick<PublishedRow, 'version' | 'locales'>) => ({
  published_version: version,
  published_locales: locales,
});

/** Deleted fields keep the rows of their values. */
function rowsOf({ fields }: Collection, keys: SortKeys): IndexRow[] {
  return indexRowsOf(
    keys,
    fields.filter((field) => isActive(field) || keys[field.key]),
  );
}

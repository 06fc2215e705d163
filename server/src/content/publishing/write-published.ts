import { readJson } from '../../shared/json.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { mapInTurns } from '../../shared/turns.ts';
import { changesOf, type PublicState } from '../changes/record-changes.ts';
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
import { claimKeys, type EntryKey, keyChanges, type ValuePointer } from '../entries/unique-keys.ts';
import type { WriteContext } from '../entries/write-context.ts';
import { filterBitmapOf } from '../listing/filter-bitmap.ts';
import { translationId } from '../locales/check-locales.ts';
import { publishedLocalesOf } from '../locales/published-locales.ts';
import { deletePublishedRows, findPublishedRows, insertPublished, markPartial, type PublishedRow } from './queries.ts';

// The only code that writes published entries. The transaction has locked the entries, and checked what is published.

/** An entry with the values and the version to publish. */
export interface PublishableRow extends WritableEntryRow {
  /** The version of the entry, if another one is published. */
  current_version?: number;
  /** The locales whose values change, if fields are localized. */
  changed_locales?: readonly string[];
  /** Whether values that are not localized change as well. */
  changes_shared?: boolean;
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
  const stored = await mapInTurns(entries, (entry): Values => readJson(entry.values));
  const serialized = await serializeValues(tx, accountId, collection, stored, publicUrl);
  const publishedBefore = new Map((await publishedNow(tx, accountId, entries)).map((row) => [row.id, row]));
  const returned: Entry[] = [];
  const deleted: EntryKey[] = [];
  const released: EntryKey[] = [];
  const claimed: EntryKey[] = [];
  const written: (EntryKey & { filter_bitmap: string })[] = [];
  const published = await mapInTurns(entries, (entry, i) => {
    const { id, version } = entry;
    const values = stored[i] ?? {};
    const keys = sortKeysOf(view, values);
    const filter_bitmap = filterBitmapOf(view.fields, keys);
    const before = publishedBefore.get(id)?.sort_keys;
    const rows = diffIndexRows(before ? rowsOf(view, before) : [], rowsOf(view, keys));
    for (const row of rows.deleted) deleted.push({ ...row, entry_id: id });
    const unique = keyChanges(view, id, before, keys);
    released.push(...unique.released);
    claimed.push(...unique.claimed);
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
  await claimKeys(tx, accountId, view, released, claimed, pointer);
  const scope = { account_id: accountId, collection_id: collection.id };
  const changes = await mapInTurns(entries, (entry, i) => {
    const { id, version, published_locales: locales = null, changed_locales } = entry;
    const is = { values: stored[i] ?? {}, version, locales };
    const isPartial = topic === 'entry.unpublished';
    return changesOf(collection, id, stateOf(publishedBefore.get(id)), is, isPartial ? [] : changed_locales);
  });
  const main = collection.locales?.default ?? '';
  const isPartial = entries.some(({ published_locales: locales }) => locales != null && locales[main] === undefined);
  if (isPartial && !collection.row.partial) await markPartial(tx, scope);
  await insertPublished(tx, {
    ...scope,
    ...{ entries: published, deleted_rows: deleted, written_rows: written, topic, changes: changes.flat(), now },
  });
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
  const stored = await mapInTurns(entries, (entry): Values => readJson(entry.values));
  const serialized = await serializeValues(tx, account_id, collection, stored, publicUrl);
  const found = await publishedNow(tx, account_id, entries);
  const slugs = new Map(await mapInTurns(found, (row): [string, Values] => [row.id, readJson(row.values)]));
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
  const unpublished = await mapInTurns(entries, ({ id }, i) => {
    const row = found.find((each) => each.id === id);
    const locales = collection.locales && row ? publishedLocalesOf(collection.locales, asEntry(row)) : undefined;
    const result =
      returned[i] && withSlug(collection, returned[i], slugs.get(id) ?? {}, locales && Object.keys(locales));
    return { id, returned: JSON.stringify(result) };
  });
  const released = found.flatMap(({ id, sort_keys }) => keyChanges(view, id, sort_keys, undefined).released);
  await claimKeys(tx, account_id, view, released, []);
  const changes = await mapInTurns(found, (row) => changesOf(collection, row.id, stateOf(row), undefined));
  await deletePublishedRows(tx, {
    account_id,
    collection_id: collection.id,
    entries: unpublished,
    deleted_rows: deleted,
    changes: changes.flat(),
    now,
  });
  return returned;
}

const stateOf = (row: PublishedRow | undefined): PublicState | undefined =>
  row && { values: readJson(row.values), version: row.version, locales: row.locales };

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

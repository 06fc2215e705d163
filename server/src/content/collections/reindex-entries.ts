import { FIRST_ID, uuidTime } from '../../shared/ids.ts';
import { readJson } from '../../shared/json.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { rows, statement } from '../../shared/postgres/statement.ts';
import type { Values } from '../entries/check-values.ts';
import { computeValues, hasComputed } from '../entries/computed-values.ts';
import {
  diffIndexRows,
  INDEX_FORMAT,
  type IndexRow,
  type SortKeys,
  searchTextOf,
  sortKeysOf,
} from '../entries/index-entry.ts';
import { DELETE_INDEX_ROWS, DELETE_JOINED_INDEX_ROWS, INDEX_ROWS, WRITE_INDEX_ROWS } from '../entries/queries.ts';
import { type EntryKey, keyChanges, moveKeys } from '../entries/unique-keys.ts';
import { indexedRows } from '../entries/write-entries.ts';
import { type Collection, collectionOf, publishedView } from './collection.ts';
import { type BackfillRow, COLLECTION_COLUMNS, lockCollection } from './queries.ts';

/** Whether a backfill is for all fields of a collection, whose entries are indexed in a former format. */
export const isReindex = ({ field_key }: BackfillRow): boolean => field_key < 0;

/**
 * Indexes the next entries of a collection in the current format, in the transaction that holds the backfill. Returns how many there
 * were, and the last of them.
 */
export async function reindexChunk(
  tx: Tx,
  { account_id, collection_id, entry_id, published }: BackfillRow,
  limit: number,
): Promise<{ count: number; last: string | null }> {
  const [row] = await findForReindex(tx, { account_id, id: collection_id });
  if (!row) return { count: 0, last: null };
  const stored = collectionOf(row);
  const collection = published ? publishedView(stored) : stored;
  const position = { after_created_at: new Date(uuidTime(entry_id)), after_id: entry_id };
  const { lock, write } = published ? ofPublished : ofEntries;
  const computes = hasComputed(collection.fields);
  const entries = await lock(tx, { account_id, collection_id, ...position, limit });
  const changed = entries.flatMap(({ values: json, ...entry }) => {
    const isCurrent = entry.sort_keys.format === INDEX_FORMAT;
    if (isCurrent && !computes) return [];
    const values: Values = readJson(json);
    const isComputed = computes && computeValues(collection.fields, values);
    return isCurrent && !isComputed ? [] : { ...entry, values, isStored: isComputed };
  });
  await rewrite(tx, account_id, collection, write, changed);
  return { count: entries.length, last: entries.at(-1)?.id ?? null };
}

interface Rewritten extends Pick<ReindexRow, 'id' | 'sort_keys' | 'filter_bitmap'> {
  values: Values;
  /** Whether the values are other ones than before. */
  isStored: boolean;
}

/** Indexes entries by their values, which may have changed, without a new version of the entries. */
async function rewrite(
  tx: Tx,
  account_id: string,
  collection: Collection,
  write: (typeof ofEntries)['write'],
  entries: readonly Rewritten[],
): Promise<void> {
  if (entries.length === 0) return;
  const deleted: EntryKey[] = [];
  const written: (EntryKey & { filter_bitmap: string | null })[] = [];
  const released: EntryKey[] = [];
  const claimed: EntryKey[] = [];
  const changed = entries.map(({ id, values, isStored, sort_keys, filter_bitmap }) => {
    const keys = sortKeysOf(collection, values);
    const ofEntry = <Row extends IndexRow>(each: Row) => ({ ...each, entry_id: id });
    const diff = diffIndexRows(indexedRows(collection, sort_keys), indexedRows(collection, keys));
    deleted.push(...diff.deleted.map(ofEntry));
    written.push(...diff.inserted.map((each) => ({ ...ofEntry(each), filter_bitmap })));
    const unique = keyChanges(collection, id, sort_keys, keys);
    released.push(...unique.released);
    claimed.push(...unique.claimed);
    const stored = isStored ? JSON.stringify(values) : null;
    return { id, stored, sort_keys: JSON.stringify(keys), search_text: searchTextOf(collection, values) ?? null };
  });
  await moveKeys(tx, account_id, released, claimed);
  const scope = { account_id, collection_id: collection.id };
  await write(tx, { ...scope, entries: changed, deleted_rows: deleted, written_rows: written });
}

/** Gives a locked entry other values without a new version. @param collection as the entry is indexed */
export async function rewriteEntry(
  tx: Tx,
  account_id: string,
  collection: Collection,
  published: boolean,
  { id, sort_keys, filter_bitmap }: Omit<Rewritten, 'values' | 'isStored'>,
  values: Values,
): Promise<void> {
  const { write } = published ? ofPublished : ofEntries;
  await rewrite(tx, account_id, collection, write, [{ id, sort_keys, filter_bitmap, values, isStored: true }]);
}

/** The same of all entries of a collection, oldest first. @param change of the values; returns whether there is any */
export async function rewriteAll(
  tx: Tx,
  account_id: string,
  collection: Collection,
  published: boolean,
  change: (id: string, values: Values) => boolean,
): Promise<void> {
  const { lock, write } = published ? ofPublished : ofEntries;
  const limit = 1_000;
  for (let last = FIRST_ID; ; ) {
    const position = { after_created_at: new Date(uuidTime(last)), after_id: last };
    const entries = await lock(tx, { account_id, collection_id: collection.id, ...position, limit });
    const changed = entries.flatMap(({ values: json, ...entry }) => {
      const values: Values = readJson(json);
      return change(entry.id, values) ? { ...entry, values, isStored: true } : [];
    });
    await rewrite(tx, account_id, collection, write, changed);
    if (entries.length < limit) return;
    last = entries.at(-1)?.id ?? last;
  }
}

/** Up to this many entries are computed again within the request. */
const MAX_IN_REQUEST = 5_000;

/**
 * Computes values of all entries of a collection again, in the transaction that changed how. Returns whether it was left to the
 * worker.
 */
export async function recompute(
  tx: Tx,
  account_id: string,
  collection_id: string,
  publishing: boolean,
): Promise<boolean> {
  let isLeft = false;
  for (const published of publishing ? [false, true] : [false]) {
    const start = { account_id, collection_id, entry_id: FIRST_ID, field_key: -1, published };
    const { count } = await reindexChunk(tx, start, MAX_IN_REQUEST);
    if (count < MAX_IN_REQUEST) continue;
    await requestReindex(tx, { account_id, collection_id, published });
    isLeft = true;
  }
  return isLeft;
}

const requestReindex = statement('content.request_reindex', {
  account_id: 'uuid',
  collection_id: 'uuid',
  published: 'boolean',
}).runs(
  `insert into field_backfills (account_id, collection_id, field_key, entry_id, published)
   values (:account_id, :collection_id, -nextval('field_key_seq'), '00000000-0000-0000-0000-000000000000', :published)`,
);

/** Once no backfill of the collection is left, all of its entries are indexed in the current format. */
export async function finishReindex(tx: Tx, { account_id, collection_id: id, field_key }: BackfillRow): Promise<void> {
  await lockCollection(tx, { account_id, id });
  await finishReindexRow(tx, { account_id, id, field_key });
  await setIndexFormat(tx, { account_id, id });
}

const byId = { account_id: 'uuid', id: 'uuid' } as const;

/** Blocks changes of the collection, not of its entries. */
const findForReindex = statement('content.find_for_reindex', byId).returns<Parameters<typeof collectionOf>[0]>(
  `select ${COLLECTION_COLUMNS} from collections where account_id = :account_id and id = :id and not purging for share`,
);

const finishReindexRow = statement('content.finish_reindex', { ...byId, field_key: 'bigint' }).runs(
  'delete from field_backfills where account_id = :account_id and collection_id = :id and field_key = :field_key',
);

const setIndexFormat = statement('content.set_index_format', byId).runs(
  `update collections set index_format = ${INDEX_FORMAT}, version = version + 1
   where account_id = :account_id and id = :id and not exists (
     select from field_backfills b where b.account_id = :account_id and b.collection_id = :id and b.field_key < 0)`,
);

interface ReindexRow {
  id: string;
  values: string;
  sort_keys: SortKeys;
  filter_bitmap: string | null;
}

function statementsOf(table: 'entries' | 'published_entries', texts: 'entry_texts' | 'published_texts') {
  const writeSql = (deleteIndexRows: string) =>
    `with changed as materialized (
       select * from :entries as w
     ), ${deleteIndexRows}, ${WRITE_INDEX_ROWS}, written_text as (
       insert into ${texts} (account_id, entry_id, collection_id, text)
       select :account_id, id, :collection_id, search_text from changed where search_text is not null
       on conflict (account_id, entry_id) do update set text = excluded.text
       where ${texts}.text <> excluded.text
     )
     update ${table} e set sort_keys = changed.sort_keys::jsonb, "values" = coalesce(changed.stored::json, e."values") from changed
     where e.account_id = :account_id and e.id = changed.id`;
  return {
    lock: statement(`content.lock_to_reindex_${table}`, {
      account_id: 'uuid',
      collection_id: 'uuid',
      after_created_at: 'timestamptz',
      after_id: 'uuid',
      limit: 'integer',
    }).returns<ReindexRow>(
      `select id, "values"::text as "values", sort_keys, filter_bitmap::text from ${table}
       where account_id = :account_id and collection_id = :collection_id and status = 'active'
         and (created_at, id) > (:after_created_at, :after_id)
       order by created_at, id limit :limit for no key update`,
    ),
    write: statement(`content.reindex_${table}`, {
      account_id: 'uuid',
      collection_id: 'uuid',
      entries: rows({ id: 'uuid', stored: 'text?', sort_keys: 'text', search_text: 'text?' }),
      deleted_rows: rows({ field_key: 'bigint', sort_key: 'text', entry_id: 'uuid' }),
      written_rows: INDEX_ROWS,
    }).runs(writeSql(DELETE_INDEX_ROWS), writeSql(DELETE_JOINED_INDEX_ROWS)),
  };
}

const ofEntries = statementsOf('entries', 'entry_texts');
const ofPublished = statementsOf('published_entries', 'published_texts');

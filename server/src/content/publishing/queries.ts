import { isSubscribed } from '../../shared/outbox.ts';
import { rows, statement } from '../../shared/postgres/statement.ts';
import { CHANGES, RECORD_CHANGES } from '../changes/queries.ts';
import type { SortKeys } from '../entries/index-entry.ts';
import { DELETE_INDEX_ROWS, DELETE_JOINED_INDEX_ROWS, WRITE_INDEX_ROWS } from '../entries/queries.ts';
import type { PublishedLocales } from '../locales/published-locales.ts';

export interface PublishedRow {
  id: string;
  /** JSON text. */
  values: string;
  version: number;
  /** By the keys of published fields. */
  sort_keys: SortKeys;
  filter_bitmap: string | null;
  locales: PublishedLocales | null;
}

/** From now on public reads check in which locales entries are published. Not a change that `updated_at` reports. */
export const markPartial = statement('content.mark_partial', { account_id: 'uuid', collection_id: 'uuid' }).runs(
  `update collections set partial = true, version = version + 1
   where account_id = :account_id and id = :collection_id and not partial`,
);

/** What is published of entries. */
export const findPublishedRows = statement('content.find_published', {
  account_id: 'uuid',
  ids: 'uuid[]',
}).returns<PublishedRow>(
  `select id, "values"::text as "values", version, sort_keys, filter_bitmap::text, locales
   from published_entries where account_id = :account_id and id = any(:ids)`,
);

export interface ReturnedPublishedRow {
  id: string;
  values: string;
  status: 'active';
  version: number;
  updated_at: string;
  published_locales: PublishedLocales | null;
  collection_version: number;
}

/** A published entry of an active collection, to return it. */
export const findReturnedPublished = statement('content.find_returned_published', {
  account_id: 'uuid',
  collection_id: 'uuid',
  id: 'uuid',
}).returns<ReturnedPublishedRow>(
  `select p.id, p."values"::text as "values", p.status, p.version, p.updated_at::text as updated_at, p.locales as published_locales,
     c.version as collection_version
   from collections c
   join published_entries p on p.account_id = c.account_id and p.collection_id = c.id and p.id = :id
   where c.account_id = :account_id and c.id = :collection_id and c.status = 'active' and p.account_id = :account_id`,
);

const INDEX_ROWS = rows({ field_key: 'bigint', sort_key: 'text', entry_id: 'uuid' });

/** Tells who caches what is published that it has changed. */
const COUNT_CHANGE = `counted as (
     insert into published_changes as c (account_id, collection_id, changes) values (:account_id, :collection_id, 1)
     on conflict (account_id, collection_id) do update set changes = c.changes + 1
   )`;

/** The same for a change of what is published that no entry's version reports, such as its position. */
export const countPublishedChange = statement('content.count_published_change', {
  account_id: 'uuid',
  collection_id: 'uuid',
}).runs(
  `insert into published_changes as c (account_id, collection_id, changes) values (:account_id, :collection_id, 1)
   on conflict (account_id, collection_id) do update set changes = c.changes + 1`,
);

/** Keeps what is published of the entries in `changed`, for reads of public content as it was. */
const KEEP_FORMER = `former as (
     insert into former_publications (account_id, entry_id, collection_id, "values", version, locales, published_at, until)
     select p.account_id, p.id, p.collection_id, p."values", p.version, p.locales, p.updated_at, :now
     from changed join published_entries p on p.account_id = :account_id and p.id = changed.id
     where p.updated_at < :now
     on conflict do nothing
   )`;

/** Grows with every change of an entry, whichever version is published. */
const NEXT_SEQUENCE = 'e.version + e.publications + 1';

/** Publishes a version of entries that the transaction has locked, and tells subscribers. */
export const insertPublished = statement('content.publish', {
  account_id: 'uuid',
  collection_id: 'uuid',
  entries: rows({
    id: 'uuid',
    version: 'integer',
    stored: 'text',
    sort_keys: 'text',
    filter_bitmap: 'bigint',
    search_text: 'text?',
    created_at: 'timestamptz',
    published_at: 'timestamptz',
    /** The published version of each locale, if fields are localized. */
    locales: 'jsonb?',
    /** The entry as the API returns it. */
    returned: 'text',
  }),
  deleted_rows: INDEX_ROWS,
  written_rows: rows({ ...INDEX_ROWS.columns, filter_bitmap: 'bigint' }),
  /** `entry.published`, or `entry.unpublished` if only some locales remain. */
  topic: 'text',
  changes: CHANGES,
  now: 'timestamptz',
}).runs(publishSql(DELETE_INDEX_ROWS), publishSql(DELETE_JOINED_INDEX_ROWS));

function publishSql(deleteIndexRows: string): string {
  return `with changed as materialized (
     select * from :entries as w
   ), ${KEEP_FORMER}, ${deleteIndexRows}, ${WRITE_INDEX_ROWS}, deleted_text as (
     delete from published_texts t using changed
     where t.account_id = :account_id and t.entry_id = changed.id and changed.search_text is null
   ), written_text as (
     insert into published_texts (account_id, entry_id, collection_id, text)
     select :account_id, id, :collection_id, search_text from changed where search_text is not null
     on conflict (account_id, entry_id) do update set text = excluded.text
   ), replaced as (
     insert into published_entries (account_id, id, collection_id, "values", sort_keys, filter_bitmap, version,
       created_at, updated_at, locales)
     select :account_id, id, :collection_id, stored::json, sort_keys::jsonb, filter_bitmap, version, created_at,
       published_at, locales
     from changed
     on conflict (account_id, id) do update set "values" = excluded."values", sort_keys = excluded.sort_keys,
       filter_bitmap = excluded.filter_bitmap, version = excluded.version, updated_at = excluded.updated_at,
       locales = excluded.locales
   ), published as (
     insert into outbox (account_id, topic, resources, sequences, data, at)
     select :account_id, :topic, array_agg(e.id), array_agg(${NEXT_SEQUENCE}),
       '[' || string_agg(returned, ',') || ']', :now
     from changed join entries e on e.account_id = :account_id and e.id = changed.id
     where ${isSubscribed(':account_id', ':topic')} having count(*) > 0
   ), ${COUNT_CHANGE}, ${RECORD_CHANGES}
   update entries e set published_version = changed.version, published_at = changed.published_at,
     published_locales = changed.locales, publications = e.publications + 1
   from changed where e.account_id = :account_id and e.id = changed.id`;
}

/** Removes the published version of entries that the transaction has locked, and tells subscribers. */
export const deletePublishedRows = statement('content.unpublish', {
  account_id: 'uuid',
  collection_id: 'uuid',
  entries: rows({ id: 'uuid', returned: 'text' }),
  deleted_rows: INDEX_ROWS,
  changes: CHANGES,
  now: 'timestamptz',
}).runs(unpublishSql(DELETE_INDEX_ROWS), unpublishSql(DELETE_JOINED_INDEX_ROWS));

function unpublishSql(deleteIndexRows: string): string {
  return `with changed as materialized (
     select * from :entries as w
   ), ${KEEP_FORMER}, ${deleteIndexRows}, deleted_text as (
     delete from published_texts t using changed where t.account_id = :account_id and t.entry_id = changed.id
   ), removed as (
     delete from published_entries p using changed where p.account_id = :account_id and p.id = changed.id
   ), published as (
     insert into outbox (account_id, topic, resources, sequences, data, at)
     select :account_id, 'entry.unpublished', array_agg(e.id), array_agg(${NEXT_SEQUENCE}),
       '[' || string_agg(returned, ',') || ']', :now
     from changed join entries e on e.account_id = :account_id and e.id = changed.id
     where ${isSubscribed(':account_id', "'entry.unpublished'")} having count(*) > 0
   ), ${COUNT_CHANGE}, ${RECORD_CHANGES}
   update entries e set published_version = null, published_at = null, published_locales = null,
     publications = e.publications + 1
   from changed where e.account_id = :account_id and e.id = changed.id`;
}

/** Names another version of an entry as the published one, whose values are the same. */
export const movePublished = statement('content.move_published', {
  account_id: 'uuid',
  id: 'uuid',
  version: 'integer',
  locales: 'jsonb?',
}).runs(
  `with moved as (
     update published_entries set version = :version, locales = :locales where account_id = :account_id and id = :id
   )
   update entries set published_version = :version, published_locales = :locales where account_id = :account_id and id = :id`,
);

const ofCollection = { account_id: 'uuid', collection_id: 'uuid' } as const;

/** Whether anything of a collection is published. */
export const findAnyPublished = statement('content.find_any_published', ofCollection).returns<{ id: string }>(
  `select id from published_entries
   where account_id = :account_id and collection_id = :collection_id and status = 'active'
   order by created_at, id limit 1`,
);

/** Deletes what is published of a collection that is being purged. */
export const purgePublished = statement('content.purge_published', {
  account_id: 'uuid',
  ids: 'uuid[]',
}).runs(
  `with texts as (
     delete from published_texts where account_id = :account_id and entry_id = any(:ids)
   )
   delete from published_entries where account_id = :account_id and id = any(:ids)`,
);

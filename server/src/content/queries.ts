import { isSubscribed } from '../shared/outbox.ts';
import { statement } from '../shared/postgres/database.ts';
import type { Field, Status } from './collection.ts';
import type { DefaultSort } from './contract.ts';
import type { Keys } from './index-entry.ts';

export interface CollectionRow {
  id: string;
  name: string;
  description: string | null;
  fields: Field[];
  display_field_id: string | null;
  default_sort: DefaultSort | null;
  status: Status;
  version: number;
  created_at: Date;
  updated_at: Date;
}

export const COLLECTION_COLUMNS = `id, name, description, fields, display_field_id, default_sort, status, version,
  created_at, updated_at`;

export const nextFieldKeys = statement<{ key: number }>(
  'content.next_field_keys',
  `select nextval('field_key_seq') as key from generate_series(1, $1)`,
);

export const insertCollection = statement<CollectionRow>(
  'content.insert_collection',
  `insert into collections
     (account_id, id, name, description, fields, display_field_id, default_sort, status, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, 'active', $8, $8)
   returning ${COLLECTION_COLUMNS}`,
);

export const findCollection = statement<CollectionRow>(
  'content.find_collection',
  `select ${COLLECTION_COLUMNS} from collections where account_id = $1 and id = $2 and not purging`,
);

/** Keeps every writer of the collection and of its entries out until the transaction ends. */
export const lockCollection = statement<CollectionRow>(
  'content.lock_collection',
  `select ${COLLECTION_COLUMNS} from collections where account_id = $1 and id = $2 and not purging for update`,
);

export const updateCollection = statement<CollectionRow>(
  'content.update_collection',
  `update collections
   set name = $3, description = $4, fields = $5, display_field_id = $6, default_sort = $7, status = $8, version = version + 1,
     updated_at = greatest(updated_at, $9)
   where account_id = $1 and id = $2
   returning ${COLLECTION_COLUMNS}`,
);

/** Active collections behind (created_at, id), oldest first. */
export const listCollections = statement<CollectionRow>(
  'content.list_collections',
  `select ${COLLECTION_COLUMNS} from collections
   where account_id = $1 and status = 'active' and (created_at, id) > ($2, $3)
   order by created_at, id limit $4`,
);

/**
 * Inserts an entry with its rows of the index, if the collection is still at the version by which it was checked: else no
 * row comes back, and nothing is inserted. The lock holds off a change of the collection until this is committed, so that
 * whoever adds a field sees every entry that was written without it. $12: the entry as JSON without its values; $13: these
 * as they are answered, where that is not as they are stored ($5). Both are for whoever is told of it. $14, $15: who makes it.
 */
export const insertEntry = statement<{ id: string }>(
  'content.insert_entry',
  `with collection as (
     select id from collections
     where account_id = $1 and id = $2 and version = $3 and status = 'active'
     for share
   ), entry as (
     insert into entries (account_id, id, collection_id, "values", keys, signature, status, created_at, updated_at,
       author_kind, author_id)
     select $1, $4, id, $5, $6, $11, 'active', $7, $7, $14, $15 from collection
     returning id
   ), indexed as (
     insert into entry_index (account_id, field_key, sort_key, entry_id, signature)
     select $1, row.field_key, row.sort_key, $4, $11
     from collection cross join unnest($8::bigint[], $9::text[]) as row (field_key, sort_key)
   ), texts as (
     insert into entry_texts (account_id, entry_id, collection_id, text)
     select $1, $4, id, $10 from collection where $10::text is not null
   ), pushed as (
     insert into outbox (account_id, topic, resources, sequences, data, at)
     select $1, 'entry.created', array[id], array[1],
       ('[' || left($12::text, -1) || ',"values":' || coalesce($13::text, $5::text) || '}]')::json, $7
     from entry where ${isSubscribed('$1', "'entry.created'")}
   )
   select id from entry`,
);

export interface EntryRow {
  id: string;
  /** JSON text. */
  values: string;
  keys: Keys;
  /** An integer of 64 bits. */
  signature: string | null;
  status: Status;
  version: number;
  created_at: Date;
  updated_at: Date;
  collection_version: number;
}

/** An entry of an active collection, with the collection's version. */
export const findEntry = statement<EntryRow>(
  'content.find_entry',
  `select e.id, e."values"::text as "values", e.status, e.version, e.created_at, e.updated_at,
     c.version as collection_version
   from collections c join entries e on e.account_id = c.account_id and e.collection_id = c.id
   where c.account_id = $1 and c.id = $2 and c.status = 'active' and e.account_id = $1 and e.id = $3`,
);

/** The same, held against every other writer, while the collection keeps its version. */
export const lockEntry = statement<EntryRow>(
  'content.lock_entry',
  `select e.id, e."values"::text as "values", e.keys, e.signature::text, e.status, e.version, e.created_at, e.updated_at,
     c.version as collection_version
   from collections c join entries e on e.account_id = c.account_id and e.collection_id = c.id
   where c.account_id = $1 and c.id = $2 and c.status = 'active' and e.account_id = $1 and e.id = $3
   for share of c for no key update of e`,
);

/**
 * Writes a changed entry. $7, $8: rows of the index to take out; $9, $10: to put in; $14, $15: that stay, and get the new
 * signature $13. $11: whether the text changes, to $12 or, where that is null, to none. $16: what the change is called.
 * $17 to $21: the kind of change, the fields it changes, the version that comes back, who makes it. What is replaced is kept
 * as a version, and those up to $22 are forgotten.
 */
export const updateEntry = statement<{ version: number; updated_at: Date; is_told: boolean }>(
  'content.update_entry',
  `with gone as (
     delete from entry_index i
     using unnest($7::bigint[], $8::text[]) as row (field_key, sort_key)
     where i.account_id = $1 and i.field_key = row.field_key and i.sort_key = row.sort_key and i.entry_id = $2
   ), come as (
     insert into entry_index (account_id, field_key, sort_key, entry_id, signature)
     select $1, row.field_key, row.sort_key, $2, $13
     from unnest($9::bigint[], $10::text[]) as row (field_key, sort_key)
     on conflict (account_id, field_key, sort_key, entry_id) do update set signature = excluded.signature
   ), signed as (
     update entry_index i set signature = $13
     from unnest($14::bigint[], $15::text[]) as row (field_key, sort_key)
     where i.account_id = $1 and i.field_key = row.field_key and i.sort_key = row.sort_key and i.entry_id = $2
   ), text_gone as (
     delete from entry_texts where account_id = $1 and entry_id = $2 and $11::boolean and $12::text is null
   ), text_come as (
     insert into entry_texts (account_id, entry_id, collection_id, text)
     select account_id, id, collection_id, $12 from entries
     where account_id = $1 and id = $2 and $11::boolean and $12::text is not null
     on conflict (account_id, entry_id) do update set text = excluded.text
   ), kept as (
     insert into entry_versions (account_id, entry_id, version, "values", status, change, changed_fields, restored_from,
       author_kind, author_id, made_at)
     select account_id, id, version, "values", status, change, changed_fields, restored_from, author_kind, author_id,
       updated_at
     from entries where account_id = $1 and id = $2 and version > $22
   ), forgotten as (
     delete from entry_versions where account_id = $1 and entry_id = $2 and version <= $22
   )
   update entries
   set "values" = $3, keys = $4, signature = $13, status = $5, version = version + 1, updated_at = greatest(updated_at, $6),
     change = $17, changed_fields = $18, restored_from = $19, author_kind = $20, author_id = $21
   where account_id = $1 and id = $2
   returning version, updated_at, ${isSubscribed('$1', '$16::text')} as is_told`,
);

/** How many active entries a collection has, counted no further than $3. */
export const countEntries = statement<{ count: number }>(
  'content.count_entries',
  `select count(*) from (
     select from entries where account_id = $1 and collection_id = $2 and status = 'active'
     order by created_at, id limit $3
   ) as counted`,
);

// A field that comes back may have some of these rows from before, with what the entries' signatures were then.
const SIGN_AGAIN =
  'on conflict (account_id, field_key, sort_key, entry_id) do update set signature = excluded.signature';

/** Writes the row of every entry without a value of the fields $3. For a transaction that holds the collection. */
export const insertMissing = statement(
  'content.insert_missing',
  `insert into entry_index (account_id, field_key, sort_key, entry_id, signature)
   select e.account_id, field.key, chr(1114111), e.id, e.signature
   from entries e cross join unnest($3::bigint[]) as field (key)
   where e.account_id = $1 and e.collection_id = $2 and e.status = 'active' and not e.keys ? field.key::text
   ${SIGN_AGAIN}`,
);

const FIRST = '00000000-0000-0000-0000-000000000000';

/** Leaves it to the worker to write these rows, from the first entry on, also where it had begun. */
export const requestBackfill = statement(
  'content.request_backfill',
  `insert into field_backfills (account_id, collection_id, field_key, entry_id)
   select $1, $2, key, '${FIRST}' from unnest($3::bigint[]) as field (key)
   on conflict (account_id, field_key) do update set entry_id = excluded.entry_id`,
);

export interface BackfillRow {
  account_id: string;
  collection_id: string;
  field_key: number;
  entry_id: string;
}

/** Some field's backfill that no other process is at; of all accounts. */
export const claimBackfill = statement<BackfillRow>(
  'content.claim_backfill',
  `select account_id, collection_id, field_key, entry_id from field_backfills
   order by account_id, field_key limit 1 for update skip locked`,
);

/**
 * Writes the rows of the next $6 entries behind $4 (created at $5), and answers which was the last and how many there were.
 * Entries are locked while theirs are written: one that gets a value meanwhile is waited for, and left alone.
 */
export const backfillChunk = statement<{ count: number; last: string | null }>(
  'content.backfill_chunk',
  `with chunk as materialized (
     select id from entries
     where account_id = $1 and collection_id = $2 and status = 'active' and (created_at, id) > ($5, $4)
     order by created_at, id limit $6
   ), without as (
     select e.id, e.signature from chunk join entries e on e.account_id = $1 and e.id = chunk.id
     where e.status = 'active' and not e.keys ? $3::bigint::text
     for share of e
   ), written as (
     insert into entry_index (account_id, field_key, sort_key, entry_id, signature)
     select $1, $3, chr(1114111), id, signature from without
     ${SIGN_AGAIN}
   )
   select count(*) as count, max(id::text)::uuid as last from chunk`,
);

export const advanceBackfill = statement(
  'content.advance_backfill',
  'update field_backfills set entry_id = $3 where account_id = $1 and field_key = $2',
);

/** No row, if the backfill was begun anew since it reached $3. */
export const finishBackfill = statement<{ field_key: number }>(
  'content.finish_backfill',
  'delete from field_backfills where account_id = $1 and field_key = $2 and entry_id = $3 returning field_key',
);

/** Takes the mark from fields whose rows are all written. Not a change that the collection's `updated_at` tells of. */
export const replaceFields = statement(
  'content.replace_fields',
  'update collections set fields = $3, version = version + 1 where account_id = $1 and id = $2',
);

/** Many entries of one collection. $1 account, $2 collection, entries ($3 to $8), rows of the index ($9 to $12), and who makes them ($13, $14) */
export const addEntries = statement(
  'content.add_entries',
  `with entry as (
     insert into entries (account_id, id, collection_id, "values", keys, signature, status, created_at, updated_at,
       author_kind, author_id)
     select $1, id, $2, "values"::json, keys::jsonb, signature, 'active', at, at, $13, $14
     from unnest($3::uuid[], $4::text[], $5::text[], $6::bigint[], $8::timestamptz[])
       as e (id, "values", keys, signature, at)),
   indexed as (
     insert into entry_index (account_id, field_key, sort_key, entry_id, signature)
     select $1, * from unnest($9::bigint[], $10::text[], $11::uuid[], $12::bigint[]))
   insert into entry_texts (account_id, entry_id, collection_id, text)
   select $1, id, $2, text from unnest($3::uuid[], $7::text[]) as e (id, text) where text is not null`,
);

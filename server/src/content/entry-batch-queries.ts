import { isSubscribed } from '../shared/outbox.ts';
import { statement } from '../shared/postgres/database.ts';
import type { EntryRow } from './queries.ts';

const COLUMNS = `e.id, e."values"::text as "values", e.keys, e.signature::text, e.status, e.version, e.created_at, e.updated_at`;

export type BatchRow = Omit<EntryRow, 'collection_version'>;

/** Entries of a collection, deleted ones included. $1 account, collection, ids */
export const findEntries = statement<BatchRow>(
  'content.find_entries',
  `select ${COLUMNS} from entries e where e.account_id = $1 and e.collection_id = $2 and e.id = any($3::uuid[])`,
);

/** The same, held against every other writer; in one order, so that of two nobody waits for the other. */
export const lockEntries = statement<BatchRow>(
  'content.lock_entries',
  `select ${COLUMNS} from entries e where e.account_id = $1 and e.collection_id = $2 and e.id = any($3::uuid[])
   order by e.id for no key update`,
);

/** Which active entries have one of the keys of a field. $1 account, field key, sort keys */
export const findByKeys = statement<{ sort_key: string; entry_id: string }>(
  'content.find_by_keys',
  `select sort_key, entry_id from entry_index
   where account_id = $1 and field_key = $2 and sort_key = any($3::text[])`,
);

/** Keeps every change of the collection out until the transaction ends. */
export const shareCollection = statement<{ version: number }>(
  'content.share_collection',
  `select version from collections where account_id = $1 and id = $2 and status = 'active' for share`,
);

export const findSubscriptions = statement<{ created: boolean; updated: boolean; deleted: boolean }>(
  'content.find_subscriptions',
  `select ${isSubscribed('$1::uuid', "'entry.created'")} as created,
     ${isSubscribed('$1::uuid', "'entry.updated'")} as updated, ${isSubscribed('$1::uuid', "'entry.deleted'")} as deleted`,
);

/**
 * Writes many changed entries of one account, each once, as `updateEntry` writes one. $2 to $7: id, values, keys, signature, status, and the folded text
 * (null: none); $8 now; rows of the index to take out ($9 to $11: field key, sort key, entry), and to put in or to sign
 * again ($12 to $15, the last the signature); $16, $17: who makes the change; $18, $19: of each its kind and the fields it
 * changes, as JSON; $20: how many versions are kept.
 */
export const updateEntries = statement<{ id: string; version: number; updated_at: Date }>(
  'content.update_entries',
  `with changed as materialized (
     select * from unnest($2::uuid[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::text[], $18::text[], $19::text[])
       as c (id, "values", keys, signature, status, text, change, changed_fields)
   ), gone as (
     delete from entry_index i using unnest($9::bigint[], $10::text[], $11::uuid[]) as row (field_key, sort_key, entry_id)
     where i.account_id = $1 and i.field_key = row.field_key and i.sort_key = row.sort_key and i.entry_id = row.entry_id
   ), come as (
     insert into entry_index (account_id, field_key, sort_key, entry_id, signature)
     select $1, * from unnest($12::bigint[], $13::text[], $14::uuid[], $15::bigint[])
     on conflict (account_id, field_key, sort_key, entry_id) do update set signature = excluded.signature
   ), text_gone as (
     delete from entry_texts t using changed
     where t.account_id = $1 and t.entry_id = changed.id and changed.text is null
   ), text_come as (
     insert into entry_texts (account_id, entry_id, collection_id, text)
     select $1, e.id, e.collection_id, changed.text from changed join entries e on e.account_id = $1 and e.id = changed.id
     where changed.text is not null
     on conflict (account_id, entry_id) do update set text = excluded.text where entry_texts.text <> excluded.text
   ), kept as (
     insert into entry_versions (account_id, entry_id, version, "values", status, change, changed_fields, restored_from,
       author_kind, author_id, made_at)
     select e.account_id, e.id, e.version, e."values", e.status, e.change, e.changed_fields, e.restored_from, e.author_kind,
       e.author_id, e.updated_at
     from changed join entries e on e.account_id = $1 and e.id = changed.id where $20::int > 0
   ), forgotten as (
     delete from entry_versions v using changed join entries e on e.account_id = $1 and e.id = changed.id
     where v.account_id = $1 and v.entry_id = changed.id and v.version <= e.version - $20::int
   )
   update entries e
   set "values" = changed."values"::json, keys = changed.keys::jsonb, signature = changed.signature, status = changed.status,
     version = e.version + 1, updated_at = greatest(e.updated_at, $8), change = changed.change,
     changed_fields = array(select json_array_elements_text(changed.changed_fields::json)), restored_from = null,
     author_kind = $16, author_id = $17
   from changed where e.account_id = $1 and e.id = changed.id
   returning e.id, e.version, e.updated_at`,
);

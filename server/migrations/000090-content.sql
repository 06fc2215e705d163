-- How all entries of a collection are indexed; null: some as before version 2, in which texts that differ in case and accents alone
-- have one place in the index, and fields in groups have keys.
alter table collections add column index_format integer;

-- A worker writes them again. A negative key stands for all fields of the collection.
insert into field_backfills (account_id, collection_id, field_key, entry_id, published)
select account_id, id, -nextval('field_key_seq'), '00000000-0000-0000-0000-000000000000', published
from collections cross join (values (false), (true)) as version (published)
where not purging and (publishing or not published);

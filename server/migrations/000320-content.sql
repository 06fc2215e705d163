-- In version 3 of the index, all forms of a letter have one place: final ones, such as of sigma, and those that share only the capital.
-- A worker indexes the entries of all collections again.
update collections set index_format = null, version = version + 1 where not purging;

insert into field_backfills (account_id, collection_id, field_key, entry_id, published)
select account_id, id, -nextval('field_key_seq'), '00000000-0000-0000-0000-000000000000', published
from collections cross join (values (false), (true)) as version (published)
where not purging and (publishing or not published);

-- Until a table is first analyzed, the planner assumes that hardly any row has a given account. An update of some entries then reads all
-- index rows and versions of the account, and its plan is kept. Statistics of temporary rows, which outlive the rows, correct
-- that until there are real ones.
do $$
begin
  if not exists (select from entries) then
    insert into entries (account_id, id, collection_id, "values", sort_keys, status, created_at, updated_at)
    select '00000000-0000-0000-0000-000000000000', md5(n::text)::uuid, '00000000-0000-0000-0000-000000000000', '{}', '{}', 'active', at, at
    from generate_series(1, 500) n, lateral (select to_timestamp(n)) as t (at);
    insert into entry_versions (account_id, entry_id, version, "values", status, created_at)
    select account_id, id, number, "values", status, created_at from entries, generate_series(1, 10) number;
    insert into entry_index (account_id, field_key, sort_key, entry_id)
    select account_id, number, id::text, id from entries, generate_series(1, 8) number;
    insert into entry_texts (account_id, entry_id, collection_id, text)
    select account_id, id, collection_id, '' from entries;
    analyze entries, entry_versions, entry_index, entry_texts;
    truncate entries, entry_versions, entry_index, entry_texts;
  end if;
end $$;

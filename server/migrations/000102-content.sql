-- The values of deleted fields are no longer unique, as they would block entries by what nobody sees. They are claimed again when the
-- field is restored.
delete from entry_keys k using (
  select c.account_id, keys.key::bigint as key
  from collections c
  cross join lateral jsonb_array_elements(c.fields) as field
  cross join lateral (values (field ->> 'key'), (field ->> 'publishedKey')) as keys (key)
  where field ->> 'status' = 'deleted' and (field ->> 'unique')::boolean and keys.key is not null
) as retired
where k.account_id = retired.account_id and k.field_key = retired.key;

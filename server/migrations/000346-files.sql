-- Who created a token, which ends with them; null: an earlier version created it.
alter table upload_tokens
  add column author_type text check (author_type in ('user', 'key')),
  add column author_id uuid;

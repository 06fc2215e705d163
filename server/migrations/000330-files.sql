-- Each lets whoever has it upload one file. The id is that of the file.
create table upload_tokens (
  account_id uuid not null,
  id uuid not null,
  hash bytea not null,
  -- Null: what the service accepts.
  max_bytes bigint,
  content_types text[],
  -- Null: as the browser calls it.
  name text,
  folder_id uuid,
  is_private boolean not null,
  -- Of pages that may use it; null: all, and clients without one.
  origin text,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  primary key (account_id, id),
  unique (account_id, hash)
);
create index upload_tokens_by_time on upload_tokens (expires_at);

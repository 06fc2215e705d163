-- Requests with a key that were refused, a sample of each account, for seven days.
create table rejected_requests (
  account_id uuid not null,
  id uuid not null,
  key_id uuid not null,
  method text not null,
  -- Path and query, without keys.
  url text not null,
  status integer not null,
  code text not null,
  detail text not null,
  errors jsonb not null,
  -- The body, shortened and without keys; null: none, or personal data was erased.
  body jsonb,
  -- How many were refused since the previous row, and not stored.
  skipped integer not null,
  primary key (account_id, id)
);
create index rejected_requests_by_age on rejected_requests (id);

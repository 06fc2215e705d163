alter table api_keys
  -- Null: it works until it is revoked.
  add column expires_at timestamptz(3),
  -- Addresses and ranges that may use it; null: all.
  add column allowed_addresses text[],
  -- What a secret token may do, as a member with that role; null: everything.
  add column role text check (role is null or (role in ('editor', 'viewer') and type = 'secret')),
  -- When its owners were told that it ends soon.
  add column expiry_announced_at timestamptz(3);
create index api_keys_by_expiry on api_keys (expires_at) where expires_at is not null and revoked_at is null and expiry_announced_at is null;

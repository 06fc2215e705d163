alter table assets
  drop column is_private,
  -- Of a private file: what the URLs that expire are signed with.
  add column signing_key bytea;
create index assets_without_alt on assets (account_id, id) where type = 'image' and alt is null;

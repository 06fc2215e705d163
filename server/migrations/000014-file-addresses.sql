-- Addresses that a file had before its bytes were replaced: they lead to the one it has now.
create table asset_addresses (
  account_id uuid not null,
  url_key uuid not null,
  asset_id uuid not null,
  primary key (account_id, url_key)
);
create index asset_addresses_by_asset on asset_addresses (account_id, asset_id);

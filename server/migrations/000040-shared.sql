-- The secret of an installation is stored encrypted with a master key, which is outside of the database. Each account has a data key.
alter table instance alter column secret drop not null;
-- The same in every database of an installation.
alter table instance add column installation uuid;
-- Encrypted with the master key; null in cells. `secret` is null from then on.
alter table instance add column wrapped_secret bytea;
-- The id of the master key that encrypts what is added to this database.
alter table instance add column master_key text;
-- Converts numbers of sessions into their ids. It protects nothing that the database does not contain, and survives the master key.
alter table instance add column session_key bytea;
-- 1: no secret of an account is encrypted otherwise than with its data key.
alter table instance add column seals_version integer not null default 0;

create table data_keys (
  account_id uuid primary key,
  -- Encrypted with the master key, for this account.
  wrapped bytea not null,
  master_key text not null
);

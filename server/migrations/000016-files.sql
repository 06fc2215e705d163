-- Texts, sorted. They take the place of folders.
alter table assets add column tags jsonb not null default '[]';
-- In the trash since; null: it is not.
alter table assets add column deleted_at timestamptz(3);
create index assets_by_tag on assets using gin (account_id, tags) where tags <> '[]';
create index assets_trashed on assets (account_id, deleted_at, id) where deleted_at is not null;

-- Conversions with many reports, which a worker takes one by one, so that nobody else waits for their increments. One may be there more
-- than once: nobody waits for the worker to write it either.
create table analytics_increment_rebuilds (
  account_id uuid not null,
  id uuid not null,
  conversion_id uuid not null,
  recorded_at timestamptz(3) not null default now(),
  primary key (account_id, id)
);
create index analytics_increment_rebuilds_by_conversion on analytics_increment_rebuilds (account_id, conversion_id);

-- Whose turn it was last. One process at a time locks it.
create table analytics_rebuild_turn (
  only_row boolean primary key default true check (only_row),
  account_id uuid not null
);
insert into analytics_rebuild_turn (account_id) values ('00000000-0000-0000-0000-000000000000');

-- What the reports of conversions changed, each change at the time at which it became known: 100 restated to 0 is +100 and -100. Derived
-- from the revisions. When a session is erased, its conversions keep their increments with the campaign and the quarter of an hour
-- of the click, neither of which tells who it was.
create table analytics_increments (
  account_id uuid not null,
  conversion_id uuid not null,
  -- In order of time, from 1.
  number integer not null,
  known_at timestamptz(3) not null,
  -- The time of the sale that it changes, at whose exchange rate it counts.
  sale_at timestamptz(3) not null,
  value numeric not null,
  currency text,
  -- 1: a conversion was reported; -1: it was refunded or withdrawn; 0: its value changed.
  conversions smallint not null,
  -- Whether a report lowered the value.
  is_refund boolean not null,
  session_number bigint,
  clicked_at timestamptz(3),
  is_bot boolean not null,
  is_internal boolean not null,
  source text,
  medium text,
  campaign text,
  term text,
  content text,
  landing_page text,
  primary key (account_id, conversion_id, number)
);
create index analytics_increments_by_click on analytics_increments (account_id, clicked_at);
create index analytics_increments_by_session on analytics_increments (account_id, session_number);

-- Accounts whose older conversions have no increments yet. A worker takes them in steps, in the order of their ids.
create table analytics_increment_backfills (
  account_id uuid not null,
  after uuid not null,
  primary key (account_id)
);

insert into analytics_increment_backfills (account_id, after)
with recursive known as (
  (select account_id from conversions order by account_id limit 1)
  union all
  select (select c.account_id from conversions c where c.account_id > known.account_id order by c.account_id limit 1)
  from known where known.account_id is not null)
select account_id, '00000000-0000-0000-0000-000000000000' from known where account_id is not null;

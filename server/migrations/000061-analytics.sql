-- Sessions to look at that may have been flagged as bots wrongly: those of an account from one number to another. Sessions with a
-- conversion that a server reported, or recorded with a secret token, are no bots. A worker takes them in steps.
create table analytics_bot_checks (
  account_id uuid not null,
  from_number bigint not null,
  to_number bigint not null,
  primary key (account_id, to_number)
);

-- Every account is looked at once.
insert into analytics_bot_checks (account_id, from_number, to_number)
with recursive known as (
  (select account_id from sessions order by account_id limit 1)
  union all
  select (select s.account_id from sessions s where s.account_id > known.account_id order by s.account_id limit 1)
  from known where known.account_id is not null)
select account_id, 0, 9223372036854775807 from known where account_id is not null;

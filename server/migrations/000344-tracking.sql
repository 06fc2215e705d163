-- Accounts of which an earlier version may have recorded sessions by a visit other than the earliest. A worker takes them in steps, in the order of the
-- numbers of their sessions.
create table session_start_checks (
  account_id uuid not null,
  after bigint not null,
  primary key (account_id)
);

insert into session_start_checks (account_id, after)
with recursive known as (
  (select account_id from sessions order by account_id limit 1)
  union all
  select (select s.account_id from sessions s where s.account_id > known.account_id order by s.account_id limit 1)
  from known where known.account_id is not null)
select account_id, 0 from known where account_id is not null;

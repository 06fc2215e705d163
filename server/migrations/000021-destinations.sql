-- The latest turn of each destination. What an earlier turn is about to send is not sent any more.
create table destination_turns (
  account_id uuid not null,
  destination_id uuid not null,
  turn uuid not null,
  primary key (account_id, destination_id)
) with (fillfactor = 50);

-- Requests that may have been made, and have no answer so far. A row is stored before its requests are made, and deleted with
-- their outcomes; if the process dies, the next turn copies the intents to the queue.
create table destination_requests (
  account_id uuid not null,
  destination_id uuid not null,
  id uuid not null,
  -- JSON: an `Intent` for each conversion. Written once and hardly ever read.
  intents text not null,
  primary key (account_id, destination_id, id)
);
alter table destination_requests alter intents set storage external;

-- Listed by status only: a list of everything reads each status.
drop index destination_deliveries_by_time;
drop index destination_deliveries_by_status;
-- Partial, so that the planner cannot take it for the primary key, of which it estimates the same in a small table.
create index destination_deliveries_by_status
  on destination_deliveries (account_id, destination_id, status, updated_at, conversion_id) where status is not null;

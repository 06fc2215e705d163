-- Partial, so that the planner cannot take them for the primary keys, of which it estimates the same in a table that it knows
-- little of: recording 500 attempts read the whole queue of an endpoint 500 times.
drop index webhook_queue_by_due;
create index webhook_queue_by_due on webhook_queue (account_id, endpoint_id, due_at) where due_at is not null;
drop index webhook_deliveries_by_status;
create index webhook_deliveries_by_status
  on webhook_deliveries (account_id, endpoint_id, status, type, message_id) where status is not null;

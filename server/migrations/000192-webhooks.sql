alter table webhook_endpoints
  -- `resource`: a message is sent after the earlier ones of its resource have been delivered or have failed.
  add column ordering text not null default 'none' check (ordering in ('none', 'resource'));

-- Of which resource a message is, and how many changes it had.
alter table webhook_messages add column resource_id uuid, add column sequence bigint;

-- Set for endpoints with an order. Of the deliveries of a resource only the first is due; the others are due at infinity until
-- it has ended.
alter table webhook_queue add column resource_id uuid, add column sequence bigint;
create index webhook_queue_by_resource
  on webhook_queue (account_id, endpoint_id, resource_id, sequence, message_id) where resource_id is not null;

-- The changes of an account with a subscriber in order are taken by one process at a time.
alter table outbox_subscriptions add column is_ordered boolean not null default false;
create index outbox_subscriptions_in_order on outbox_subscriptions (account_id) where is_ordered;

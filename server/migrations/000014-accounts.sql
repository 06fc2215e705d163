-- Its data is being erased; the row stays, so that its id refers to nothing else.
alter table accounts add column deleted_at timestamptz(3);
create index accounts_deleted on accounts (deleted_at) where deleted_at is not null;

-- When the account was moved to its cell: a replica of the cell may not have all of it for some seconds.
alter table accounts add column moved_at timestamptz;

-- Of a cell on Citus: the node that has its tables, and how often they have moved; see server/src/shared/postgres/citus.ts.
alter table instance add column node integer, add column moves integer not null default 0;

-- What this transaction sees of `inserted_xid`. On Citus it is replaced.
create function insertion_snapshot() returns pg_snapshot language sql stable as 'select pg_current_snapshot()';

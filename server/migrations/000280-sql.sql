-- Which account a process of the server executes a statement of POST /v1/sql for. The views that statements read show the rows of that
-- account, and a statement cannot change the number of its process. Rows mean nothing after a restart of the server.
create unlogged table sql_statements (
  pid integer primary key,
  bound_to uuid not null
);

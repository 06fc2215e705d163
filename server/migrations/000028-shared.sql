-- JSON as text, which is not parsed again, and whose length is known without reading it. It is deleted soon, so it is not compressed.
alter table outbox alter column data type text using data::text;
do $$ begin
  alter table outbox alter column data set storage external;
exception when feature_not_supported then null; -- Citus, if it has distributed the table already: then it is compressed
end $$;

-- JSON as text, which is not parsed again, and whose length is known without reading it. It is deleted soon, so it is not compressed.
alter table outbox alter column data type text using data::text;
alter table outbox alter column data set storage external;

alter table destination_queue
  -- Of a destination that purges caches: the tag of what changed. `conversion_id` is then the collection or entry.
  add column tag text,
  -- The paths at which it is read.
  add column paths text[];

alter table destination_queue
  -- Conversions that are sent together and apart from others, to find those that the platform refuses.
  add column batch_group uuid;

alter table destinations
  -- Why it is paused: the platform refuses the credentials; it refuses the destination, whatever is sent (a retired version of
  -- its API, a lost permission, a disabled account); or it refused many conversions in a row with one code.
  add column pause_reason text check (pause_reason in ('credentials', 'access', 'refusals')),
  -- The code of these refusals, and since when; conversions refused since are sent again once it is resumed.
  add column refusal_code text,
  add column refused_since timestamptz(3),
  -- Whether it was resumed after them: the same code does not pause it again until a conversion is accepted.
  add column accepts_refusals boolean not null default false,
  -- Whether the values of events that anyone can record with the publishable key are sent. It was so for every destination so far.
  add column trusts_public_values boolean not null default true;
update destinations set pause_reason = 'credentials' where paused_at is not null;
alter table destinations alter column trusts_public_values set default false;

alter table destinations
  -- Which value conversions are sent with: what is known, what is expected in the end, or what has settled.
  add column value_sent text not null default 'current' check (value_sent in ('current', 'expected', 'settled'));

-- How much of the rate limits is used, over all processes: only limits that are used by more than a little, and only while there
-- are several processes. A crash of the database empties it, which makes a limit too generous once.
create unlogged table rate_limit_usage (
  -- Keyed hash of a limit and whom it applies to.
  key bytea primary key,
  -- Of the burst; decreases by `per_second`.
  used double precision not null,
  -- Requests of the last second or so, refused ones as well.
  demand double precision not null,
  per_second double precision not null,
  updated_at timestamptz not null
);

-- Which sessions have which value of a filter, so that lists of sessions find the few that pass several filters. The sessions of an
-- account that started in a period are a block of some 1,024, in order; the blocks follow each other. A row has one bit for each session of the
-- block that ends at `until`: whether the session has this value. See docs/decisions/0040-session-bitmaps.md.
create table session_bitmaps (
  account_id uuid not null,
  -- 64 bits of a digest of the filter and its value; 0: neither a bot nor internal traffic. Each block has a row with 0.
  value bigint not null,
  until timestamptz(3) not null,
  bitmap bit(1024) not null,
  primary key (account_id, value, until)
);

-- Sessions that were recorded so late that a block may have been written without them.
create table late_sessions (
  account_id uuid not null,
  started_at timestamptz(3) not null,
  session_number bigint not null,
  primary key (account_id, started_at, session_number)
);

-- When a report became known, where that is not the time at which it was received: the time of a late match, or what an import said.
alter table conversion_revisions add column known_at timestamptz(3);
-- What the row of an import says, until it is matched.
alter table unmatched_conversions add column known_at timestamptz(3);

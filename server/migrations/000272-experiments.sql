-- The results of an experiment that has ended, which stay when retention deletes what they were computed from.
alter table experiments
  add column kept_results jsonb,
  add column kept_at timestamptz(3);

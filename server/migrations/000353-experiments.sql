-- By what results are divided into segments: an array of what the session of the first exposure was, of the metric that decides.
alter table experiment_visitors add column place jsonb;

-- What was stored lacks it: the next run makes it again.
delete from experiment_visitors;
delete from experiment_sums;
update experiment_series set snapshot = null, refreshed_at = null;

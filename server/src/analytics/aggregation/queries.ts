import { rows, statement } from '../../shared/postgres/statement.ts';

// Statements on the tables of analytics alone.

interface ProgressRow {
  snapshot: string;
  /** Exceeds a safe integer on Citus. */
  xmin: string;
  /** The snapshot of this transaction. */
  current: string;
  /** Whether transactions have started since. */
  has_moved: boolean;
  /** Whether the snapshot is from another server, whose transaction ids were higher. */
  is_foreign: boolean;
}

/** Where the last aggregation run ended. No row while another process runs one. */
export const lockProgress = statement('analytics.lock_progress', {}).returns<ProgressRow>(
  `select snapshot::text, pg_snapshot_xmin(snapshot)::text as xmin, current::text,
     pg_snapshot_xmax(snapshot) <> pg_snapshot_xmax(current)
       or pg_snapshot_xmin(snapshot) <> pg_snapshot_xmin(current) as has_moved,
     pg_snapshot_xmax(snapshot) > pg_snapshot_xmax(current) as is_foreign
   from (select snapshot, insertion_snapshot() as current from analytics_progress for update skip locked) p`,
);

export const writeProgress = statement('analytics.write_progress', {
  snapshot: 'pg_snapshot',
  recorded_at: 'timestamptz',
}).runs('update analytics_progress set snapshot = :snapshot, recorded_at = :recorded_at');

/** Everything that was committed until `recorded_at` is in reports. */
export const findProgress = statement('analytics.find_progress', {}).returns<{ recorded_at: Date }>(
  'select recorded_at from analytics_progress',
);

/**
 * Segments to rebuild: stale ones, those with a session that is due, and of accounts with more than `max_changed` changed
 * sessions the segments with most of them, until half as many are left.
 */
export const findSegmentsToRebuild = statement('analytics.find_segments_to_rebuild', {
  now: 'timestamptz',
  max_changed: 'integer',
}).returns<{ account_id: string; segment: number }>(
  `with changed as materialized (
     select account_id, session_number / 1024 as segment, count(*) filter (where due_at is null) as sessions,
       coalesce(bool_or(due_at <= :now), false) as is_due
     from analytics_changed_sessions group by 1, 2),
   ranked as (
     select *, sum(sessions) over (partition by account_id) as total,
       coalesce(sum(sessions) over (partition by account_id order by sessions desc, segment
         rows between unbounded preceding and 1 preceding), 0) as preceding
     from changed)
   select account_id, segment from ranked
   where is_due or sessions > 0 and total > :max_changed and preceding < total - :max_changed / 2
   union
   select account_id, segment from analytics_segments where is_stale`,
);

/** Marks sessions as changed and due at a time. */
export const markSessions = statement('analytics.mark_sessions', {
  account_id: 'uuid',
  numbers: 'bigint[]',
  due_at: 'timestamptz',
}).runs(
  `insert into analytics_changed_sessions (account_id, session_number, due_at)
   select :account_id, number, :due_at from (select distinct unnest(:numbers) as number order by 1) n
   on conflict (account_id, session_number) do update set due_at = excluded.due_at`,
);

/** Marks sessions as changed, like those with a new visit. */
export const markChanged = statement('analytics.mark_changed', { account_id: 'uuid', numbers: 'bigint[]' }).runs(
  `insert into analytics_changed_sessions (account_id, session_number)
   select :account_id, number from (select distinct unnest(:numbers) as number order by 1) n on conflict do nothing`,
);

export const takeBotCheck = statement('analytics.take_bot_check', {}).returns<{
  account_id: string;
  from_number: number;
  /** As text: it may exceed a safe integer. */
  to_number: string;
}>(
  `select account_id, from_number, to_number::text as to_number from analytics_bot_checks
   order by account_id, analytics_bot_checks.to_number limit 1 for update skip locked`,
);

/** Continues a check at a session number, or ends it. */
export const updateBotCheck = statement('analytics.update_bot_check', {
  account_id: 'uuid',
  to_number: 'text',
  next: 'bigint?',
}).runs(
  `with ended as (
     delete from analytics_bot_checks where account_id = :account_id and to_number = :to_number::bigint and :next is null)
   update analytics_bot_checks set from_number = :next
   where account_id = :account_id and to_number = :to_number::bigint and :next is not null`,
);

/** Records that something was deleted: what happened before a time, or, when that is null, leads. */
export const recordDeletion = statement('analytics.record_deletion', {
  account_id: 'uuid',
  before: 'timestamptz?',
}).runs(
  `insert into analytics_deletions as d (account_id, before) values (:account_id, :before)
   on conflict (account_id) do update set before = greatest(d.before, excluded.before)`,
);

export const takeDeletions = statement('analytics.take_deletions', {}).returns<{
  account_id: string;
  before: Date | null;
}>('delete from analytics_deletions returning account_id, before');

export const markSegmentsStale = statement('analytics.mark_segments_stale', {
  account_id: 'uuid',
  before: 'timestamptz',
}).runs(
  `update analytics_segments set is_stale = true
   where account_id = :account_id and (first_at < :before or first_event_at < :before)`,
);

export const deleteSessionlessEvents = statement('analytics.delete_sessionless_events', {
  account_id: 'uuid',
  before: 'timestamptz',
}).runs('delete from analytics_sessionless_events where account_id = :account_id and at < :before');

export const resetAggregates = statement('analytics.reset_aggregates', {}).runs(
  `with s as (delete from analytics_segments), c as (delete from analytics_changed_sessions),
     v as (delete from analytics_conversions), l as (delete from analytics_leads),
     e as (delete from analytics_sessionless_events)
   update analytics_progress set snapshot = '3:3:'`,
);

export const insertRebuilds = statement('analytics.insert_rebuilds', {
  rebuilds: rows({ account_id: 'uuid', id: 'uuid', conversion_id: 'uuid' }),
}).runs(
  `insert into analytics_increment_rebuilds (account_id, id, conversion_id)
   select account_id, id, conversion_id from :rebuilds as w order by account_id, id`,
);

/** Nothing while another process has it. */
export const takeRebuildTurn = statement('analytics.take_rebuild_turn', {}).returns<{ account_id: string }>(
  'select account_id from analytics_rebuild_turn for update skip locked',
);

/** The first of the next account that has any. */
export const findNextRebuild = statement('analytics.find_next_rebuild', { after: 'uuid' }).returns<{
  account_id: string;
  id: string;
}>(
  `select account_id, conversion_id as id from (
     (select account_id, conversion_id, id, 1 as round from analytics_increment_rebuilds
      where account_id > :after order by account_id, id limit 1)
     union all
     (select account_id, conversion_id, id, 2 from analytics_increment_rebuilds order by account_id, id limit 1)) r
   order by round limit 1`,
);

export const endRebuild = statement('analytics.end_rebuild', { account_id: 'uuid', id: 'uuid' }).runs(
  `with done as (
     delete from analytics_increment_rebuilds where account_id = :account_id and conversion_id = :id)
   update analytics_rebuild_turn set account_id = :account_id`,
);

export const findOverdueRebuilds = statement('analytics.find_overdue_rebuilds', {
  before: 'timestamptz',
  limit: 'integer',
}).returns<{ account_id: string; since: Date }>(
  `select account_id, min(recorded_at) as since from analytics_increment_rebuilds where recorded_at < :before
   group by account_id order by since limit :limit`,
);

import type { AuthorType } from '../shared/audit.ts';
import { areSubscribed } from '../shared/outbox.ts';
import { rows, statement } from '../shared/postgres/statement.ts';
import type { JOB_STATUSES } from './contract.ts';

export interface JobRow {
  account_id: string;
  id: string;
  type: string;
  params: unknown;
  status: (typeof JOB_STATUSES)[number];
  progress: number;
  result: Record<string, unknown> | null;
  error: { code: string; detail: string } | null;
  attempt: number;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  expires_at: Date | null;
  author_type: AuthorType | null;
  author_id: string | null;
}

const COLUMNS =
  'account_id, id, type, params, status, progress, result, error, attempt, created_at, started_at, finished_at, expires_at, author_type, author_id';
const JOBS_COLUMNS = COLUMNS.replace(/\w+/g, 'jobs.$&');

/** Notified when there is a job to start or to stop. */
export const CHANNEL = 'headwater_jobs';

/** A job is failed when its process has died this many times. */
const MAX_CRASHES = 5;

const CAN_START = `due_at <= now() and (status = 'queued' or crashes < ${MAX_CRASHES - 1})`;

/** Wakes the runners of every process when the transaction commits. */
export const wakeRunners = statement('jobs.wake', {}).runs(`select pg_notify('${CHANNEL}', '')`);

/** Jobs that wait for their start, at most `most`. */
export const countQueuedJobs = statement('jobs.count_queued', { most: 'integer' }).returns<{ queued: number }>(
  `select count(*) as queued from (select from jobs where status = 'queued' and due_at <= now() limit :most) j`,
);

/** An unfinished job of some types, if there is one. */
export const findUnfinishedJob = statement('jobs.find_unfinished', { account_id: 'uuid', types: 'text[]' }).returns<{
  id: string;
}>('select id from jobs where account_id = :account_id and due_at is not null and type = any(:types) limit 1');

/** Jobs that are due since before a time, or whose lease ended then: the oldest of each account and type. */
export const findOverdueJobs = statement('jobs.find_overdue', { before: 'timestamptz', limit: 'integer' }).returns<{
  account_id: string;
  subject: string;
  since: Date;
}>(
  `select account_id, type as subject, min(due_at) as since from jobs where due_at is not null and due_at < :before
   group by account_id, type order by 3 limit :limit`,
);

export const insertJob = statement('jobs.insert', {
  account_id: 'uuid',
  id: 'uuid',
  type: 'text',
  params: 'jsonb',
  created_at: 'timestamptz',
  author_type: 'text?',
  author_id: 'uuid?',
}).returns<JobRow>(
  `insert into jobs (account_id, id, type, params, created_at, author_type, author_id, status, due_at)
   values (:account_id, :id, :type, :params, :created_at, :author_type, :author_id, 'queued', now()) returning ${COLUMNS}`,
);

export const findJob = statement('jobs.find', { account_id: 'uuid', id: 'uuid', now: 'timestamptz' }).returns<JobRow>(
  `select ${COLUMNS} from jobs
   where account_id = :account_id and id = :id and (expires_at is null or expires_at > :now)`,
);

export const findJobs = statement('jobs.find_many', {
  jobs: rows({ account_id: 'uuid', id: 'uuid' }),
}).returns<JobRow>(
  `select ${JOBS_COLUMNS} from jobs join :jobs as w on (jobs.account_id, jobs.id) = (w.account_id, w.id)`,
);

/** A page, newest first, of one type or of those among a list, and of one author; null matches every job. */
export const listJobs = statement('jobs.list', {
  account_id: 'uuid',
  before: 'uuid',
  type: 'text?',
  among: 'text[]?',
  author_id: 'uuid?',
  now: 'timestamptz',
  limit: 'integer',
}).returns<JobRow>(
  `select ${COLUMNS} from jobs
   where account_id = :account_id and id < :before and (:type is null or type = :type)
     and (:among is null or type = any(:among)) and (:author_id is null or author_id = :author_id)
     and (expires_at is null or expires_at > :now)
   order by id desc limit :limit`,
);

/** Returns nothing for a job that has finished. */
export const cancelJob = statement('jobs.cancel', {
  account_id: 'uuid',
  id: 'uuid',
  finished_at: 'timestamptz',
  expires_at: 'timestamptz',
}).returns<JobRow>(
  `update jobs set status = 'cancelled', due_at = null, finished_at = :finished_at, expires_at = :expires_at
   where account_id = :account_id and id = :id and due_at is not null returning ${COLUMNS}`,
);

/**
 * Leases jobs that are due: the oldest of each account, and first that of the account whose latest start is longest ago,
 * so that no job waits behind another account's hundred jobs. Accounts are found by one index probe each; the queue is not
 * scanned.
 */
export const claimJobs = statement('jobs.claim', {
  limit: 'integer',
  types: 'text[]',
  saturated_accounts: 'uuid[]',
  now: 'timestamptz',
  lease_seconds: 'double precision',
}).returns<JobRow>(
  `with recursive waiting as (
     (select account_id from jobs where due_at is not null order by account_id limit 1)
     union all
     select (select next.account_id from jobs next
             where next.due_at is not null and next.account_id > waiting.account_id order by next.account_id limit 1)
     from waiting where waiting.account_id is not null),
   heads as (
     select head.account_id, head.id, latest.started_at
     from waiting
     cross join lateral (
       select account_id, id from jobs
       where account_id = waiting.account_id and type = any(:types) and ${CAN_START}
       order by id limit 1) head
     cross join lateral (select max(started_at) as started_at from jobs where account_id = waiting.account_id) latest
     where not (waiting.account_id = any(:saturated_accounts))),
   picked as (
     select jobs.account_id, jobs.id from heads join jobs on (jobs.account_id, jobs.id) = (heads.account_id, heads.id)
     where ${CAN_START}
     order by heads.started_at nulls first, heads.id
     limit :limit for update of jobs skip locked)
   update jobs set
     crashes = crashes + case when status = 'running' then 1 else 0 end,
     status = 'running', attempt = attempt + 1, started_at = :now,
     due_at = now() + make_interval(secs => :lease_seconds)
   from picked where (jobs.account_id, jobs.id) = (picked.account_id, picked.id)
   returning ${JOBS_COLUMNS}`,
);

/**
 * Renews leases and stores the progress. A lease that is not returned has been lost. A job that is locked, because its own
 * work is writing, is skipped instead of delaying all others: its lease is still held, but not renewed yet.
 */
export const renewLeases = statement('jobs.renew', {
  leases: rows({ account_id: 'uuid', id: 'uuid', attempt: 'integer', progress: 'double precision' }),
  lease_seconds: 'double precision',
}).returns<{ id: string; attempt: number; is_renewed: boolean }>(
  `with held as materialized (select * from :leases as w),
   renewable as (
     select jobs.account_id, jobs.id, held.progress
     from held join jobs on (jobs.account_id, jobs.id) = (held.account_id, held.id)
     where jobs.attempt = held.attempt and status = 'running'
     for update of jobs skip locked),
   renewed as (
     update jobs set due_at = now() + make_interval(secs => :lease_seconds),
       progress = greatest(jobs.progress, renewable.progress)
     from renewable where (jobs.account_id, jobs.id) = (renewable.account_id, renewable.id)
     returning jobs.account_id, jobs.id)
   select jobs.id, jobs.attempt, renewed.id is not null as is_renewed
   from held join jobs on (jobs.account_id, jobs.id) = (held.account_id, held.id)
   left join renewed on (renewed.account_id, renewed.id) = (jobs.account_id, jobs.id)
   where jobs.attempt = held.attempt and status = 'running'`,
);

const ENDS = ['job.completed', 'job.failed', 'job.cancelled'];

/** A finished job does not change any more, so the payload is made from its row. */
const OUTBOX = `pushed as (
     insert into outbox (account_id, topic, resources, at)
     select account_id, 'job.' || status, array[id], finished_at from ended
     where ${areSubscribed('ended.account_id', ENDS, "'job.' || ended.status")})`;

/** Stores the end of a job, unless its lease was lost. */
export const finishJob = statement('jobs.finish', {
  account_id: 'uuid',
  id: 'uuid',
  attempt: 'integer',
  status: 'text',
  result: 'jsonb?',
  error: 'jsonb?',
  finished_at: 'timestamptz',
  expires_at: 'timestamptz',
}).returns<{ id: string }>(
  `with ended as (
     update jobs set status = :status, result = :result, error = :error, finished_at = :finished_at,
       expires_at = :expires_at, due_at = null, progress = case when :status = 'completed' then 1 else progress end
     where account_id = :account_id and id = :id and attempt = :attempt and status = 'running'
     returning account_id, id, status, finished_at),
   ${OUTBOX}
   select id from ended`,
);

/** Returns a running job to the queue, counting `crashes` and waiting before its next start. */
export const requeueJob = statement('jobs.requeue', {
  account_id: 'uuid',
  id: 'uuid',
  attempt: 'integer',
  crashes: 'integer',
  wait_seconds: 'double precision',
}).returns<{ id: string }>(
  `update jobs set status = 'queued', started_at = null, crashes = crashes + :crashes,
     due_at = now() + make_interval(secs => :wait_seconds)
   where account_id = :account_id and id = :id and attempt = :attempt and status = 'running'
     and crashes + :crashes < ${MAX_CRASHES}
   returning id`,
);

/** Fails the jobs whose process has died at every start. */
export const failCrashedJobs = statement('jobs.fail_crashed', {
  error: 'jsonb',
  finished_at: 'timestamptz',
  expires_at: 'timestamptz',
}).returns<{ id: string; type: string }>(
  `with ended as (
     update jobs set status = 'failed', error = :error, finished_at = :finished_at, expires_at = :expires_at,
       due_at = null, crashes = crashes + 1
     where due_at <= now() and status = 'running' and crashes >= ${MAX_CRASHES - 1}
     returning account_id, id, type, status, finished_at),
   ${OUTBOX}
   select id, type from ended`,
);

export const lockExpiredJobs = statement('jobs.lock_expired', { now: 'timestamptz' }).returns<JobRow>(
  `select ${COLUMNS} from jobs where expires_at <= :now order by expires_at limit 100 for update skip locked`,
);

export const deleteJobs = statement('jobs.delete', { jobs: rows({ account_id: 'uuid', id: 'uuid' }) }).runs(
  'delete from jobs using :jobs as w where (jobs.account_id, jobs.id) = (w.account_id, w.id)',
);

/** Returns an account's running jobs of a type to the queue; the runs under way can no longer write anything. */
export const restartJobs = statement('jobs.restart', { account_id: 'uuid', type: 'text' }).returns<{ id: string }>(
  `update jobs set status = 'queued', started_at = null, due_at = now()
   where account_id = :account_id and type = :type and status = 'running' returning id`,
);

/** Completed jobs of an account and type whose results have not been discarded. */
export const lockCompletedJobs = statement('jobs.lock_completed', { account_id: 'uuid', type: 'text' }).returns<JobRow>(
  `select ${COLUMNS} from jobs
   where account_id = :account_id and type = :type and status = 'completed' and not result ? 'expired'
   order by id limit 100 for update`,
);

export const markExpired = statement('jobs.mark_expired', { account_id: 'uuid', ids: 'uuid[]' }).runs(
  `update jobs set result = result || '{"expired": true}' where account_id = :account_id and id = any(:ids)`,
);

/** Keeps a run from being finished or taken over until the transaction ends. Returns nothing if that has happened. */
export const lockRun = statement('jobs.lock_run', { account_id: 'uuid', id: 'uuid', attempt: 'integer' }).returns<{
  id: string;
}>(
  `select id from jobs
   where account_id = :account_id and id = :id and attempt = :attempt and status = 'running' for share`,
);

/**
 * Before an account's jobs are copied to another cell: returns running jobs to the queue, where the runs under way can no longer
 * write anything, and keeps the results of finished ones for some time.
 */
export const releaseJobs = statement('jobs.release', {
  account_id: 'uuid',
  now: 'timestamptz',
  until: 'timestamptz',
}).runs(
  `update jobs set
     status = case when status = 'running' then 'queued' else status end,
     started_at = case when status = 'running' then null else started_at end,
     due_at = case when status = 'running' then :now else due_at end,
     expires_at = greatest(expires_at, case when expires_at is not null then :until end)
   where account_id = :account_id and (status = 'running' or expires_at < :until)`,
);

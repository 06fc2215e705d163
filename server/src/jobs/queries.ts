import { isSubscribed } from '../shared/outbox.ts';
import { statement } from '../shared/postgres/database.ts';
import type { JOB_STATUSES } from './contract.ts';

export interface JobRow {
  account_id: string;
  id: string;
  type: string;
  params: unknown;
  status: (typeof JOB_STATUSES)[number];
  progress: number;
  result: unknown;
  error: { code: string; detail: string } | null;
  attempt: number;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  expires_at: Date | null;
}

const COLUMNS =
  'account_id, id, type, params, status, progress, result, error, attempt, created_at, started_at, finished_at, expires_at';

/** Told that there is something to take up or to stop. */
export const CHANNEL = 'headwater_jobs';

/** A start that ended without a word this many times is the last. */
const MAX_CRASHES = 5;

const MAY_START = `due_at <= now() and (status = 'queued' or crashes < ${MAX_CRASHES - 1})`;

/** Wakes the runners of every process, once the transaction is committed. */
export const wakeRunners = statement('jobs.wake', `select pg_notify('${CHANNEL}', '')`);

/** $1 account, id, type, params, created_at */
export const insertJob = statement<JobRow>(
  'jobs.insert',
  `insert into jobs (account_id, id, type, params, created_at, status, due_at)
   values ($1, $2, $3, $4, $5, 'queued', now()) returning ${COLUMNS}`,
);

/** $1 account, id, now */
export const findJob = statement<JobRow>(
  'jobs.find',
  `select ${COLUMNS} from jobs where account_id = $1 and id = $2 and (expires_at is null or expires_at > $3)`,
);

/** $1 accounts, ids */
export const findJobs = statement<JobRow>(
  'jobs.find_many',
  `select ${COLUMNS.replace(/\w+/g, 'jobs.$&')} from jobs
   join unnest($1::uuid[], $2::uuid[]) as w (account_id, id) on (jobs.account_id, jobs.id) = (w.account_id, w.id)`,
);

/** $1 account, id that the page lies before, type or null, now, at most */
export const listJobs = statement<JobRow>(
  'jobs.list',
  `select ${COLUMNS} from jobs
   where account_id = $1 and id < $2 and ($3::text is null or type = $3) and (expires_at is null or expires_at > $4)
   order by id desc limit $5`,
);

/** $1 account, id, finished_at, expires_at. None where it is finished. */
export const cancelJob = statement<JobRow>(
  'jobs.cancel',
  `update jobs set status = 'cancelled', due_at = null, finished_at = $3, expires_at = $4
   where account_id = $1 and id = $2 and due_at is not null returning ${COLUMNS}`,
);

/**
 * Takes up jobs that are due, for a lease: of each account its oldest, and first that of the account which has waited
 * longest since a job of its was begun, so that nobody waits behind another's hundred. The accounts are found by one step through the index each, not by
 * reading the queue. $1 at most, $2 types, $3 accounts to pass over, $4 now, $5 seconds of lease
 */
export const claimJobs = statement<JobRow>(
  'jobs.claim',
  `with recursive waiting as (
     (select account_id from jobs where due_at is not null order by account_id limit 1)
     union all
     select (select next.account_id from jobs next
             where next.due_at is not null and next.account_id > waiting.account_id order by next.account_id limit 1)
     from waiting where waiting.account_id is not null),
   heads as (
     select head.account_id, head.id, served.at as served_at
     from waiting
     cross join lateral (
       select account_id, id from jobs
       where account_id = waiting.account_id and type = any($2::text[]) and ${MAY_START}
       order by id limit 1) head
     cross join lateral (select max(started_at) as at from jobs where account_id = waiting.account_id) served
     where not (waiting.account_id = any($3::uuid[]))),
   picked as (
     select jobs.account_id, jobs.id from heads join jobs on (jobs.account_id, jobs.id) = (heads.account_id, heads.id)
     where ${MAY_START}
     order by heads.served_at nulls first, heads.id
     limit $1 for update of jobs skip locked)
   update jobs set
     crashes = crashes + case when status = 'running' then 1 else 0 end,
     status = 'running', attempt = attempt + 1, started_at = $4, due_at = now() + make_interval(secs => $5)
   from picked where (jobs.account_id, jobs.id) = (picked.account_id, picked.id)
   returning ${COLUMNS.replace(/\w+/g, 'jobs.$&')}`,
);

/** Renews leases and writes progress down. Those that are not returned are no longer their caller's. $1 accounts, ids, attempts, progress, $5 seconds */
export const renewLeases = statement<{ id: string; attempt: number }>(
  'jobs.renew',
  `update jobs set due_at = now() + make_interval(secs => $5), progress = greatest(jobs.progress, held.progress)
   from unnest($1::uuid[], $2::uuid[], $3::int[], $4::float8[]) as held (account_id, id, attempt, progress)
   where (jobs.account_id, jobs.id) = (held.account_id, held.id) and jobs.attempt = held.attempt and status = 'running'
   returning jobs.id, jobs.attempt`,
);

/** To be pushed: a job that has ended changes no more, so its own row tells all. */
const PUSHED = `pushed as (
     insert into outbox (account_id, topic, resources, at)
     select account_id, 'job.' || status, array[id], finished_at from ended
     where ${isSubscribed('ended.account_id', "('job.' || ended.status)")})`;

/** Writes the end of a job down, unless its lease was lost since. $1 account, id, attempt, status, result, error, finished_at, expires_at */
export const finishJob = statement<{ id: string }>(
  'jobs.finish',
  `with ended as (
     update jobs set status = $4, result = $5, error = $6, finished_at = $7, expires_at = $8, due_at = null,
       progress = case when $4 = 'completed' then 1 else progress end
     where account_id = $1 and id = $2 and attempt = $3 and status = 'running'
     returning account_id, id, status, finished_at),
   ${PUSHED}
   select id from ended`,
);

/** Gives a job back to the queue. $1 account, id, attempt, $4 crashes to count, $5 seconds to wait */
export const giveJobBack = statement<{ id: string }>(
  'jobs.give_back',
  `update jobs set status = 'queued', started_at = null, crashes = crashes + $4,
     due_at = now() + make_interval(secs => $5)
   where account_id = $1 and id = $2 and attempt = $3 and status = 'running' and crashes + $4 < ${MAX_CRASHES}
   returning id`,
);

/** Fails the jobs whose every start ended without a word. $1 error, finished_at, expires_at */
export const failCrashedJobs = statement<{ id: string; type: string }>(
  'jobs.fail_crashed',
  `with ended as (
     update jobs set status = 'failed', error = $1, finished_at = $2, expires_at = $3, due_at = null,
       crashes = crashes + 1
     where due_at <= now() and status = 'running' and crashes >= ${MAX_CRASHES - 1}
     returning account_id, id, type, status, finished_at),
   ${PUSHED}
   select id, type from ended`,
);

/** $1 now */
export const lockExpiredJobs = statement<JobRow>(
  'jobs.lock_expired',
  `select ${COLUMNS} from jobs where expires_at <= $1 order by expires_at limit 100 for update skip locked`,
);

/** $1 accounts, ids */
export const deleteJobs = statement(
  'jobs.delete',
  `delete from jobs using unnest($1::uuid[], $2::uuid[]) as gone (account_id, id)
   where (jobs.account_id, jobs.id) = (gone.account_id, gone.id)`,
);

/** Gives an account's running jobs of a type back to the queue: whatever their starts still write is refused. $1 account, type */
export const restartJobs = statement<{ id: string }>(
  'jobs.restart',
  `update jobs set status = 'queued', started_at = null, due_at = now()
   where account_id = $1 and type = $2 and status = 'running' returning id`,
);

/** Completed jobs of an account and type, of which something is left. $1 account, type */
export const lockFinishedJobs = statement<JobRow>(
  'jobs.lock_finished',
  `select ${COLUMNS} from jobs
   where account_id = $1 and type = $2 and status = 'completed' and not result ? 'expired'
   order by id limit 100 for update`,
);

/** $1 account, ids */
export const markExpired = statement(
  'jobs.mark_expired',
  `update jobs set result = result || '{"expired": true}' where account_id = $1 and id = any($2::uuid[])`,
);

/** Keeps a run from being ended or taken up by another until the transaction ends; none where that has happened. $1 account, id, attempt */
export const holdJob = statement<{ id: string }>(
  'jobs.hold',
  `select id from jobs where account_id = $1 and id = $2 and attempt = $3 and status = 'running' for share`,
);

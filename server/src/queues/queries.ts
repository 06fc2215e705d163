import { rows, statement } from '../shared/postgres/statement.ts';

interface AlarmRow {
  account_id: string;
  queue: string;
  subject: string;
  since: Date;
  raised_at: Date;
}

/**
 * Stores what is overdue in these queues, and deletes what no longer is. Returns what was not overdue before, which one of
 * several processes gets.
 */
export const storeAlarms = statement('queues.store_alarms', {
  queues: 'text[]',
  alarms: rows({ account_id: 'uuid', queue: 'text', subject: 'text', since: 'timestamptz' }),
  now: 'timestamptz',
}).returns<{ account_id: string; queue: string; subject: string; since: Date }>(
  `with given as materialized (select * from :alarms as w),
   ended as (
     delete from queue_alarms a where a.queue = any(:queues)
       and not exists (
         select from given g where (g.account_id, g.queue, g.subject) = (a.account_id, a.queue, a.subject))),
   stored as (
     insert into queue_alarms as a (account_id, queue, subject, since, raised_at)
     select account_id, queue, subject, since, :now from given order by account_id, queue, subject
     on conflict (account_id, queue, subject) do update set since = excluded.since where a.since <> excluded.since
     returning account_id, queue, subject, since, xmax = 0 as is_new)
   select account_id, queue, subject, since from stored where is_new`,
);

/** Oldest first. */
export const listAlarms = statement('queues.list_alarms', { accounts: 'uuid[]', limit: 'integer' }).returns<AlarmRow>(
  `select account_id, queue, subject, since, raised_at from queue_alarms where account_id = any(:accounts)
   order by since, queue, subject limit :limit`,
);

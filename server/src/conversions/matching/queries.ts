import { rows, statement } from '../../shared/postgres/statement.ts';

const IDS = rows({ account_id: 'uuid', id: 'uuid' });

export interface UnmatchedRow {
  account_id: string;
  id: string;
  identifier: Record<string, string | number>;
}

/** The accounts that have an unmatched report: mostly none. `order by` makes the planner use the index. */
export const findAccountsWithUnmatched = statement('conversions.find_accounts_with_unmatched', {
  accounts: 'uuid[]',
}).returns<{ account_id: string }>(
  `select w.account_id from unnest(:accounts) as w (account_id)
   join lateral (select from unmatched_conversions u where u.account_id = w.account_id order by u.id limit 1) u on true`,
);

/** The unmatched reports with these digests. `offset 0` makes the planner probe the index once for each. */
export const findUnmatchedByDigest = statement('conversions.find_unmatched_by_digest', {
  digests: rows({ account_id: 'uuid', digest: 'uuid' }),
}).returns<UnmatchedRow>(
  `select u.account_id, u.id, u.identifier from :digests as w
   join lateral (
     select * from unmatched_conversions u where u.account_id = w.account_id and u.digest = w.digest offset 0) u on true`,
);

/** Accounts with unmatched reports, each found by one index probe. */
export const listAccountsWithUnmatched = statement('conversions.list_accounts_with_unmatched', {
  limit: 'integer',
}).returns<{ account_id: string }>(
  `with recursive known as (
     (select account_id from unmatched_conversions order by account_id limit 1)
     union all
     select (select u.account_id from unmatched_conversions u where u.account_id > known.account_id
             order by u.account_id limit 1)
     from known where known.account_id is not null)
   select account_id from known where account_id is not null limit :limit`,
);

/** A page of the unmatched reports of all accounts, after one of them. */
export const listAllUnmatched = statement('conversions.list_all_unmatched', {
  after_account: 'uuid',
  after_id: 'uuid',
  limit: 'integer',
}).returns<UnmatchedRow>(
  `select account_id, id, identifier from unmatched_conversions
   where (account_id, id) > (:after_account, :after_id) and identifier <> '{}' order by account_id, id limit :limit`,
);

interface TakenRow {
  account_id: string;
  id: string;
  event_id: string | null;
  sent_event: string | null;
  value: string | null;
  currency: string | null;
  sent_created_on: Date | null;
  received_at: Date;
  /** JSON. */
  identifier: string;
  /** JSON. */
  extra: string | null;
  arrival: number;
  import_id: string | null;
  known_at: Date | null;
}

/** Deletes and returns unmatched reports received since a time, except those that another process is taking. */
export const takeUnmatched = statement('conversions.take_unmatched', {
  reports: IDS,
  since: 'timestamptz',
}).returns<TakenRow>(
  `with taken as materialized (
     select u.account_id, u.id from :reports as w
     join unmatched_conversions u on u.account_id = w.account_id and u.id = w.id and u.received_at >= :since
     for update of u skip locked)
   delete from unmatched_conversions u using taken
   where u.account_id = taken.account_id and u.id = taken.id
   returning u.account_id, u.id, u.event_id, u.sent_event, u.value, u.currency, u.sent_created_on, u.received_at,
     u.identifier::text, u.extra::text, u.arrival, u.import_id, u.known_at`,
);

/** Its fingerprint would be that of another report. */
export const correctUnmatched = statement('conversions.correct_unmatched', {
  account_id: 'uuid',
  id: 'uuid',
  identifier: 'jsonb',
  digest: 'uuid',
}).returns<{ id: string }>(
  `update unmatched_conversions set identifier = :identifier, digest = :digest, fingerprint = null
   where account_id = :account_id and id = :id returning id`,
);

export const deleteUnmatched = statement('conversions.delete_unmatched', { account_id: 'uuid', id: 'uuid' }).returns<{
  id: string;
}>('delete from unmatched_conversions where account_id = :account_id and id = :id returning id');

export const deleteExpiredUnmatched = statement('conversions.delete_expired_unmatched', {
  before: 'timestamptz',
  limit: 'integer',
}).returns<{ id: string }>(
  `delete from unmatched_conversions where (account_id, id) in (
     select account_id, id from unmatched_conversions where received_at < :before order by received_at limit :limit
     for update skip locked)
   returning id`,
);

/** The latest reported value that counts; a page's event (arrival 0) does not count beside trusted reports. */
const latest = (member: string) =>
  `(select r.${member} from conversion_revisions r
     where r.account_id = c.account_id and r.conversion_id = c.id and r.${member} is not null
       and r.withdrawn_version is null and (r.arrival > 0 or not c.is_trusted)
     order by r.arrival desc limit 1)`;

/** Rebuilds conversions, whose rows are locked, after a revision was added that is not their latest. */
export const rebuildFromRevisions = statement('conversions.rebuild_from_revisions', { conversions: IDS }).runs(
  `update conversions c set
     sent_event = ${latest('event')},
     value = ${latest('value')},
     currency = ${latest('currency')},
     sent_created_on = ${latest('created_on')},
     extra = ${latest('extra')}
   from :conversions as w
   where c.account_id = w.account_id and c.id = w.id`,
);

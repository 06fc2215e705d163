import { statement } from '../../shared/postgres/statement.ts';

const LEASE = { lease_until: 'timestamptz', now: 'timestamptz' } as const;

/** Leases some posters that are due to this process, at most one of each account: none waits behind another's backlog. */
export const leaseDuePosters = statement('files.lease_due_posters', { ...LEASE, max: 'integer' }).returns<{
  account_id: string;
  id: string;
}>(
  `with oldest as (
     select distinct on (account_id) account_id, id, poster_due from assets
     where poster_due <= :now order by account_id, poster_due
   ), due as (select account_id, id from oldest order by poster_due limit :max)
   update assets a set poster_due = :lease_until from due
   where a.account_id = due.account_id and a.id = due.id and a.poster_due <= :now
   returning a.account_id, a.id`,
);

/** Leases the poster of one asset. Returns no row if it is not due, or another process has the lease. */
export const leasePoster = statement('files.lease_poster', { ...LEASE, account_id: 'uuid', id: 'uuid' }).returns<{
  id: string;
}>(
  `update assets set poster_due = :lease_until
   where account_id = :account_id and id = :id and poster_due <= :now returning id`,
);

/** Gives every asset with this content its poster, or none. Returns the assets that were still waiting for it. */
export const finishPoster = statement('files.finish_poster', {
  account_id: 'uuid',
  sha256: 'bytea',
  poster_key: 'text?',
  poster_width: 'integer?',
  poster_height: 'integer?',
  thumbhash: 'bytea?',
}).returns<{ url_key: string }>(
  `update assets set poster_due = null, poster_key = :poster_key, poster_width = :poster_width,
     poster_height = :poster_height, thumbhash = :thumbhash
   where account_id = :account_id and sha256 = :sha256 and poster_due is not null
   returning url_key`,
);

import { rows, statement } from '../../shared/postgres/statement.ts';

const ofAccount = { account_id: 'uuid' } as const;

/** What the statement that publishes or unpublishes writes about each entry and locale. */
export const CHANGES = rows({
  entry_id: 'uuid',
  type: 'text',
  locale: 'text?',
  slug: 'text?',
  previous_slug: 'text?',
});

/** In the outbox: what caches have to purge, the collection as the resource and its entries as data. No webhook receives it. */
const CONTENT_TOPIC = 'content.changed';
const HAS_CACHES = `exists (select from outbox_subscriptions sub
  where sub.account_id = :account_id and sub.topic = '${CONTENT_TOPIC}')`;

/** CTEs with these `:changes`. */
export const RECORD_CHANGES = `recorded as (
     insert into publication_changes (account_id, collection_id, ${CHANGES.list}, at)
     select :account_id, :collection_id, w.*, :now from :changes as w
   ), announced as (
     insert into outbox (account_id, topic, resources, data, at)
     select :account_id, '${CONTENT_TOPIC}', array[:collection_id], json_agg(json_build_object(
       'entry', w.entry_id, 'slug', w.slug, 'previous', w.previous_slug))::text, :now
     from :changes as w where ${HAS_CACHES} having count(*) > 0
   )`;

/** Whatever is public of a collection may have changed. */
export const announceCollection = statement('content.announce_collection', {
  account_id: 'uuid',
  collection_id: 'uuid',
  now: 'timestamptz',
}).runs(
  `insert into outbox (account_id, topic, resources, at)
   select :account_id, '${CONTENT_TOPIC}', array[:collection_id], :now where ${HAS_CACHES}`,
);

/** Everything that is published of a collection becomes public, or stops being so. */
export const recordCollection = statement('content.record_public_collection', {
  account_id: 'uuid',
  collection_id: 'uuid',
  type: 'text',
  /** The locales of the account, and where the slug of each is; one without a name if the collection has no localized fields. */
  locales: rows({ locale: 'text?', slug_id: 'text?', fallback_id: 'text?', is_default: 'boolean' }),
  now: 'timestamptz',
}).runs(
  `insert into publication_changes (account_id, collection_id, entry_id, type, locale, slug, at)
   select p.account_id, p.collection_id, p.id, :type, l.locale,
     coalesce(p."values" ->> l.slug_id, p."values" ->> l.fallback_id), :now
   from published_entries p cross join :locales as l
   where p.account_id = :account_id and p.collection_id = :collection_id and p.status = 'active'
     and (l.locale is null or case when p.locales is null then l.is_default else p.locales ? l.locale end)
   order by p.created_at, p.id`,
);

export interface FeedRow {
  account_id: string;
  last: number;
  expired: number;
  /** Whether changes have no sequence yet. */
  is_waiting: boolean;
}

/** How far the feeds of accounts are; no row of an account without changes. */
export const findFeeds = statement('content.find_feeds', { accounts: 'uuid[]' }).returns<FeedRow>(
  `select a.account_id, coalesce(f.last, 0) as last, coalesce(f.expired, 0) as expired,
     exists (select from publication_changes c where c.account_id = a.account_id and c.sequence is null) as is_waiting
   from unnest(:accounts) as a (account_id) left join publication_feeds f on f.account_id = a.account_id`,
);

/** Until the end of the transaction no other one assigns sequences. */
export const lockFeed = statement('content.lock_feed', ofAccount).runs(
  `insert into publication_feeds as f (account_id) values (:account_id)
   on conflict (account_id) do update set last = f.last`,
);

/**
 * Assigns the next sequences to changes that were committed since, in the order in which they were written. Of two changes of which one
 * followed the other, the first was visible before the second was written, so it has the lower sequence. The transaction has locked the feed.
 */
export const assignSequences = statement('content.assign_sequences', { ...ofAccount, limit: 'integer' }).returns<{
  count: number;
}>(
  `with waiting as materialized (
     select id, row_number() over (order by id) as n from (
       select id from publication_changes where account_id = :account_id and sequence is null order by id limit :limit) w
   ), assigned as (
     update publication_changes c set sequence = f.last + w.n
     from waiting w, publication_feeds f
     where c.account_id = :account_id and c.id = w.id and f.account_id = :account_id
   ), counted as (
     select count(*) as count from waiting
   )
   update publication_feeds f set last = f.last + counted.count from counted
   where f.account_id = :account_id returning counted.count as count`,
);

export interface ChangeRow {
  sequence: number;
  type: 'publish' | 'unpublish';
  collection_id: string;
  entry_id: string;
  locale: string | null;
  slug: string | null;
  previous_slug: string | null;
  at: Date;
}

/** Changes in order, from after one up to and including another. */
export const listChanges = statement('content.list_changes', {
  account_id: 'uuid',
  after: 'bigint',
  last: 'bigint',
  /** Null: all. */
  collections: 'uuid[]?',
  limit: 'integer',
}).returns<ChangeRow>(
  `select sequence, type, collection_id, entry_id, locale, slug, previous_slug, at
   from publication_changes
   where account_id = :account_id and sequence > :after and sequence <= :last
     and (:collections is null or collection_id = any(:collections))
   order by sequence limit :limit`,
);

/** Accounts with changes from before a time. */
export const findExpiredFeeds = statement('content.find_expired_feeds', {
  before: 'timestamptz',
  limit: 'integer',
}).returns<{ account_id: string }>(
  `select distinct account_id from (
     select account_id from publication_changes where at < :before order by at limit :limit) as oldest`,
);

/** Deletes changes from before a time, the oldest first. The transaction has locked the feed, and all changes have sequences. */
export const deleteExpiredChanges = statement('content.delete_expired_changes', {
  ...ofAccount,
  before: 'timestamptz',
  limit: 'integer',
}).returns<{ count: number }>(
  `with first_kept as (
     select sequence from publication_changes
     where account_id = :account_id and sequence is not null and at >= :before order by sequence limit 1
   ), deleted as (
     delete from publication_changes where account_id = :account_id and sequence in (
       select sequence from publication_changes
       where account_id = :account_id and sequence < coalesce((select sequence from first_kept), 9007199254740991)
       order by sequence limit :limit)
     returning sequence
   ), counted as (
     select count(*) as count, max(sequence) as last from deleted
   )
   update publication_feeds f set expired = greatest(f.expired, counted.last) from counted
   where f.account_id = :account_id returning counted.count as count`,
);

/** Which of these collections are public, or were when something was recorded. */
export const findFollowable = statement('content.find_followable', { account_id: 'uuid', ids: 'uuid[]' }).returns<{
  id: string;
}>(
  `select w.id from unnest(:ids) as w (id)
   where w.id in (
       select id from collections
       where account_id = :account_id and id = any(:ids) and status = 'active' and public and publishing)
     or exists (
       select from publication_changes c where c.account_id = :account_id and c.collection_id = w.id)`,
);

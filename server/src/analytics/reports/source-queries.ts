import { statement } from '../../shared/postgres/statement.ts';

// Statements of reports that read the tables of tracking and conversions.

export interface UnmatchedCountRow {
  /** null: it was erased. */
  identifier: string | null;
  is_well_formed: boolean;
  count: number;
  oldest_at: Date;
  latest_at: Date;
}

/** Unmatched reports by the name of their identifier. `hashes`: names that take a hash; `short_hashes`: a short one. */
export const countUnmatched = statement('analytics.count_unmatched', {
  account_id: 'uuid',
  from: 'timestamptz',
  to: 'timestamptz',
  hashes: 'text[]',
  short_hashes: 'text[]',
}).returns<UnmatchedCountRow>(
  `select key as identifier, is_well_formed, count(*), min(received_at) as oldest_at, max(received_at) as latest_at
   from unmatched_conversions u
   left join lateral (
     select key, case
       when key = any(:hashes) then value ~ '^([0-9A-Za-z]{22}|[0-9]{1,16})$'
       when key = any(:short_hashes) then value ~* '^[0-9A-Z]{12}$' and value !~* 'u'
       else true end as is_well_formed
     from jsonb_each_text(u.identifier)) k on true
   where account_id = :account_id and received_at >= :from and received_at < :to
   group by 1, 2`,
);

/** The platforms of which the latest sessions have a click id. */
export const findSeenPlatforms = statement('analytics.find_seen_platforms', {
  account_id: 'uuid',
  limit: 'integer',
}).returns<{ platform: string }>(
  `select distinct jsonb_object_keys(click_ids) as platform
   from (
     select click_ids from sessions where account_id = :account_id order by started_at desc limit :limit) s`,
);

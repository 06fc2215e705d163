import { statement } from '../../shared/postgres/statement.ts';
import { pageOf, textOf } from '../sql-expressions.ts';
import { listOf } from './key-columns.ts';

// Statements that read the tables of tracking.

const KEYS = {
  term: textOf('term'),
  content: textOf('content'),
  landing_page: textOf(pageOf('landing_url')),
} as const;
export type SessionKeyColumn = keyof typeof KEYS;

/** Paid sessions of a source, campaign and key. Lists are numbers in order, separated by commas. */
export interface PaidSessionsRow {
  source: string;
  campaign: string;
  key: string | null;
  /** Since 1970. */
  days: string;
  sessions: string;
}

// Sources are chosen afterwards: with them, PostgreSQL expects few rows and sorts them all, which takes twice as long.
const countBy = (column: SessionKeyColumn) =>
  statement(`analytics.count_paid_sessions_by_${column}`, {
    account_id: 'uuid',
    from: 'timestamptz',
    to: 'timestamptz',
    unpaid: 'text[]',
    time_zone: 'text',
  }).returns<PaidSessionsRow>(
    `select source, campaign, key, ${listOf('day')} as days, ${listOf('sessions')} as sessions
     from (
       select source, coalesce(campaign, '') as campaign, ${KEYS[column]} as key,
         (started_at at time zone :time_zone)::date - '1970-01-01'::date as day, count(*) as sessions
       from sessions
       where account_id = :account_id and started_at >= :from and started_at < :to and not is_bot and not is_internal
         and source is not null and not coalesce(medium = any(:unpaid), false)
       group by 1, 2, 3, 4) s
     group by 1, 2, 3`,
  );

/** Paid sessions by campaign, day and ad group, ad or landing page. */
export const countPaidSessions = {
  term: countBy('term'),
  content: countBy('content'),
  landing_page: countBy('landing_page'),
};

import { statement } from '../../shared/postgres/statement.ts';
import { pageOf, textOf } from '../sql-expressions.ts';

// Statements that read the tables of tracking.

const KEYS = {
  term: textOf('term'),
  content: textOf('content'),
  landing_page: textOf(pageOf('landing_url')),
} as const;
export type SessionKeyColumn = keyof typeof KEYS;

export interface SessionsRow {
  source: string;
  campaign: string;
  key: string | null;
  day: string;
  sessions: number;
}

const countBy = (column: SessionKeyColumn) =>
  statement(`analytics.count_paid_sessions_by_${column}`, {
    account_id: 'uuid',
    from: 'timestamptz',
    to: 'timestamptz',
    sources: 'text[]',
    unpaid: 'text[]',
    time_zone: 'text',
  }).returns<SessionsRow>(
    `select lower(source) as source, lower(coalesce(campaign, '')) as campaign, ${KEYS[column]} as key,
       (started_at at time zone :time_zone)::date::text as day, count(*)::int as sessions
     from sessions
     where account_id = :account_id and started_at >= :from and started_at < :to and not is_bot and not is_internal
       and lower(source) = any(:sources) and not coalesce(medium = any(:unpaid), false)
     group by 1, 2, 3, 4`,
  );

/** Paid sessions by campaign, day and ad group, ad or landing page. */
export const countPaidSessions = {
  term: countBy('term'),
  content: countBy('content'),
  landing_page: countBy('landing_page'),
};

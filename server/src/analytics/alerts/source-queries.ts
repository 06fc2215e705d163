import { rows, statement } from '../../shared/postgres/statement.ts';

// Statements that read the tables of tracking.

/** Windows by their number; ids are ordered by arrival. */
const ID_WINDOWS = rows({ number: 'integer', first_id: 'uuid', end_id: 'uuid' });

interface CountedWindow {
  number: number;
  count: number;
}

export const countVisitsOfWindows = statement('analytics.count_visits_of_windows', {
  account_id: 'uuid',
  windows: ID_WINDOWS,
}).returns<CountedWindow>(
  `select w.number, v.count from :windows as w
   cross join lateral (
     select count(*)::int as count from visits v
     where v.account_id = :account_id and v.id >= w.first_id and v.id < w.end_id and not v.is_bot) v`,
);

export const countEventsOfWindows = statement('analytics.count_events_of_windows', {
  account_id: 'uuid',
  windows: ID_WINDOWS,
  event: 'text?',
}).returns<CountedWindow>(
  `select w.number, e.count from :windows as w
   cross join lateral (
     select count(*)::int as count from events e
     where e.account_id = :account_id and e.id >= w.first_id and e.id < w.end_id and not e.is_bot and not e.is_internal
       and (:event is null or e.event = :event)) e`,
);

/** When the first session of an account started. */
export const findFirstSession = statement('analytics.find_first_session', { account_id: 'uuid' }).returns<{
  at: Date;
}>('select started_at as at from sessions where account_id = :account_id order by started_at limit 1');

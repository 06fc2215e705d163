import { statement } from '../../shared/postgres/statement.ts';

/** Sessions, with their visits and events, that turned out to be no bots. Lists find them by the filter bitmaps that are written next. */
export const clearBotFlags = statement('tracking.clear_bot_flags', { account_id: 'uuid', sessions: 'bigint[]' }).runs(
  `with cleared as materialized (
     select number from sessions where account_id = :account_id and number = any(:sessions) order by number for update),
   updated as (
     update sessions s set is_bot = false from cleared c where s.account_id = :account_id and s.number = c.number
     returning s.started_at, s.number),
   of_visits as (
     update visits v set is_bot = false from cleared c
     where v.account_id = :account_id and v.session_number = c.number and v.is_bot),
   of_events as (
     update events e set is_bot = false from cleared c
     where e.account_id = :account_id and e.session_number = c.number and e.is_bot)
   insert into late_sessions (account_id, started_at, session_number)
   select :account_id, started_at, number from updated on conflict do nothing`,
);

-- A session's conversions one after another: sessions that converted are counted without being sorted.
drop index analytics_conversions_by_session_start;
create index analytics_conversions_by_session_start on analytics_conversions (account_id, session_started_at, session_number)
  include (is_bot, is_internal, is_refunded);

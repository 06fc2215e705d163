-- The different lists of platforms, pages, events and funnels of sessions. Conversions and leads refer to them by a key, so that
-- reports group numbers that an index contains.
create table analytics_lists (
  account_id uuid not null,
  -- 64 bits of a digest of the list.
  key bigint not null,
  list text[] not null,
  primary key (account_id, key)
);

insert into analytics_lists (account_id, key, list)
select distinct on (1, 2) account_id, ('x' || left(md5(list::text), 16))::bit(64)::bigint, list
from (
  select account_id, list from analytics_conversions, lateral (values (platform), (page), (event), (funnel)) l (list)
  union all
  select account_id, list from analytics_leads, lateral (values (platform), (page), (event), (funnel)) l (list)) l
where list <> '{}';

drop index analytics_conversions_by_time, analytics_conversions_by_session_start, analytics_leads_by_time;

-- 0: the empty list.
alter table analytics_conversions
  alter platform type bigint using case when platform = '{}' then 0 else ('x' || left(md5(platform::text), 16))::bit(64)::bigint end,
  alter page type bigint using case when page = '{}' then 0 else ('x' || left(md5(page::text), 16))::bit(64)::bigint end,
  alter event type bigint using case when event = '{}' then 0 else ('x' || left(md5(event::text), 16))::bit(64)::bigint end,
  alter funnel type bigint using case when funnel = '{}' then 0 else ('x' || left(md5(funnel::text), 16))::bit(64)::bigint end;
alter table analytics_conversions rename platform to platform_list;
alter table analytics_conversions rename page to page_list;
alter table analytics_conversions rename event to event_list;
alter table analytics_conversions rename funnel to funnel_list;

alter table analytics_leads
  alter platform type bigint using case when platform = '{}' then 0 else ('x' || left(md5(platform::text), 16))::bit(64)::bigint end,
  alter page type bigint using case when page = '{}' then 0 else ('x' || left(md5(page::text), 16))::bit(64)::bigint end,
  alter event type bigint using case when event = '{}' then 0 else ('x' || left(md5(event::text), 16))::bit(64)::bigint end,
  alter funnel type bigint using case when funnel = '{}' then 0 else ('x' || left(md5(funnel::text), 16))::bit(64)::bigint end;
alter table analytics_leads rename platform to platform_list;
alter table analytics_leads rename page to page_list;
alter table analytics_leads rename event to event_list;
alter table analytics_leads rename funnel to funnel_list;

-- Include everything that reports without filters and breakdowns by page, event, funnel or platform read.
create index analytics_conversions_by_time on analytics_conversions (account_id, at)
  include (is_bot, is_internal, is_refunded, currency, value, platform_list, page_list, event_list, funnel_list);
create index analytics_conversions_by_session_start on analytics_conversions (account_id, session_started_at, session_number)
  include (is_bot, is_internal, is_refunded, platform_list, page_list, event_list, funnel_list);
create index analytics_leads_by_time on analytics_leads (account_id, at)
  include (is_bot, is_internal, platform_list, page_list, event_list, funnel_list);

import { statement } from '../../shared/postgres/statement.ts';

// Statements that read the tables of tracking.

/** SQL for the first of these parameters of a landing URL that is an ID. */
const idIn = (...names: string[]) =>
  `substring(s.landing_url from '(?i)[?&](?:${names.join('|')})=([0-9]{1,20})(?:&|#|$)')`;

/**
 * Learns what sessions call campaigns, ad groups and ads whose IDs are in their landing URLs. A name with several IDs is that of most
 * sessions. What a user assigned stays.
 */
export const learnAliases = statement('analytics.learn_ad_aliases', {
  account_id: 'uuid',
  source: 'text',
  since: 'timestamptz',
}).runs(
  `with seen as (
     select v.level, lower(btrim(v.value)) as value, v.id, count(*) as sessions
     from sessions s, lateral (values
       ('campaign', s.campaign, coalesce(${idIn('gad_campaignid')}, s.utm_id, ${idIn('campaignid', 'campaign_id', 'hsa_cam')})),
       ('ad_group', s.term, ${idIn('adgroupid', 'adgroup_id', 'adset_id', 'hsa_grp')}),
       ('ad', s.content, ${idIn('ad_id', 'adid', 'creative', 'hsa_ad')})) as v (level, value, id)
     where s.account_id = :account_id and s.started_at >= :since and lower(s.source) = :source and not s.is_bot
       and btrim(v.value) <> '' and lower(btrim(v.value)) <> v.id
     group by 1, 2, 3),
   best as (select distinct on (level, value) level, value, id from seen order by level, value, sessions desc, id)
   insert into ad_aliases (account_id, source, level, value, id, is_assigned)
   select :account_id, :source, b.level, b.value, b.id, false
   from best b join ad_names n on n.account_id = :account_id and n.source = :source and n.level = b.level and n.id = b.id
   order by b.level, b.value
   on conflict (account_id, source, level, value) do update set id = excluded.id
     where not ad_aliases.is_assigned and ad_aliases.id <> excluded.id`,
);

/** Paid sessions by source and campaign. */
export const countSessionsByCampaign = statement('analytics.count_sessions_by_campaign', {
  account_id: 'uuid',
  from: 'timestamptz',
  to: 'timestamptz',
  sources: 'text[]',
  unpaid: 'text[]',
}).returns<{ source: string; campaign: string; sessions: number }>(
  `select lower(source) as source, coalesce(btrim(campaign), '') as campaign, count(*)::int as sessions
   from sessions
   where account_id = :account_id and started_at >= :from and started_at < :to and not is_bot and not is_internal
     and lower(source) = any(:sources) and not coalesce(medium = any(:unpaid), false)
   group by 1, 2 order by 3 desc`,
);

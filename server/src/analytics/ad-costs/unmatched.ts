import { type Fault, refuse } from '../../shared/errors.ts';
import { publicId } from '../../shared/ids.ts';
import type { Database } from '../../shared/postgres/database.ts';
import { rows, statement } from '../../shared/postgres/statement.ts';
import { toMoney } from '../engine/index.ts';
import type { ReportContext } from '../reports/context.ts';
import { parsePeriod, serializePeriod } from '../reports/periods.ts';
import { UNPAID } from '../return-on-ad-spend/get-roas.ts';
import { AdNames } from './ad-names.ts';
import type { AssignmentsBody, AssignmentsResult, UnmatchedCosts, UnmatchedCostsQuery } from './contract.ts';
import { countSessionsByCampaign } from './source-queries.ts';

const MAX_ROWS = 500;

const findCostCampaigns = statement('analytics.find_cost_campaigns', {
  account_id: 'uuid',
  from: 'text',
  to: 'text',
}).returns<{
  source: string;
  campaign: string;
  campaign_id: string;
  cost_source_id: string | null;
  currency: string;
  cost: string;
  clicks: number;
  impressions: number;
}>(
  `select source, campaign, campaign_id, cost_source_id, currency, trim_scale(sum(cost))::text as cost,
     coalesce(sum(clicks), 0)::bigint as clicks, coalesce(sum(impressions), 0)::bigint as impressions
   from ad_costs
   where account_id = :account_id and day >= :from::date and day < :to::date and cost > 0
   group by 1, 2, 3, 4, 5 order by sum(cost) desc`,
);

const listAssignments = statement('analytics.list_ad_assignments', { account_id: 'uuid' }).returns<{
  source: string;
  value: string;
  id: string;
  name: string | null;
}>(
  `select a.source, a.value, a.id, n.name from ad_aliases a left join ad_names n using (account_id, source, level, id)
   where a.account_id = :account_id and a.level = 'campaign' and a.is_assigned order by a.source, a.value`,
);

const putAssignments = statement('analytics.put_ad_assignments', {
  account_id: 'uuid',
  assignments: rows({ source: 'text', value: 'text', id: 'text?' }),
}).returns<{ assigned: number; removed: number }>(
  `with w as materialized (select * from :assignments as w),
   removed as (
     delete from ad_aliases a using w
     where w.id is null and a.account_id = :account_id and a.source = w.source and a.level = 'campaign' and a.value = w.value
     returning 1),
   written as (
     insert into ad_aliases (account_id, source, level, value, id, is_assigned)
     select :account_id, source, 'campaign', value, id, true from w where id is not null order by source, value
     on conflict (account_id, source, level, value) do update set id = excluded.id, is_assigned = true
     returning 1)
   select (select count(*) from written)::int as assigned, (select count(*) from removed)::int as removed`,
);

/** Campaigns that cost something in a period and led to no session, and what sessions have no cost. */
export async function getUnmatchedCosts(
  { db, accountId, settings }: ReportContext,
  { from, to }: UnmatchedCostsQuery,
): Promise<UnmatchedCosts> {
  const faults: Fault[] = [];
  const period = parsePeriod({ from, to, timeZone: settings.timeZone }, '?', faults);
  refuse(faults);
  const costs = await findCostCampaigns(db, { account_id: accountId, from, to });
  const sources = [...new Set(costs.map(({ source }) => source.toLowerCase()))];
  const range = { from: new Date(period.from), to: new Date(period.to) };
  const [names, sessions, assignments] = await Promise.all([
    AdNames.read(db, accountId, ['campaign']),
    countSessionsByCampaign(db, { account_id: accountId, ...range, sources, unpaid: UNPAID }),
    listAssignments(db, { account_id: accountId }),
  ]);
  const keyOf = (source: string, campaign: string) =>
    `${source.toLowerCase()}\n${names.nameOf(source, 'campaign', campaign).toLowerCase()}`;
  const withSessions = new Set(sessions.flatMap(({ source, campaign }) => [source, keyOf(source, campaign)]));
  const withCosts = new Set(costs.map(({ source, campaign }) => keyOf(source, campaign)));
  // A cost of a whole source is that of all its sessions.
  const isMatched = ({ source, campaign }: { source: string; campaign: string }) =>
    withSessions.has(campaign === '' ? source.toLowerCase() : keyOf(source, campaign));
  const groups = Map.groupBy(
    costs.filter((cost) => !isMatched(cost)),
    ({ source, campaign, campaign_id }) => JSON.stringify([source.toLowerCase(), campaign.toLowerCase(), campaign_id]),
  );
  return {
    ...serializePeriod(period),
    costs: [...groups.values()].slice(0, MAX_ROWS).flatMap((group) => {
      const [first] = group;
      if (!first) return [];
      return {
        source: first.source,
        campaign: first.campaign || null,
        campaignId: first.campaign_id || null,
        costSourceId: first.cost_source_id && publicId('cst', first.cost_source_id),
        cost: toMoney(new Map(group.map(({ currency, cost }) => [currency, cost]))),
        clicks: group.reduce((sum, { clicks }) => sum + clicks, 0),
        impressions: group.reduce((sum, { impressions }) => sum + impressions, 0),
      };
    }),
    more: groups.size > MAX_ROWS,
    sessionCampaigns: sessions
      .filter(({ source, campaign }) => campaign !== '' && !withCosts.has(keyOf(source, campaign)))
      .slice(0, MAX_ROWS),
    assignments: assignments.map(({ source, value, id, name }) => ({
      ...{ source, sessionCampaign: value },
      campaignId: name === null ? null : id,
      campaign: name ?? id,
    })),
  };
}

/** Says which campaign of an ad platform sessions belong to. @throws ApiError 400 with every fault */
export async function assignCosts(
  db: Database,
  account_id: string,
  { assignments }: AssignmentsBody,
): Promise<AssignmentsResult> {
  const faults: Fault[] = [];
  const seen = new Set<string>();
  const read = assignments.map(({ source, sessionCampaign, campaignId = null, campaign = null }, i) => {
    const row = {
      source: source.trim().toLowerCase(),
      value: sessionCampaign.trim().toLowerCase(),
      id: campaignId?.trim() || campaign?.trim().toLowerCase() || null,
    };
    const pointer = `/assignments/${i}`;
    for (const [name, value] of Object.entries({ source: row.source, sessionCampaign: row.value })) {
      if (value !== '') continue;
      faults.push({
        pointer: `${pointer}/${name}`,
        code: 'too_short',
        detail: `\`${pointer}/${name}\` must not be blank.`,
      });
    }
    const key = JSON.stringify([row.source, row.value]);
    if (seen.has(key)) {
      faults.push({ pointer, code: 'duplicate', detail: `\`${pointer}\` repeats a source and session campaign.` });
    }
    seen.add(key);
    return row;
  });
  refuse(faults);
  const [result = { assigned: 0, removed: 0 }] = await putAssignments(db, { account_id, assignments: read });
  return result;
}

import type { Deps } from '../../shared/deps.ts';
import { keysetPage } from '../../shared/http/keyset-page.ts';
import { publicId } from '../../shared/ids.ts';
import { isoTime } from '../../shared/time.ts';
import type { AdCost, AdCostPage, AdCostsQuery } from './contract.ts';
import { type AdCostRow, listAdCosts } from './queries.ts';

/** The day, names and currency, and IDs. */
type Position = string[];

/** A page of costs, the latest days first. */
export async function listAdCostPage(
  { db, pageTokens }: Pick<Deps, 'db' | 'pageTokens'>,
  accountId: string,
  query: AdCostsQuery,
): Promise<AdCostPage> {
  const { from = null, to = null, source = null, campaign = null } = query;
  const filter = { source, campaign };
  const { rows, nextPageToken } = await keysetPage<AdCostRow, Position>({
    tokens: pageTokens,
    scope: ['ad-costs', accountId, from, to, source, campaign],
    query,
    read: (after, limit) => {
      const [day, source = '', campaign = '', adGroup = '', ad = '', currency = '', ...ids] = after ?? [];
      const [campaignId = '', adGroupId = '', adId = ''] = ids;
      const position = {
        ...{ after_day: day ?? null, after_source: source, after_campaign: campaign },
        ...{ after_ad_group: adGroup, after_ad: ad, after_currency: currency },
        ...{ after_campaign_id: campaignId, after_ad_group_id: adGroupId, after_ad_id: adId },
      };
      return listAdCosts(db, { account_id: accountId, from, to, ...filter, ...position, limit });
    },
    positionOf: (row) => [
      ...[row.day, row.source, row.campaign, row.ad_group, row.ad, row.currency],
      ...[row.campaign_id, row.ad_group_id, row.ad_id],
    ],
  });
  return { costs: rows.map(serializeAdCost), nextPageToken };
}

function serializeAdCost({ day, campaign, ad_group, ad, updated_at, ...row }: AdCostRow): AdCost {
  const { cost_source_id, campaign_id, ad_group_id, ad_id, ...cost } = row;
  return {
    ...cost,
    ...(cost_source_id !== null && {
      costSourceId: publicId('cst', cost_source_id),
      campaignId: campaign_id,
      adGroupId: ad_group_id || null,
      adId: ad_id || null,
    }),
    date: day,
    campaign: campaign || null,
    adGroup: ad_group || null,
    ad: ad || null,
    updatedAt: isoTime(updated_at.getTime()),
  };
}

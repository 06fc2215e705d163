import type { Deps } from '../../shared/deps.ts';
import { keysetPage } from '../../shared/http/keyset-page.ts';
import { isoTime } from '../../shared/time.ts';
import type { AdCost, AdCostPage, AdCostsQuery } from './contract.ts';
import { type AdCostRow, listAdCosts } from './queries.ts';

type Position = [day: string, source: string, campaign: string, currency: string];

/** A page of costs, the latest days first. */
export async function listAdCostPage(
  { db, pageTokens }: Pick<Deps, 'db' | 'pageTokens'>,
  accountId: string,
  query: AdCostsQuery,
): Promise<AdCostPage> {
  const { from = null, to = null, source = null, campaign = null } = query;
  const { rows, nextPageToken } = await keysetPage<AdCostRow, Position>({
    tokens: pageTokens,
    scope: ['ad-costs', accountId, from, to, source, campaign],
    query,
    read: (after, limit) => {
      const [after_day = null, after_source = '', after_campaign = '', after_currency = ''] = after ?? [];
      const position = { after_day, after_source, after_campaign, after_currency };
      return listAdCosts(db, { account_id: accountId, from, to, source, campaign, ...position, limit });
    },
    positionOf: (row) => [row.day, row.source, row.campaign, row.currency],
  });
  return { costs: rows.map(serializeAdCost), nextPageToken };
}

function serializeAdCost({ day, campaign, updated_at, ...cost }: AdCostRow): AdCost {
  return { ...cost, date: day, campaign: campaign === '' ? null : campaign, updatedAt: isoTime(updated_at.getTime()) };
}

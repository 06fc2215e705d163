import { API_VERSIONS, objectAt, PLATFORMS } from '../../destinations/index.ts';
import { type Api, type Connector, type Cost, listAt, PlatformFault, textAt } from './connector.ts';

const METRICS = [
  ...['spend', 'impressions', 'clicks'],
  ...['campaign_id', 'campaign_name', 'adgroup_id', 'adgroup_name', 'ad_name'],
];
const PAGE_SIZE = '1000';

export const tiktok = {
  platform: 'tiktok',
  name: 'TikTok',
  source: 'tiktok',
  accountId: 'advertiserId',
  // Tokens of the Events API are for pixels alone.
  reuses: [],
  credentials: {
    advertiserId: {
      label: 'Advertiser ID',
      description: 'TikTok Ads Manager: `aadvid` in the URL.',
      isSecret: false,
      decidesHost: true,
      isRequired: true,
      pattern: '[0-9]{1,20}',
      example: '7012345678901234567',
    },
    accessToken: {
      label: 'Access token',
      description: 'TikTok API for Business: of an app with the permission Reporting, authorized by the advertiser.',
      isSecret: true,
      isRequired: true,
      pattern: '\\S{1,2000}',
      example: 'abc123',
    },
  },
  hosts: PLATFORMS.tiktok.hosts,
  version: API_VERSIONS.tiktok.version,
  async account(api) {
    const data = await call(api, 'advertiser/info/', {
      advertiser_ids: JSON.stringify([api.credentials.advertiserId]),
      fields: JSON.stringify(['currency', 'timezone', 'display_timezone']),
    });
    const [account] = listAt(data, 'list');
    const timeZone = textAt(account, 'display_timezone') || textAt(account, 'timezone');
    return { currency: textAt(account, 'currency'), timeZone };
  },
  async read(api, { from, to }, { currency }) {
    // Rows move between pages while costs arrive.
    const costs = new Map<string, Cost>();
    for (let page = 1; ; page++) {
      const data = await call(api, 'report/integrated/get/', {
        advertiser_id: api.credentials.advertiserId ?? '',
        ...{ report_type: 'BASIC', service_type: 'AUCTION', data_level: 'AUCTION_AD', query_mode: 'REGULAR' },
        dimensions: JSON.stringify(['ad_id', 'stat_time_day']),
        metrics: JSON.stringify(METRICS),
        // Otherwise the cost of ads that were deleted is missing.
        filtering: JSON.stringify([{ field_name: 'ad_status', filter_type: 'IN', filter_value: '["STATUS_ALL"]' }]),
        ...{ start_date: from, end_date: to, page: String(page), page_size: PAGE_SIZE },
      });
      for (const row of listAt(data, 'list')) {
        const cost = readRow(row, currency ?? '');
        costs.set(`${cost.day} ${cost.ad_id}`, cost);
      }
      if (page < Number(textAt(data, 'page_info', 'total_page'))) continue;
      if (costs.size >= Number(textAt(data, 'page_info', 'total_number'))) return [...costs.values()];
      throw new PlatformFault('unavailable', 'The report changed while it was read.');
    }
  },
} satisfies Connector;

async function call(api: Api, path: string, parameters: Record<string, string>): Promise<unknown> {
  const body = await api.json(({ hosts, version, credentials }) => ({
    method: 'GET',
    url: `${hosts.api}/open_api/${version}/${path}?${new URLSearchParams(parameters)}`,
    headers: { 'access-token': credentials.accessToken ?? '' },
    body: '',
  }));
  return objectAt(body, 'data');
}

const readRow = (row: unknown, currency: string): Cost => ({
  // As `2026-11-20 00:00:00`.
  day: textAt(row, 'dimensions', 'stat_time_day').slice(0, 10),
  campaign: textAt(row, 'metrics', 'campaign_name'),
  campaign_id: textAt(row, 'metrics', 'campaign_id'),
  ad_group: textAt(row, 'metrics', 'adgroup_name'),
  ad_group_id: textAt(row, 'metrics', 'adgroup_id'),
  ad: textAt(row, 'metrics', 'ad_name'),
  ad_id: textAt(row, 'dimensions', 'ad_id'),
  currency,
  cost: textAt(row, 'metrics', 'spend') || '0',
  clicks: Number(textAt(row, 'metrics', 'clicks')),
  impressions: Number(textAt(row, 'metrics', 'impressions')),
});

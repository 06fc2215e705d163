import { API_VERSIONS, PLATFORMS } from '../../destinations/index.ts';
import { type Api, type Connector, type Cost, listAt, PlatformFault, requiredAt, textAt } from './connector.ts';

const FIELDS = [
  ...['campaign_id', 'campaign_name', 'adset_id', 'adset_name', 'ad_id', 'ad_name'],
  ...['spend', 'impressions', 'inline_link_clicks', 'account_currency'],
];
/** Ads that were deleted are missing in the report of an account unless their status is named. */
const STATUSES = [
  ...['ACTIVE', 'PAUSED', 'DELETED', 'ARCHIVED', 'CAMPAIGN_PAUSED', 'ADSET_PAUSED', 'PENDING_REVIEW', 'DISAPPROVED'],
  ...['PREAPPROVED', 'PENDING_BILLING_INFO', 'IN_PROCESS', 'WITH_ISSUES'],
];
const PAGE_SIZE = '500';

export const meta = {
  platform: 'meta',
  name: 'Meta',
  source: 'facebook',
  accountId: 'adAccountId',
  // If its token has the permission ads_read.
  reuses: ['accessToken'],
  credentials: {
    adAccountId: {
      label: 'Ad account ID',
      description: 'Ads Manager: the number after `act=` in the URL.',
      isSecret: false,
      decidesHost: true,
      isRequired: true,
      pattern: '[0-9]{1,20}',
      example: '123456789012345',
    },
    accessToken: {
      label: 'Access token',
      description: 'Business settings, System users: a token with the permission ads_read.',
      isSecret: true,
      isRequired: true,
      pattern: '\\S{1,2000}',
      example: 'EAAB…',
    },
  },
  hosts: PLATFORMS.meta.hosts,
  version: API_VERSIONS.meta.version,
  async account(api) {
    const found = await call(api, 'GET', `act_${api.credentials.adAccountId}`, { fields: 'currency,timezone_name' });
    return { currency: textAt(found, 'currency'), timeZone: textAt(found, 'timezone_name') };
  },
  // Large reports time out unless they are made in the background.
  async read(api, { from, to }, { currency }) {
    let { runId } = api.pending ?? {};
    if (runId === undefined) {
      const run = await call(api, 'POST', `act_${api.credentials.adAccountId}/insights`, {
        ...{ level: 'ad', time_increment: '1', fields: FIELDS.join(',') },
        time_range: JSON.stringify({ since: from, until: to }),
        filtering: JSON.stringify([{ field: 'ad.effective_status', operator: 'IN', value: STATUSES }]),
      });
      runId = requiredAt(run, 'report_run_id');
      await api.keep({ runId });
    }
    const status = await call(api, 'GET', runId, { fields: 'async_status,async_percent_completion' });
    const words = textAt(status, 'async_status');
    if (/failed|skipped/i.test(words)) {
      await api.keep({});
      throw new PlatformFault('unavailable', `The report ended as "${words}".`);
    }
    if (words !== 'Job Completed') throw new PlatformFault('notReady', words);
    const costs: Cost[] = [];
    for (let after: string | undefined; ; ) {
      const page = await call(api, 'GET', `${runId}/insights`, { limit: PAGE_SIZE, ...(after && { after }) });
      for (const row of listAt(page, 'data')) costs.push(readRow(row, currency ?? ''));
      after = textAt(page, 'paging', 'cursors', 'after');
      if (after === '' || textAt(page, 'paging', 'next') === '') return costs;
    }
  },
} satisfies Connector;

function call(api: Api, method: 'GET' | 'POST', path: string, parameters: Record<string, string>): Promise<unknown> {
  return api.json(({ hosts, version, credentials }) => ({
    method,
    url: `${hosts.api}/${version}/${path}?${new URLSearchParams(parameters)}`,
    headers: { authorization: `Bearer ${credentials.accessToken}` },
    body: '',
  }));
}

const readRow = (row: unknown, currency: string): Cost => ({
  day: textAt(row, 'date_start'),
  campaign: textAt(row, 'campaign_name'),
  campaign_id: textAt(row, 'campaign_id'),
  ad_group: textAt(row, 'adset_name'),
  ad_group_id: textAt(row, 'adset_id'),
  ad: textAt(row, 'ad_name'),
  ad_id: textAt(row, 'ad_id'),
  currency: textAt(row, 'account_currency') || currency,
  cost: textAt(row, 'spend') || '0',
  // Other clicks stay on Facebook.
  clicks: Number(textAt(row, 'inline_link_clicks')),
  impressions: Number(textAt(row, 'impressions')),
});

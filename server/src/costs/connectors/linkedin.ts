import { API_VERSIONS, arrayAt, PLATFORMS } from '../../destinations/index.ts';
import { type Api, type Connector, type Cost, type Days, listAt, textAt } from './connector.ts';

const { credentials, checkCredentials, oauth, hosts } = PLATFORMS.linkedin;
const { accessToken, ...client } = credentials;
const PAGE_SIZE = '1000';

/** LinkedIn's campaign groups are campaigns elsewhere, its campaigns ad groups, and its creatives ads. */
export const linkedin = {
  platform: 'linkedin',
  name: 'LinkedIn',
  source: 'linkedin',
  accountId: 'adAccountId',
  // If its token has the permissions r_ads and r_ads_reporting.
  reuses: ['accessToken', 'clientId', 'clientSecret', 'refreshToken'],
  credentials: {
    adAccountId: {
      label: 'Ad account ID',
      description: 'Campaign Manager: the number after `accounts` in the URL.',
      isSecret: false,
      decidesHost: true,
      isRequired: true,
      pattern: '[0-9]{1,20}',
      example: '512345678',
    },
    accessToken: { ...accessToken, description: 'A member token with the scopes r_ads and r_ads_reporting.' },
    ...client,
  },
  checkCredentials,
  hosts,
  version: API_VERSIONS.linkedin.version,
  daysAtOnce: 10,
  oauth: (context) => oauth.request({ ...context, validates: false }),
  async account(api) {
    const found = await call(api, accountPath(api));
    // Reports are in UTC.
    return { currency: textAt(found, 'currency'), timeZone: 'UTC' };
  },
  async read(api, days, { currency }) {
    const groups = await namesOf(api, 'adCampaignGroups');
    const campaigns = await namesOf(api, 'adCampaigns');
    const found = await call(api, `adAnalytics?${query(api, days)}`);
    return listAt(found, 'elements').map((row) => {
      const [group = '', campaign = '', creative = ''] = arrayAt(row, 'pivotValues').map(idOf);
      return {
        day: dayOf(row),
        ...{ campaign: groups.get(group) ?? '', campaign_id: group },
        ...{ ad_group: campaigns.get(campaign) ?? '', ad_group_id: campaign },
        ...{ ad: creative, ad_id: creative },
        currency: currency ?? '',
        cost: textAt(row, 'costInLocalCurrency') || '0',
        clicks: Number(textAt(row, 'clicks')),
        impressions: Number(textAt(row, 'impressions')),
      } satisfies Cost;
    });
  },
} satisfies Connector;

const accountPath = ({ credentials }: Api) => `adAccounts/${credentials.adAccountId}`;

const call = (api: Api, path: string): Promise<unknown> =>
  api.json(({ hosts, version, accessToken, credentials }) => ({
    method: 'GET',
    url: `${hosts.api}/rest/${path}`,
    headers: {
      authorization: `Bearer ${accessToken || credentials.accessToken}`,
      'linkedin-version': version,
      'x-restli-protocol-version': '2.0.0',
    },
    body: '',
  }));

/** Rest.li's own form, which is not that of `URLSearchParams`. */
function query({ credentials }: Api, { from, to }: Days): string {
  const date = (day: string) => {
    const [year, month, dayOfMonth] = day.split('-').map(Number);
    return `(year:${year},month:${month},day:${dayOfMonth})`;
  };
  const account = encodeURIComponent(`urn:li:sponsoredAccount:${credentials.adAccountId}`);
  return [
    'q=statistics&pivots=List(CAMPAIGN_GROUP,CAMPAIGN,CREATIVE)&timeGranularity=DAILY',
    `dateRange=(start:${date(from)},end:${date(to)})&accounts=List(${account})`,
    'fields=dateRange,pivotValues,costInLocalCurrency,clicks,impressions',
  ].join('&');
}

/** The names of all of a kind, by ID. */
async function namesOf(api: Api, kind: string): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (let pageToken = ''; ; ) {
    const token = pageToken && `&pageToken=${encodeURIComponent(pageToken)}`;
    const page = await call(api, `${accountPath(api)}/${kind}?q=search&pageSize=${PAGE_SIZE}${token}`);
    for (const each of listAt(page, 'elements')) names.set(textAt(each, 'id'), textAt(each, 'name'));
    pageToken = textAt(page, 'metadata', 'nextPageToken');
    if (pageToken === '') return names;
  }
}

/** `urn:li:sponsoredCampaign:1` is 1. */
const idOf = (urn: unknown) => String(urn).replace(/^.*:/, '');

function dayOf(row: unknown): string {
  const part = (name: string) => textAt(row, 'dateRange', 'start', name).padStart(2, '0');
  return `${part('year')}-${part('month')}-${part('day')}`;
}

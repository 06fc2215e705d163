import { API_VERSIONS, arrayAt, form, objectAt, PLATFORMS, serviceAccountToken } from '../../destinations/index.ts';
import {
  type Api,
  type Connector,
  type Cost,
  type Days,
  fromMicros,
  incomplete,
  PlatformFault,
  textAt,
  withRemainders,
} from './connector.ts';

const { customerId, loginCustomerId, clientId, clientSecret, refreshToken, serviceAccountEmail, privateKey } =
  PLATFORMS.google.credentials;
const SCOPE = 'https://www.googleapis.com/auth/adwords';

const FIGURES = 'segments.date, metrics.cost_micros, metrics.clicks, metrics.impressions';
const CAMPAIGN = 'campaign.id, campaign.name';
const AD = 'ad_group.id, ad_group.name, ad_group_ad.ad.id, ad_group_ad.ad.name';

export const google = {
  platform: 'google',
  name: 'Google Ads',
  source: 'google',
  accountId: 'customerId',
  // A refresh token of a destination is for another scope.
  reuses: ['customerId', 'loginCustomerId', 'serviceAccountEmail', 'privateKey'],
  credentials: {
    customerId: { ...customerId, description: 'The Google Ads account, without hyphens.', decidesHost: true },
    loginCustomerId,
    developerToken: {
      label: 'Developer token',
      description: 'Google Ads, manager account, Admin, API Center.',
      isSecret: true,
      isRequired: true,
      pattern: '\\S{1,200}',
      example: 'AbCdEf0123456789',
    },
    clientId,
    clientSecret,
    refreshToken: { ...refreshToken, description: `For the scope ${SCOPE}.` },
    serviceAccountEmail,
    privateKey,
  },
  checkCredentials: PLATFORMS.google.checkCredentials,
  hosts: { api: 'https://googleads.googleapis.com', auth: 'https://oauth2.googleapis.com' },
  version: API_VERSIONS.googleAds.version,
  daysAtOnce: 5,
  oauth({ credentials, hosts, now }) {
    const url = `${hosts.auth}/token`;
    const { clientId = '', clientSecret = '', refreshToken = '', serviceAccountEmail, privateKey = '' } = credentials;
    if (serviceAccountEmail !== undefined) return serviceAccountToken(url, serviceAccountEmail, privateKey, SCOPE, now);
    const client = { client_id: clientId, client_secret: clientSecret };
    return form(url, { grant_type: 'refresh_token', ...client, refresh_token: refreshToken });
  },
  async account(api) {
    const [row] = await search(api, 'SELECT customer.currency_code, customer.time_zone FROM customer LIMIT 1');
    return { currency: textAt(row, 'customer', 'currencyCode'), timeZone: textAt(row, 'customer', 'timeZone') };
  },
  async read(api, days, { currency }) {
    const where = whereOf(days);
    const ads = await search(api, `SELECT ${CAMPAIGN}, ${AD}, ${FIGURES} FROM ad_group_ad ${where}`);
    const campaigns = await search(api, `SELECT ${CAMPAIGN}, ${FIGURES} FROM campaign ${where}`);
    const costOf = (row: unknown) => readRow(row, currency ?? '');
    return withRemainders(ads.map(costOf), campaigns.map(costOf));
  },
} satisfies Connector;

/** Of a day, only rows with figures are returned. */
const whereOf = ({ from, to }: Days) => `WHERE segments.date BETWEEN '${from}' AND '${to}'`;

/** All rows of a query: the response is a list of batches, which an error may end. */
async function search(api: Api, query: string): Promise<unknown[]> {
  const batches = await api.json(({ hosts, version, accessToken, credentials }) => ({
    method: 'POST',
    url: `${hosts.api}/${version}/customers/${credentials.customerId}/googleAds:searchStream`,
    headers: {
      authorization: `Bearer ${accessToken}`,
      'developer-token': credentials.developerToken ?? '',
      ...(credentials.loginCustomerId !== undefined && { 'login-customer-id': credentials.loginCustomerId }),
      'content-type': 'application/json',
    },
    body: JSON.stringify({ query }),
  }));
  if (!Array.isArray(batches)) throw incomplete('results');
  const error = batches.map((batch) => objectAt(batch, 'error')).find((each) => each !== undefined);
  if (error !== undefined) throw new PlatformFault('unavailable', textAt(error, 'message') || textAt(error, 'status'));
  return batches.flatMap((batch) => arrayAt(batch, 'results'));
}

function readRow(row: unknown, currency: string): Cost {
  const adId = textAt(row, 'adGroupAd', 'ad', 'id');
  return {
    day: textAt(row, 'segments', 'date'),
    campaign: textAt(row, 'campaign', 'name'),
    campaign_id: textAt(row, 'campaign', 'id'),
    ad_group: textAt(row, 'adGroup', 'name'),
    ad_group_id: textAt(row, 'adGroup', 'id'),
    ad: textAt(row, 'adGroupAd', 'ad', 'name') || adId,
    ad_id: adId,
    currency,
    cost: fromMicros(textAt(row, 'metrics', 'costMicros') || '0'),
    clicks: Number(textAt(row, 'metrics', 'clicks')),
    impressions: Number(textAt(row, 'metrics', 'impressions')),
  };
}

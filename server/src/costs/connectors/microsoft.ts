import { API_VERSIONS, PLATFORMS } from '../../destinations/index.ts';
import { readCsv } from '../../shared/csv-rows.ts';
import { unzipFirst } from '../read/unzip.ts';
import {
  type Api,
  type Connector,
  type Cost,
  type Days,
  incomplete,
  PlatformFault,
  requiredAt,
  textAt,
  withRemainders,
} from './connector.ts';

const { credentials, hosts, oauth } = PLATFORMS.microsoft;
const { accountId, ...others } = credentials;

const CAMPAIGN = ['TimePeriod', 'CampaignId', 'CampaignName', 'CurrencyCode', 'Spend', 'Clicks', 'Impressions'];
const AD = [...CAMPAIGN, 'AdGroupId', 'AdGroupName', 'AdId', 'AdTitle'];
/** What a custom range may end on is today's date in this zone. */
const ZONE = { name: 'GreenwichMeanTimeDublinEdinburghLisbonLondon', iana: 'Europe/London' };

export const microsoft = {
  platform: 'microsoft',
  name: 'Microsoft Advertising',
  source: 'bing',
  accountId: 'accountId',
  reuses: Object.keys(credentials),
  credentials: { ...others, accountId: { ...accountId, decidesHost: true } },
  hosts: { api: 'https://reporting.api.bingads.microsoft.com', auth: hosts.auth },
  version: API_VERSIONS.microsoft.version,
  oauth: (context) => oauth.request({ ...context, validates: false }),
  // Reports say the currency.
  account: async () => ({ currency: null, timeZone: ZONE.iana }),
  // Performance Max campaigns are missing in the report of ads.
  async read(api, days) {
    let { ads: adsId, campaigns: campaignsId } = api.pending ?? {};
    if (adsId === undefined || campaignsId === undefined) {
      adsId = await submit(api, 'AdPerformanceReportRequest', AD, days);
      campaignsId = await submit(api, 'CampaignPerformanceReportRequest', CAMPAIGN, days);
      await api.keep({ ads: adsId, campaigns: campaignsId });
    }
    return withRemainders(await readReport(api, adsId, AD), await readReport(api, campaignsId, CAMPAIGN));
  },
} satisfies Connector;

const call = (api: Api, operation: 'Submit' | 'Poll', body: unknown): Promise<unknown> =>
  api.json(({ hosts, version, accessToken, credentials }) => ({
    method: 'POST',
    url: `${hosts.api}/Reporting/${version}/GenerateReport/${operation}`,
    headers: {
      authorization: `Bearer ${accessToken}`,
      'content-type': 'application/json',
      developertoken: credentials.developerToken ?? '',
      customerid: credentials.customerId ?? '',
      customeraccountid: credentials.accountId ?? '',
    },
    body: JSON.stringify(body),
  }));

async function submit(api: Api, Type: string, Columns: readonly string[], { from, to }: Days): Promise<string> {
  const date = (day: string) => {
    const [Year, Month, Day] = day.split('-').map(Number);
    return { Day, Month, Year };
  };
  const ReportRequest = {
    ...{ Type, ReportName: 'Headwater', Format: 'Csv', FormatVersion: '2.0', Aggregation: 'Daily', Columns },
    ...{ ExcludeColumnHeaders: false, ExcludeReportHeader: true, ExcludeReportFooter: true },
    ReturnOnlyCompleteData: false,
    Scope: { AccountIds: [api.credentials.accountId] },
    Time: { CustomDateRangeStart: date(from), CustomDateRangeEnd: date(to), ReportTimeZone: ZONE.name },
  };
  return requiredAt(await call(api, 'Submit', { ReportRequest }), 'ReportRequestId');
}

async function readReport(api: Api, ReportRequestId: string, expected: readonly string[]): Promise<Cost[]> {
  const found = await call(api, 'Poll', { ReportRequestId });
  const status = textAt(found, 'ReportRequestStatus', 'Status');
  if (status === 'Pending') throw new PlatformFault('notReady', status);
  if (status !== 'Success') {
    await api.keep({});
    throw new PlatformFault('unavailable', `The report ended as "${status}".`);
  }
  const url = textAt(found, 'ReportRequestStatus', 'ReportDownloadUrl');
  // There is no file without rows.
  if (url === '') return [];
  const [headings = [], ...rows] = readCsv(unpack(await api.download(url)));
  const columns = new Map(headings.map((heading, i) => [heading.trim(), i]));
  const missing = expected.find((name) => !columns.has(name));
  if (missing !== undefined) throw incomplete(missing);
  return rows.flatMap((row) => {
    const cell = (name: string) => row[columns.get(name) ?? -1]?.trim() ?? '';
    if (!/^\d{4}-\d\d-\d\d/.test(cell('TimePeriod'))) return [];
    const number = (name: string) => cell(name).replaceAll(',', '') || '0';
    return {
      day: cell('TimePeriod').slice(0, 10),
      ...{ campaign: cell('CampaignName'), campaign_id: cell('CampaignId') },
      ...{ ad_group: cell('AdGroupName'), ad_group_id: cell('AdGroupId') },
      ...{ ad: cell('AdTitle') || cell('AdId'), ad_id: cell('AdId') },
      currency: cell('CurrencyCode'),
      cost: number('Spend'),
      clicks: Number(number('Clicks')),
      impressions: Number(number('Impressions')),
    };
  });
}

function unpack(file: Buffer): string {
  try {
    return unzipFirst(file).toString();
  } catch {
    throw new PlatformFault('unavailable', 'The report is no zip archive.');
  }
}

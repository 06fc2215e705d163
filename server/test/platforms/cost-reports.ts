/** A local server that reports what ads cost as the documented APIs of five ad platforms do, each under a path of its own. */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32, deflateRawSync } from 'node:zlib';
import { atEnd } from '../at-end.ts';

export interface AdDay {
  day: string;
  campaign: string;
  campaignId: string;
  adGroup: string;
  adGroupId: string;
  /** Empty: a campaign without ads, such as Performance Max. */
  ad: string;
  adId: string;
  cost: string;
  clicks: number;
  impressions: number;
  /** Deleted at the platform, after it cost something. */
  isDeleted?: boolean;
}

export interface Call {
  platform: string;
  method: string;
  path: string;
  query: URLSearchParams;
  headers: http.IncomingHttpHeaders;
  text: string;
}

export interface Reply {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}

export interface CostReports {
  urlOf(platform: string): string;
  /** What ads cost, by platform. */
  ads: Record<string, AdDay[]>;
  account: { currency: string; timeZone: string };
  /** The only access token that is accepted, where tokens are obtained. */
  token: string;
  /** The tokens that were obtained. */
  obtained: number;
  /** How often reports that are made in the background are asked about before they are ready. */
  notReadyFor: number;
  calls: Call[];
  /** Answers a request for costs instead of the rules. */
  intercept: ((call: Call) => Reply | undefined) | undefined;
}

const PAGE = 2;

export async function startCostReports(): Promise<CostReports> {
  const reports = new Map<string, { rows: AdDay[]; kind: string; asked: number }>();
  const self: CostReports = {
    urlOf: (platform) => `${base}/${platform}`,
    ads: {},
    account: { currency: 'USD', timeZone: 'America/Los_Angeles' },
    ...{ token: 'access-1', obtained: 0, notReadyFor: 0, calls: [], intercept: undefined },
  };
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://platform');
      const [, platform = '', ...rest] = url.pathname.split('/');
      const { method = '', headers } = request;
      const text = Buffer.concat(chunks).toString();
      const call = { platform, method, path: `/${rest.join('/')}`, query: url.searchParams, headers, text };
      self.calls.push(call);
      const { status, body, headers: more } = self.intercept?.(call) ?? respond(call);
      response.writeHead(status, { 'content-type': 'application/json', ...more });
      response.end(Buffer.isBuffer(body) ? body : JSON.stringify(body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => server.close());
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return self;

  function respond(call: Call): Reply {
    if (/\/token$|accessToken$/.test(call.path)) {
      self.obtained++;
      return ok({ access_token: self.token, expires_in: 3600 });
    }
    const bearer = call.headers.authorization?.replace('Bearer ', '') ?? call.headers['access-token'];
    const isFile = call.path.startsWith('/files/');
    if (!isFile && bearer !== self.token)
      return { status: 401, body: { error: { message: 'Token expired', code: 190 } } };
    const rows = self.ads[call.platform] ?? [];
    const within = (from: string, to: string) => rows.filter(({ day }) => day >= from && day <= to);
    switch (call.platform) {
      case 'google':
        return googleAds(call, within);
      case 'meta':
        return graph(call, within);
      case 'tiktok':
        return tiktok(call, within);
      case 'linkedin':
        return linkedin(call, within);
      default:
        return microsoft(call, within);
    }
  }

  type Within = (from: string, to: string) => AdDay[];

  function googleAds(call: Call, within: Within): Reply {
    const { query } = JSON.parse(call.text) as { query: string };
    if (call.headers['developer-token'] !== 'dev')
      return { status: 403, body: [{ error: { status: 'PERMISSION_DENIED' } }] };
    if (query.includes('FROM customer')) {
      const { currency: currencyCode, timeZone } = self.account;
      return ok([{ results: [{ customer: { currencyCode, timeZone } }] }]);
    }
    const [, from = '', to = ''] = /BETWEEN '(.+?)' AND '(.+?)'/.exec(query) ?? [];
    const found = within(from, to);
    const metrics = (each: AdDay) => ({
      costMicros: String(Math.round(Number(each.cost) * 1e6)),
      ...{ clicks: String(each.clicks), impressions: String(each.impressions) },
    });
    const campaign = ({ campaign: name, campaignId: id }: AdDay) => ({ id, name });
    const results = query.includes('FROM campaign')
      ? sumByCampaign(found).map((each) => ({
          ...{ campaign: campaign(each), segments: { date: each.day }, metrics: metrics(each) },
        }))
      : found
          .filter(({ adId }) => adId !== '')
          .map((each) => ({
            ...{ campaign: campaign(each), segments: { date: each.day }, metrics: metrics(each) },
            adGroup: { id: each.adGroupId, name: each.adGroup },
            adGroupAd: { ad: { id: each.adId, name: each.ad } },
          }));
    return ok(pages(results).map((page) => ({ results: page, fieldMask: 'x', requestId: 'y' })));
  }

  function graph(call: Call, within: Within): Reply {
    const { query, path, method } = call;
    const [, , node = '', edge] = path.split('/');
    if (node.startsWith('act_') && edge === undefined) {
      return ok({ currency: self.account.currency, timezone_name: self.account.timeZone, id: node });
    }
    if (method === 'POST') {
      const { since, until } = JSON.parse(query.get('time_range') ?? '{}');
      const id = String(1000 + reports.size);
      // Ads that were deleted are missing, unless their status is asked for.
      const [{ field = '', operator = '', value = [] } = {}] = JSON.parse(query.get('filtering') ?? '[]');
      const isAll = field === 'ad.effective_status' && operator === 'IN' && value.includes('DELETED');
      const rows = within(since, until).filter(({ isDeleted = false }) => isAll || !isDeleted);
      reports.set(id, { rows, kind: 'ads', asked: 0 });
      return ok({ report_run_id: id });
    }
    const report = reports.get(node);
    if (!report) return { status: 400, body: { error: { message: 'Unsupported get request', code: 100 } } };
    if (edge === undefined) {
      const isReady = report.asked++ >= self.notReadyFor;
      const async_status = isReady ? 'Job Completed' : 'Job Running';
      return ok({ id: node, async_status, async_percent_completion: isReady ? 100 : 40 });
    }
    const start = Number(query.get('after') ?? 0);
    const data = report.rows.slice(start, start + PAGE).map((each) => ({
      ...{ campaign_id: each.campaignId, campaign_name: each.campaign, adset_id: each.adGroupId },
      ...{ adset_name: each.adGroup, ad_id: each.adId, ad_name: each.ad, spend: each.cost },
      ...{ impressions: String(each.impressions), clicks: '999', inline_link_clicks: String(each.clicks) },
      ...{ account_currency: self.account.currency, date_start: each.day, date_stop: each.day },
    }));
    const end = start + PAGE;
    const next = end < report.rows.length ? { next: `${base}/next` } : {};
    return ok({ data, paging: { cursors: { before: String(start), after: String(end) }, ...next } });
  }

  function tiktok({ path, query }: Call, within: Within): Reply {
    if (path.endsWith('/advertiser/info/')) {
      const { currency, timeZone: display_timezone } = self.account;
      return ok({ code: 0, message: 'OK', data: { list: [{ currency, display_timezone, timezone: 'Etc/GMT+8' }] } });
    }
    const found = within(query.get('start_date') ?? '', query.get('end_date') ?? '');
    const all = query.get('filtering')?.includes('STATUS_ALL') ? found : [];
    const page = Number(query.get('page'));
    const list = all.slice((page - 1) * PAGE, page * PAGE).map((each) => ({
      dimensions: { ad_id: each.adId, stat_time_day: `${each.day} 00:00:00` },
      metrics: {
        ...{ spend: each.cost, clicks: String(each.clicks), impressions: String(each.impressions) },
        ...{ campaign_id: each.campaignId, campaign_name: each.campaign, adgroup_id: each.adGroupId },
        ...{ adgroup_name: each.adGroup, ad_name: each.ad },
      },
    }));
    const total_page = Math.ceil(all.length / PAGE);
    const page_info = { page, page_size: PAGE, total_number: all.length, total_page };
    return ok({ code: 0, message: 'OK', request_id: 'r', data: { list, page_info } });
  }

  function linkedin(call: Call, within: Within): Reply {
    const { path, query, headers } = call;
    if (!headers['linkedin-version']) return { status: 400, body: { message: 'A version must be present' } };
    const [, kind] = /\/adAccounts\/\d+\/(\w+)$/.exec(path) ?? [];
    if (kind !== undefined) {
      const isGroup = kind === 'adCampaignGroups';
      const names = new Map(
        within('', '9999')
          .filter(({ isDeleted = false }) => !isDeleted)
          .map((each) => (isGroup ? [each.campaignId, each.campaign] : [each.adGroupId, each.adGroup])),
      );
      const all = [...names].map(([id, name]) => ({ id: Number(id), name }));
      const start = Number(query.get('pageToken') ?? 0);
      const isMore = start + 1 < all.length;
      return ok({
        elements: all.slice(start, start + 1),
        metadata: isMore ? { nextPageToken: String(start + 1) } : {},
      });
    }
    if (path.includes('/adAccounts/')) return ok({ id: 1, currency: self.account.currency });
    const [, from = '', to = ''] =
      /start:\((.+?)\),end:\((.+?)\)/
        .exec(query.get('dateRange') ?? '')
        ?.map((part) =>
          [...part.matchAll(/(?:year|month|day):(\d+)/g)].map(([, n = '']) => n.padStart(2, '0')).join('-'),
        ) ?? [];
    const date = (day: string) => {
      const [year, month, dayOfMonth] = day.split('-').map(Number);
      return { year, month, day: dayOfMonth };
    };
    const elements = within(from, to).map((each) => ({
      pivotValues: [
        `urn:li:sponsoredCampaignGroup:${each.campaignId}`,
        `urn:li:sponsoredCampaign:${each.adGroupId}`,
        `urn:li:sponsoredCreative:${each.adId}`,
      ],
      dateRange: { start: date(each.day), end: date(each.day) },
      ...{ costInLocalCurrency: each.cost, clicks: each.clicks, impressions: each.impressions },
    }));
    return ok({ elements, paging: { count: elements.length, start: 0 } });
  }

  function microsoft(call: Call, within: Within): Reply {
    const { path, text } = call;
    if (path.startsWith('/files/')) {
      const report = reports.get(path.slice('/files/'.length));
      return {
        status: 200,
        headers: { 'content-type': 'application/zip' },
        body: zip(csvOf(report?.rows ?? [], report?.kind)),
      };
    }
    const body = JSON.parse(text);
    if (path.endsWith('/Submit')) {
      const { Type, Time, Columns, FormatVersion } = body.ReportRequest;
      const day = ({ Year, Month, Day }: Record<string, number>) =>
        [Year, Month, Day].map((part) => String(part).padStart(2, '0')).join('-');
      const found = within(day(Time.CustomDateRangeStart), day(Time.CustomDateRangeEnd));
      const kind = Type === 'AdPerformanceReportRequest' ? 'ads' : 'campaigns';
      const id = `report-${reports.size}`;
      const rows = kind === 'ads' ? found.filter(({ adId }) => adId !== '') : sumByCampaign(found);
      if (FormatVersion !== '2.0' || !Columns.includes('CurrencyCode'))
        return { status: 400, body: { Errors: [{ Code: 2004 }] } };
      reports.set(id, { rows, kind, asked: 0 });
      return ok({ ReportRequestId: id });
    }
    const report = reports.get(body.ReportRequestId);
    if (!report) return { status: 400, body: { OperationErrors: [{ Code: 2100, Message: 'Unknown report' }] } };
    if (report.asked++ < self.notReadyFor)
      return ok({ ReportRequestStatus: { Status: 'Pending', ReportDownloadUrl: null } });
    const url = report.rows.length === 0 ? null : `${base}/microsoft/files/${body.ReportRequestId}`;
    return ok({ ReportRequestStatus: { Status: 'Success', ReportDownloadUrl: url } });
  }

  function csvOf(rows: readonly AdDay[], kind = 'ads'): string {
    const common = ['TimePeriod', 'CampaignId', 'CampaignName', 'CurrencyCode', 'Spend', 'Clicks', 'Impressions'];
    const lines = rows.map((each) => [
      ...[each.day, each.campaignId, each.campaign, self.account.currency, each.cost, each.clicks, each.impressions],
      ...(kind === 'ads' ? [each.adGroupId, each.adGroup, each.adId, each.ad] : []),
    ]);
    const head = kind === 'ads' ? [...common, 'AdGroupId', 'AdGroupName', 'AdId', 'AdTitle'] : common;
    const line = (cells: readonly unknown[]) =>
      cells.map((cell) => `"${String(cell).replaceAll('"', '""')}"`).join(',');
    return `\ufeff${[head, ...lines].map(line).join('\r\n')}\r\n`;
  }
}

const ok = (body: unknown): Reply => ({ status: 200, body });

function pages<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / PAGE) }, (_, i) => items.slice(i * PAGE, (i + 1) * PAGE));
}

function sumByCampaign(rows: readonly AdDay[]): AdDay[] {
  return [...Map.groupBy(rows, ({ day, campaignId }) => `${day} ${campaignId}`).values()].map((own) => ({
    ...(own[0] as AdDay),
    cost: own.reduce((sum, { cost }) => sum + Number(cost), 0).toFixed(6),
    clicks: own.reduce((sum, { clicks }) => sum + clicks, 0),
    impressions: own.reduce((sum, { impressions }) => sum + impressions, 0),
  }));
}

/** An archive with one compressed file. */
function zip(text: string): Buffer {
  const name = Buffer.from('report.csv');
  const data = Buffer.from(text);
  const packed = deflateRawSync(data);
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0);
  common.writeUInt16LE(8, 4);
  common.writeUInt32LE(crc32(data), 10);
  common.writeUInt32LE(packed.length, 14);
  common.writeUInt32LE(data.length, 18);
  common.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, name, packed]);
  const central = Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), common, Buffer.alloc(14), name]);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, central, end]);
}

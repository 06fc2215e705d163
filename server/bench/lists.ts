import { type DemoAccount, demoAccount, type Read } from './demo-account.ts';
import type { Report } from './report.ts';
import type { BenchService } from './service.ts';

const DAY_MS = 86_400_000;
const PAGES_DEEP = 100;

/** Lists of the demo account, as the dashboard requests them. */
export async function benchLists(service: BenchService, report: Report): Promise<void> {
  const account = await demoAccount(service);
  await account.measure(report, await sessionReads(account));
  await account.measure(report, await leadReads(account));
  await account.measure(report, await conversionReads(account));
  await account.measure(report, await entryReads(account));
}

const fast = (reads: [name: string, path: string][]): Read[] =>
  reads.map(([name, path]) => ({ name, path, target: '100 ms' }));
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

async function sessionReads(account: DemoAccount): Promise<Read[]> {
  const { sessions } = await account.get('sessions?platform=gclid&pageSize=100');
  const session = sessions[50];
  return fast([
    ['50 sessions', 'sessions'],
    ['page after 10,000 rows', await deepPage(account, 'sessions?pageSize=100')],
    ['before the last 50 days', `sessions?to=${daysAgo(50)}`],
    ['by source', 'sessions?source=newsletter'],
    ['by platform', 'sessions?platform=epik'],
    ['by country and device', 'sessions?country=CH&device=tablet'],
    ['by a source without sessions', 'sessions?source=nowhere'],
    ['by a country without sessions', 'sessions?country=XX'],
    ['by a platform without sessions', 'sessions?platform=aleid'],
    ['by two values without a common session', 'sessions?source=newsletter&medium=cpc'],
    ['the same, oldest first', 'sessions?source=newsletter&medium=cpc&sort=startedAt:asc'],
    ['the same, of the last 20 days', `sessions?source=newsletter&medium=cpc&from=${daysAgo(20)}`],
    ['by three filters that few sessions pass', 'sessions?platform=epik&country=CH&device=tablet'],
    ['search by hash', `sessions?q=${session.hash}`],
    ['search by id', `sessions?q=${session.id}`],
    ['search by visitor', `sessions?q=${session.visitorId}`],
    ['search by click id', `sessions?q=${session.clickIds.gclid}`],
    ['search by email prefix', 'sessions?q=ada.bauer1@'],
    ['search, nothing found', 'sessions?q=nothing'],
    ['one session', `sessions/${session.id}`],
    ['timeline of a session', `analytics/timeline?sessionId=${session.id}`],
  ]);
}

async function leadReads(account: DemoAccount): Promise<Read[]> {
  const { leads } = await account.get('leads?pageSize=100');
  return fast([
    ['50 leads', 'leads'],
    ['page after 10,000 rows', await deepPage(account, 'leads?pageSize=100')],
    ['search by email prefix', 'leads?q=ada'],
    ['search, nothing found', 'leads?q=zzz'],
    ['one lead', `leads/${leads[0].id}`],
    ['sessions of a lead', `sessions?leadId=${leads[0].id}`],
    ['timeline of a lead', `analytics/timeline?leadId=${leads[0].id}`],
  ]);
}

async function conversionReads(account: DemoAccount): Promise<Read[]> {
  const { conversions } = await account.get('conversions?pageSize=100');
  const conversion = conversions[50];
  return fast([
    ['50 conversions', 'conversions'],
    ['page after 10,000 rows', await deepPage(account, 'conversions?pageSize=100')],
    ['by event', 'conversions?event=renewal'],
    ['by currency', 'conversions?currency=CHF'],
    ['by source', 'conversions?source=newsletter'],
    ['by an event without conversions', 'conversions?event=nothing'],
    ['by a currency without conversions', 'conversions?currency=JPY'],
    ['by a source without sessions', 'conversions?source=nowhere'],
    ['by an origin without conversions', 'conversions?origin=event'],
    ['search by eventId', `conversions?q=${conversion.eventId}`],
    ['search by email prefix', 'conversions?q=ada.bauer1@'],
    ['search, nothing found', 'conversions?q=nothing'],
    ['one conversion', `conversions/${conversion.id}`],
    ['50 unmatched', 'conversions/unmatched'],
    ['unmatched by identifier', 'conversions/unmatched?identifier=fbclid'],
    ['unmatched by an identifier without reports', 'conversions/unmatched?identifier=shortHash'],
    ['files', 'files'],
    ['jobs', 'jobs'],
  ]);
}

async function entryReads(account: DemoAccount): Promise<Read[]> {
  const { collections } = await account.get('cms/collections');
  const { id } = collections.find(({ name }: { name: string }) => name === 'Products');
  const entries = `cms/collections/${id}/entries`;
  return fast([
    ['collections', 'cms/collections'],
    ['50 of a million entries', entries],
    ['page after 10,000 rows', await deepPage(account, `${entries}?pageSize=100`)],
    ['sorted by text', `${entries}?sort=name:asc`],
    ['sorted by number, descending', `${entries}?sort=price:desc`],
    ['page after 10,000 rows', await deepPage(account, `${entries}?sort=price:desc&pageSize=100`)],
    ['sorted by date', `${entries}?sort=since:desc`],
    ['sorted by last change', `${entries}?sort=updatedAt:desc`],
    ['filtered by select', `${entries}?filter[category][eq]=serum`],
    ['filtered by a range', `${entries}?filter[price][gte]=20&filter[price][lt]=21`],
    ['filtered by text of one entry', `${entries}?filter[name][contains]=999999`],
    [
      'filtered by two fields, sorted by a third',
      `${entries}?filter[live][eq]=false&filter[category][eq]=oil&sort=price:asc`,
    ],
    ['filtered, nothing found', `${entries}?filter[price][gt]=1000`],
    [
      'filtered by two fields, nothing found, sorted by time',
      `${entries}?filter[live][eq]=false&filter[category][eq]=oil&filter[price][gt]=1000`,
    ],
    [
      'filtered by three fields, nothing found, sorted by last change',
      `${entries}?filter[live][eq]=false&filter[category][eq]=oil&filter[price][lt]=6&sort=updatedAt:desc`,
    ],
    ['search by a common word', `${entries}?q=jasmine`],
    ['search by a word of one entry', `${entries}?q=999999`],
    ['search, nothing found', `${entries}?q=nothinglikeit`],
    ['search and sort', `${entries}?q=jasmine&sort=price:desc`],
  ]);
}

/** The path of the page after `PAGES_DEEP` pages. */
async function deepPage(account: DemoAccount, path: string): Promise<string> {
  const pathOf = (token: string) => `${path}&pageToken=${encodeURIComponent(token)}`;
  let current = path;
  for (let i = 0; i < PAGES_DEEP; i++) {
    const { nextPageToken } = await account.get(current);
    if (nextPageToken === null) return current;
    current = pathOf(nextPageToken);
  }
  return current;
}

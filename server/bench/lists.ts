import { type DemoAccount, demoAccount, type Read } from './demo-account.ts';
import type { Report } from './report.ts';
import type { BenchService } from './service.ts';

const DAY_MS = 86_400_000;
const PAGES_DEEP = 100;

/** Lists of the demonstration of a size, as the dashboard's screens ask for them. */
export async function benchLists(service: BenchService, report: Report): Promise<void> {
  const account = await demoAccount(service);
  await account.measure(report, await sessionReads(account));
  await account.measure(report, await peopleReads(account));
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
    ['a page ten thousand further', await pageFurther(account, 'sessions?pageSize=100')],
    ['those before the last 50 days', `sessions?to=${daysAgo(50)}`],
    ['by source', 'sessions?source=newsletter'],
    ['by platform', 'sessions?platform=epik'],
    ['by country and device', 'sessions?country=CH&device=tablet'],
    ['by a source that none has', 'sessions?source=nowhere'],
    ['by a country that none has', 'sessions?country=XX'],
    ['by a platform that none has', 'sessions?platform=aleid'],
    ['by two values that none has together', 'sessions?source=newsletter&medium=cpc'],
    ['search by hash', `sessions?q=${session.hash}`],
    ['search by number', `sessions?q=${session.id}`],
    ['search by visitor', `sessions?q=${session.visitorId}`],
    ['search by click id', `sessions?q=${session.clickIds.gclid}`],
    ['search by the beginning of an e-mail', 'sessions?q=ada.bauer1@'],
    ['search, nothing found', 'sessions?q=nothing'],
    ['one session', `sessions/${session.id}`],
    ['the time line of a session', `analytics/timeline?sessionId=${session.id}`],
  ]);
}

async function peopleReads(account: DemoAccount): Promise<Read[]> {
  const { leads } = await account.get('leads?pageSize=100');
  return fast([
    ['50 leads', 'leads'],
    ['a page ten thousand further', await pageFurther(account, 'leads?pageSize=100')],
    ['search by the beginning of an e-mail', 'leads?q=ada'],
    ['search, nothing found', 'leads?q=zzz'],
    ['one lead', `leads/${leads[0].id}`],
    ["a lead's sessions", `sessions?leadId=${leads[0].id}`],
    ['the time line of a lead', `analytics/timeline?leadId=${leads[0].id}`],
  ]);
}

async function conversionReads(account: DemoAccount): Promise<Read[]> {
  const { conversions } = await account.get('conversions?pageSize=100');
  const conversion = conversions[50];
  return fast([
    ['50 conversions', 'conversions'],
    ['a page ten thousand further', await pageFurther(account, 'conversions?pageSize=100')],
    ['by event', 'conversions?event=renewal'],
    ['by currency', 'conversions?currency=CHF'],
    ['by source', 'conversions?source=newsletter'],
    ['by an event that none has', 'conversions?event=nothing'],
    ['by a currency that none has', 'conversions?currency=JPY'],
    ['by a source that none has', 'conversions?source=nowhere'],
    ['by an origin that none has', 'conversions?origin=event'],
    ['search by the own id', `conversions?q=${conversion.eventId}`],
    ['search by the beginning of an e-mail', 'conversions?q=ada.bauer1@'],
    ['search, nothing found', 'conversions?q=nothing'],
    ['one conversion', `conversions/${conversion.id}`],
    ['50 unmatched', 'conversions/unmatched'],
    ['unmatched by identifier', 'conversions/unmatched?identifier=fbclid'],
    ['unmatched by an identifier that none has', 'conversions/unmatched?identifier=shortHash'],
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
    ['a page ten thousand further', await pageFurther(account, `${entries}?pageSize=100`)],
    ['sorted by text', `${entries}?sort=name:asc`],
    ['sorted by number, descending', `${entries}?sort=price:desc`],
    ['a page ten thousand further', await pageFurther(account, `${entries}?sort=price:desc&pageSize=100`)],
    ['sorted by date', `${entries}?sort=since:desc`],
    ['sorted by what changed last', `${entries}?sort=updatedAt:desc`],
    ['filtered by select', `${entries}?filter[kind][eq]=serum`],
    ['filtered by a range', `${entries}?filter[price][gte]=20&filter[price][lt]=21`],
    ['filtered by text that is in one', `${entries}?filter[name][contains]=999999`],
    ['filtered by two, sorted by a third', `${entries}?filter[live][eq]=false&filter[kind][eq]=oil&sort=price:asc`],
    ['filtered by what none has', `${entries}?filter[price][gt]=1000`],
    ['searched by a word', `${entries}?q=jasmine`],
    ['searched by what one has', `${entries}?q=999999`],
    ['searched by what none has', `${entries}?q=nothinglikeit`],
    ['searched and sorted', `${entries}?q=jasmine&sort=price:desc`],
  ]);
}

/** Where one is who has turned over so many pages of a hundred. */
async function pageFurther(account: DemoAccount, path: string): Promise<string> {
  const withPage = (token: string) => `${path}&pageToken=${encodeURIComponent(token)}`;
  let at = path;
  for (let i = 0; i < PAGES_DEEP; i++) {
    const { nextPageToken } = await account.get(at);
    if (nextPageToken === null) return at;
    at = withPage(nextPageToken);
  }
  return at;
}

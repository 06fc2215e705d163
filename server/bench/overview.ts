import { DIMENSIONS } from '../src/analytics/dimensions.ts';
import { type DemoAccount, demoAccount, type Read } from './demo-account.ts';
import type { Report } from './report.ts';
import type { BenchService } from './service.ts';

const DAY_MS = 86_400_000;

/** Reports on the demo account, as the dashboard requests them. */
export async function benchOverview(service: BenchService, report: Report): Promise<void> {
  const account = await demoAccount(service);
  const idle = service.rss();
  await account.measure(report, overviews());
  await account.measure(report, breakdowns());
  await account.measure(report, others());
  report.row('memory before the first report', { result: `${Math.round(idle)} MiB` });
  report.row('peak memory of all reports', {
    result: `${Math.round(service.mostRss() - idle)} MiB more`,
    target: '300 MiB',
  });
  await measureFreshness(account, report);
}

const day = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);
const days = (count: number) => `from=${day(count - 1)}&to=${day(-1)}&timeZone=Europe/Berlin`;
const MONTH = days(30);

export function overviews(): Read[] {
  const of = (name: string, query: string, target = '1 s') => ({
    name: `overview, ${name}`,
    path: `analytics/overview?${query}`,
    target,
  });
  return [
    of('30 days by day, previous period', MONTH, '300 ms'),
    of('today by hour, previous period', `${days(1)}&interval=hour`),
    of('7 days by day, previous period', days(7)),
    of('30 days alone', `${MONTH}&compare=none`, '300 ms'),
    of('30 days by hour', `${MONTH}&interval=hour&compare=none`),
    of('90 days by day, previous period', days(90)),
    of('a year by week, previous period', `${days(365)}&interval=week`),
    of('a year by month, previous year', `${days(365)}&interval=month&compare=year`),
    of('30 days, filtered by source', `${MONTH}&filter[source]=google`, '300 ms'),
    of('30 days, filtered by campaign and device', `${MONTH}&filter[campaign]=brand&filter[device]=mobile`, '300 ms'),
    of('30 days, filtered by page', `${MONTH}&filter[page]=shop.example/checkout`),
    of('30 days, filtered by event', `${MONTH}&filter[event]=order_placed`),
    of('a year, filtered by event', `${days(365)}&interval=week&filter[event]=order_placed`),
  ];
}

export function breakdowns(): Read[] {
  return [
    ...DIMENSIONS.map((by) => ({ name: `30 days by ${by}`, path: `analytics/breakdown?${MONTH}&by=${by}&limit=8` })),
    { name: 'a year by event', path: `analytics/breakdown?${days(365)}&by=event&limit=8` },
    {
      name: '30 days by source, filtered by campaign, sorted by revenue',
      path: `analytics/breakdown?${MONTH}&by=source&filter[campaign]=brand&order=revenue`,
    },
  ].map((read) => ({ ...read, target: '1 s' }));
}

export function others(): Read[] {
  const steps = [
    { page: '/quiz' },
    { event: 'quiz_finished' },
    { event: 'email_submitted' },
    { event: 'order_placed' },
  ];
  const funnel = { from: day(29), to: day(-1), timeZone: 'Europe/Berlin', steps };
  const attribution = ['source', 'platform'].map((by) => ({
    name: `attribution of 30 days by ${by}`,
    path: `analytics/attribution?${MONTH}&by=${by}`,
  }));
  return [
    { name: 'funnel of four steps, 30 days, by session', path: 'analytics/funnel', body: { ...funnel, by: 'session' } },
    { name: 'funnel of four steps, 30 days, by visitor', path: 'analytics/funnel', body: { ...funnel, by: 'visitor' } },
    ...attribution,
    {
      name: 'attribution of 90 days, 90-day lookback',
      path: `analytics/attribution?${days(90)}&by=source&windowDays=90`,
    },
    { name: 'unmatched, 30 days', path: `analytics/unmatched?${MONTH}` },
    { name: 'live', path: 'analytics/live', target: '100 ms' },
  ].map((read) => ({ target: '1 s', ...read }));
}

/** The time from the response to an event until a report counts it, without other traffic. */
async function measureFreshness(account: DemoAccount, report: Report): Promise<void> {
  const times: number[] = [];
  for (let i = 0; i < 5; i++) {
    times.push(await untilCounted(account, `bench_${i}`));
  }
  times.sort((a, b) => a - b);
  report.row('from recording an event until a report counts it', {
    result: `median ${times[2]?.toFixed(1)} s, slowest ${times[4]?.toFixed(1)} s`,
  });
}

async function untilCounted({ get, recordEvent }: DemoAccount, event: string): Promise<number> {
  const before = await countOf(get, event);
  await recordEvent(event);
  const start = performance.now();
  while ((await countOf(get, event)) === before) await new Promise((resolve) => setTimeout(resolve, 100));
  return (performance.now() - start) / 1000;
}

async function countOf(get: DemoAccount['get'], event: string): Promise<number> {
  const { breakdowns } = await get(`analytics/breakdown?${days(1)}&by=event&limit=100`);
  const rows = breakdowns.event.rows as { value: string | null; events: number }[];
  return rows.find(({ value }) => value === event)?.events ?? 0;
}

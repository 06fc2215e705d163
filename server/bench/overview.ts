import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Report } from './report.ts';
import type { BenchService } from './service.ts';

const SIZE = process.env.BENCH_DEMO ?? 'large';
const DAY_MS = 86_400_000;
const TIMES = 15;

/** Reports on the demonstration of a size; its own account, so that the numbers are those a newcomer sees. */
export async function benchOverview(service: BenchService, report: Report): Promise<void> {
  await measureReports(service, report, await makeDemo(service.dataDir));
}

/** @param token of an account of the demonstration */
export async function measureReports(
  service: Pick<BenchService, 'port' | 'rss'>,
  report: Report,
  token: string,
): Promise<void> {
  const call = async (path: string, body?: unknown) => {
    const began = performance.now();
    const response = await fetch(`http://127.0.0.1:${service.port}/v1/${path}`, {
      headers: { 'x-api-key': `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
    await response.text();
    return { ms: performance.now() - began, ok: response.status === 200 };
  };
  const day = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);
  const month = `from=${day(30)}&to=${day(0)}&timeZone=Europe/Berlin`;
  const steps = [
    { page: '/quiz' },
    { event: 'quiz_finished' },
    { event: 'email_submitted' },
    { event: 'order_placed' },
  ];
  const asked: [name: string, path: string, target?: string | undefined, body?: unknown][] = [
    ['overview, 30 days and the 30 before, by day', `analytics/overview?${month}`, '300 ms'],
    ['overview, filtered by source', `analytics/overview?${month}&filter[source]=google`, '300 ms'],
    ['overview, filtered by event', `analytics/overview?${month}&filter[event]=order_placed`],
    ['overview, by hour', `analytics/overview?${month}&interval=hour&compare=none`],
    ['breakdown by source', `analytics/breakdown?${month}&by=source`],
    [
      'breakdown by seven dimensions',
      `analytics/breakdown?${month}&by=source,medium,campaign,platform,landingPage,country,device`,
    ],
    ['breakdown by event and funnel', `analytics/breakdown?${month}&by=event,funnel`],
    ['funnel of four steps', 'analytics/funnel', undefined, { from: day(30), to: day(0), steps }],
    ['attribution by source', `analytics/attribution?${month}`],
    ['live', 'analytics/live'],
    ['list 50 sessions', 'sessions'],
    ['list 50 sessions, a filter that nothing fits', 'sessions?country=XX'],
    ['list 50 conversions', 'conversions'],
    ['leads by the beginning of an e-mail', 'leads?q=ada'],
  ];
  for (const [name, path, target = '', body] of asked) {
    const first = await call(path, body);
    const times: number[] = [];
    let failed = first.ok ? 0 : 1;
    for (let i = 0; i < TIMES; i++) {
      const { ms, ok } = await call(path, body);
      times.push(ms);
      if (!ok) failed++;
    }
    times.sort((a, b) => a - b);
    const median = times[TIMES >> 1] ?? Number.NaN;
    report.row(name, {
      result: `median ${median.toFixed(0)} ms, slowest ${times.at(-1)?.toFixed(0)} ms; first ${first.ms.toFixed(0)} ms`,
      target,
      failed,
    });
  }
  report.row('memory of the service after that', { result: `${Math.round(service.rss())} MiB` });
}

/** @returns the token of its account */
async function makeDemo(dataDir: string): Promise<string> {
  const began = performance.now();
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, '../src/cli.ts'), 'demo', '--size', SIZE, '--json'],
    {
      env: { ...process.env, DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let json = '';
  child.stdout.on('data', (chunk) => {
    json += chunk;
  });
  await once(child, 'close');
  console.error(`headwater demo --size ${SIZE}: ${Math.round((performance.now() - began) / 1000)} s`);
  return JSON.parse(json).token;
}

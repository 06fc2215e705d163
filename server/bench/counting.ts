import { httpRequest, load } from './load.ts';
import type { Report } from './report.ts';
import type { BenchService } from './service.ts';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 8);

/** What counting takes from recording, and how far reports are behind meanwhile: visits of many sessions, at 64 connections. */
export async function benchCounting(service: BenchService, report: Report): Promise<void> {
  const requests = Array.from({ length: 5_000 }, (_, i) => {
    const url = `https://shop.example/page-${i % 50}?utm_source=google&utm_campaign=summer`;
    const body = JSON.stringify({ api_key: service.apiKey, url, visitorId: `visitor-${i}` });
    return httpRequest('POST', '/v1/visits', { 'content-type': 'application/json' }, body);
  });
  const record = () => load({ port: service.port, requests, connections: 64, seconds: SECONDS, warmUpSeconds: 3 });
  const sql = await service.sql();
  try {
    // A pass that finds another one at work leaves at once.
    await sql.query('begin');
    await sql.query('select from analytics_progress for update');
    const alone = await record();
    await sql.query('rollback');
    await until(async () => (await behind(service)) < 5_000);

    const ages: number[] = [];
    const watch = setInterval(() => void behind(service).then((ms) => ages.push(ms)), 250);
    const counted = await record();
    clearInterval(watch);
    report.row('visits while they are counted', {
      result: `${Math.round(counted.perSecond)}/s, p99 ${counted.p99.toFixed(1)} ms`,
      limit: `uncounted ${Math.round(alone.perSecond)}/s`,
      ratio: counted.perSecond / alone.perSecond,
      failed: counted.failed + alone.failed,
    });
    ages.sort((a, b) => a - b);
    report.row('how old what reports know is meanwhile', {
      result: `median ${seconds(ages[ages.length >> 1])}, at the most ${seconds(ages.at(-1))}`,
    });
    const ended = performance.now();
    await until(async () => (await behind(service)) < 3_000);
    report.row('from the end of it until all is counted', { result: seconds(performance.now() - ended) });
  } finally {
    await sql.end();
  }
}

const seconds = (ms = Number.NaN) => `${(ms / 1_000).toFixed(1)} s`;

/** Milliseconds since up to which everything is counted. */
async function behind({ port, token }: BenchService): Promise<number> {
  const response = await fetch(
    `http://127.0.0.1:${port}/v1/analytics/overview?from=2026-01-01&to=2026-01-02&compare=none`,
    {
      headers: { 'x-api-key': `Bearer ${token}` },
    },
  );
  const { asOf } = (await response.json()) as { asOf: string };
  return Date.now() - Date.parse(asOf);
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 200));
}

import { httpRequest, load } from './load.ts';
import type { Report } from './report.ts';
import type { BenchService } from './service.ts';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 8);

/** What aggregation costs ingest, and the age of reports meanwhile: visits of many sessions over 64 connections. */
export async function benchAggregation(service: BenchService, report: Report): Promise<void> {
  const requests = Array.from({ length: 5_000 }, (_, i) => {
    const url = `https://shop.example/page-${i % 50}?utm_source=google&utm_campaign=summer`;
    const body = JSON.stringify({ api_key: service.apiKey, url, visitorId: `visitor-${i}` });
    return httpRequest('POST', '/v1/visits', { 'content-type': 'application/json' }, body);
  });
  const record = () => load({ port: service.port, requests, connections: 64, seconds: SECONDS, warmUpSeconds: 3 });
  const sql = await service.sql();
  try {
    // An aggregation run does nothing while another one holds the row.
    await sql.query('begin');
    await sql.query('select from analytics_progress for update');
    const without = await record();
    await sql.query('rollback');
    await until(async () => (await ageOf(service)) < 5_000);

    const ages: number[] = [];
    const watch = setInterval(() => void ageOf(service).then((ms) => ages.push(ms)), 250);
    const withAggregation = await record();
    clearInterval(watch);
    report.row('visits during aggregation', {
      result: `${Math.round(withAggregation.perSecond)}/s, p99 ${withAggregation.p99.toFixed(1)} ms`,
      limit: `without ${Math.round(without.perSecond)}/s`,
      ratio: withAggregation.perSecond / without.perSecond,
      failed: withAggregation.failed + without.failed,
    });
    ages.sort((a, b) => a - b);
    report.row('age of reports meanwhile', {
      result: `median ${seconds(ages[ages.length >> 1])}, at most ${seconds(ages.at(-1))}`,
    });
    const end = performance.now();
    await until(async () => (await ageOf(service)) < 3_000);
    report.row('time until everything is aggregated', { result: seconds(performance.now() - end) });
  } finally {
    await sql.end();
  }
}

const seconds = (ms = Number.NaN) => `${(ms / 1_000).toFixed(1)} s`;

/** The age of the `asOf` of reports, in milliseconds. */
async function ageOf({ port, token }: BenchService): Promise<number> {
  const response = await fetch(
    `http://127.0.0.1:${port}/v1/analytics/overview?from=2026-01-01&to=2026-01-02&compare=none`,
    {
      headers: { 'x-api-key': `Bearer ${token}` },
    },
  );
  const { asOf } = (await response.json()) as { asOf: string };
  return Date.now() - Date.parse(asOf);
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 200));
}

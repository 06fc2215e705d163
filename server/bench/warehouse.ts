import { filesOf, query, warehouseOn } from '../src/warehouse/test-support.ts';
import { cleanUpNow } from '../test/at-end.ts';
import { startS3Server } from '../test/s3-server.ts';
import { type Cost, measure, post, send } from './measure.ts';
import type { Report } from './report.ts';
import { seedEvents, seedSessions, uuidOf } from './seed.ts';
import type { BenchService } from './service.ts';

const EVENTS = Number(process.env.BENCH_EVENTS ?? 10_000_000);
const SALES = 20_000;
const DAYS = 90;
const CURRENCIES = ['EUR', 'USD', 'GBP', 'PLN'];

/** Exports events of 90 days and sales in four currencies to a bucket, and compares what DuckDB reads there with the sums of the API. */
export async function benchWarehouse(service: BenchService, report: Report): Promise<void> {
  const s3 = await startS3Server();
  const sql = await service.sql();
  const account = uuidOf(service.accountId);
  await seedSessions(sql, account, 1_000);
  await seedEvents(sql, account, EVENTS, DAYS);
  await sql.end();
  for (let sent = 0; sent < SALES; sent += 1_000) {
    const items = Array.from({ length: 1_000 }, (_, i) => ({
      ...{ gclid: `click-${1 + i}`, eventId: `order-${sent + i}`, currency: CURRENCIES[i % 4] },
      value: ((sent + i) * 1.37).toFixed(2),
    }));
    await post(service, '/v1/analytics/report-conversion', items);
  }
  const datasets = ['events', 'conversions'];
  const { id } = await post(service, '/v1/warehouses', warehouseOn(s3, { mode: 'off', datasets }));
  const exportNow = async () => {
    const before = service.rss();
    let [most, job] = [before, await post(service, `/v1/warehouses/${id}/export`, {})];
    const cost = await measure(service, async () => {
      while (job.status === 'queued' || job.status === 'running') {
        await new Promise((resolve) => setTimeout(resolve, 50));
        most = Math.max(most, service.rss());
        job = await send(service, `/v1/jobs/get-by-id?id=${job.id}`);
      }
    });
    if (job.status !== 'completed') throw new Error(JSON.stringify(job.error));
    return { cost, memory: most - before, exported: job.result.exported };
  };
  const result = ({ ms, service: used, postgres }: Cost, memory: number) => {
    const perSecond = (EVENTS + SALES) / (ms / 1_000);
    const seconds = (time: number) => `${(time / 1_000).toFixed(1)} s`;
    return `${Math.round(perSecond)} rows/s (${seconds(ms)}; processor time of the service ${seconds(used)}, of PostgreSQL ${seconds(postgres)}), ${Math.round(memory)} MiB more memory`;
  };
  const first = await exportNow();
  const { events, conversions } = first.exported;
  report.row(`warehouse, ${(EVENTS + SALES).toLocaleString('en')} rows of ${events.days} days`, {
    result: result(first.cost, first.memory),
    target: '200,000 rows/s, 256 MiB',
    failed: events.rows === EVENTS && conversions.rows === SALES ? 0 : 1,
  });
  const again = await exportNow();
  report.row('… again, where nothing changed', {
    result: result(again.cost, again.memory),
    failed: again.exported.events.days + again.exported.conversions.days,
  });
  const [read] = await query(s3, 'select count(*) as rows, count(distinct id) as ids from events_current');
  const sums = await query(
    s3,
    "select currency, count(*)::varchar || ' ' || sum(value)::decimal(38, 2)::varchar as sum from conversions_current group by 1 order by 1",
  );
  const told = JSON.stringify(Object.fromEntries(sums.map(({ currency, sum }) => [String(currency), sum])));
  const listed = JSON.stringify(await sumsOfApi(service));
  report.row('what DuckDB reads', {
    result: `${read?.ids} events in ${filesOf(s3, 'events').length} files; ${told}`,
    limit: `the API ${listed}`,
    failed: Number(read?.rows) === EVENTS && Number(read?.ids) === EVENTS && told === listed ? 0 : 1,
  });
  await cleanUpNow();
}

/** Of all conversions that the API lists. */
async function sumsOfApi(service: BenchService): Promise<Record<string, string>> {
  const sums = new Map<string, { count: number; cents: number }>();
  for (let token: string | null = ''; token !== null; ) {
    const page = await send(service, `/v1/conversions?pageSize=100&pageToken=${token}`);
    for (const { currency, value } of page.conversions) {
      const { count, cents } = sums.get(currency) ?? { count: 0, cents: 0 };
      sums.set(currency, { count: count + 1, cents: cents + Math.round(Number(value) * 100) });
    }
    token = page.nextPageToken;
  }
  return Object.fromEntries(
    [...sums].sort().map(([currency, { count, cents }]) => [currency, `${count} ${(cents / 100).toFixed(2)}`]),
  );
}

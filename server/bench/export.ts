import { once } from 'node:events';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { to as copyTo } from 'pg-copy-streams';
import type { Report } from './report.ts';
import { seedEvents, uuidOf } from './seed.ts';
import type { BenchService } from './service.ts';

const EVENTS = Number(process.env.BENCH_EVENTS ?? 1_000_000);

interface Job {
  id: string;
  status: string;
  result: { rows: number; bytes: number } | null;
}

/** Exports a million events in each format, compared with COPY of the same rows. */
export async function benchExport(service: BenchService, report: Report): Promise<void> {
  const sql = await service.sql();
  const account = uuidOf(service.accountId);
  await seedEvents(sql, account, EVENTS);

  const limit = async () => {
    const started = performance.now();
    const rows = sql.query(
      copyTo(`copy (select id, client_event_id, event, properties, session_number, lead_id, occurred_at, received_at
        from events where account_id = '${account}' order by id) to stdout`),
    );
    await pipeline(rows, new Writable({ write: (_chunk, _encoding, done) => done() }));
    return EVENTS / ((performance.now() - started) / 1000);
  };
  const call = async (path: string, body?: unknown): Promise<Job> => {
    const response = await fetch(`http://127.0.0.1:${service.port}${path}`, {
      headers: { 'x-api-key': `Bearer ${service.token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
    return (await response.json()) as Job;
  };

  await limit();
  for (const format of ['csv', 'ndjson', 'parquet']) {
    const copied = await limit();
    const before = service.rss();
    let highest = before;
    const watch = setInterval(() => {
      highest = Math.max(highest, service.rss());
    }, 20);
    const started = performance.now();
    let job = await call('/v1/analytics/export', { dataset: 'events', format });
    while (job.status === 'queued' || job.status === 'running') {
      await new Promise((resolve) => setTimeout(resolve, 20));
      job = await call(`/v1/jobs/get-by-id?id=${job.id}`);
    }
    const perSecond = (job.result?.rows ?? 0) / ((performance.now() - started) / 1000);
    clearInterval(watch);
    report.row(`export of ${EVENTS} events, ${format}`, {
      result: `${Math.round(perSecond)} rows/s, ${Math.round(highest - before)} MiB more memory`,
      limit: `copy ${Math.round(copied)} rows/s`,
      ratio: perSecond / copied,
      target: '0.50, 150 MiB',
      failed: job.result?.rows === EVENTS ? 0 : 1,
    });
  }
  sql.end();
  await once(sql, 'end');
}

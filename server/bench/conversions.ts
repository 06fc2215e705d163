import { httpRequest, load } from './load.ts';
import type { Report } from './report.ts';
import { seedSessions, uuidOf } from './seed.ts';
import type { BenchService } from './service.ts';

const SESSIONS = Number(process.env.BENCH_SESSIONS ?? 1_000_000);

/** Conversions in batches of 1,000, by click id, against a million sessions. */
export async function benchConversions(service: BenchService, report: Report): Promise<void> {
  const sql = await service.sql();
  await seedSessions(sql, uuidOf(service.accountId), SESSIONS);
  await sql.end();

  const headers = { 'content-type': 'application/json', 'x-api-key': `Bearer ${service.token}` };
  const batches = (eventId: (batch: number, item: number) => string) =>
    Array.from({ length: 300 }, (_, batch) =>
      httpRequest(
        'POST',
        '/v1/analytics/report-conversion',
        headers,
        JSON.stringify(
          Array.from({ length: 1000 }, (_, item) => ({
            gclid: `click-${1 + Math.floor(Math.random() * SESSIONS)}`,
            eventId: eventId(batch, item),
            value: 49.9,
            currency: 'EUR',
          })),
        ),
      ),
    );
  const measure = (requests: string[], seconds: number) =>
    load({ port: service.port, requests, connections: 3, seconds, warmUpSeconds: 1 });
  const row = (name: string, { perSecond, p50, failed }: Awaited<ReturnType<typeof load>>, target = '') =>
    report.row(name, {
      result: `${Math.round(perSecond * 1000)} items/s, p50 ${p50.toFixed(0)} ms a batch`,
      target,
      failed,
    });

  // Fewer batches than the time takes would be restatements: the first seconds are all new.
  const fresh = await measure(
    batches((batch, item) => `new-${batch}-${item}`),
    8,
  );
  row('conversions, batches of 1,000, 1 million sessions', fresh, '20,000 items/s');
  const restated = await measure(
    batches((_, item) => `again-${item}`),
    5,
  );
  row('the same, each restating 1,000 conversions', restated);
}

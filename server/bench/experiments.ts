import { costs, measure, post, send } from './measure.ts';
import type { Report } from './report.ts';
import { uuidOf } from './seed.ts';
import type { BenchService } from './service.ts';

const VISITORS = Number(process.env.BENCH_VISITORS ?? 1_000_000);
const DAY_MS = 86_400_000;
const TIMES = 5;

/** Results of an experiment with a million visitors, each with a session and every tenth with a sale: computed from what was recorded, and read from sums. */
export async function benchExperiments(service: BenchService, report: Report): Promise<void> {
  const { id, start } = await runningExperiment(service);
  await seed(service, start);
  const read = (query = ''): Promise<unknown> => send(service, `/v1/experiments/${id}/results${query}`);
  // Without sums it may take longer than a request may.
  const past = () =>
    read(`?asKnownOn=${new Date().toISOString()}`).catch((error: unknown) => String(error).slice(0, 80));
  const computed = await measure(service, past, 1);
  const built = await measure(service, () => untilSummed(service), 1);
  const summed = await measure(service, read, TIMES);
  report.row(`results of ${VISITORS.toLocaleString('en')} visitors, computed`, { result: costs(computed) });
  report.row('making their sums, in the background', { result: costs(built) });
  report.row('results read from sums', {
    result: costs(summed),
    limit: `computed ${costs(computed)}`,
    ratio: summed.cpu / computed.cpu,
    target: '500 ms',
    failed: (await isSame(past, read)) ? 0 : 1,
  });
  const divided = await measure(service, () => read('?segment=device'), TIMES);
  report.row('results by segment, read from the visitors of sums', { result: costs(divided), target: '500 ms' });
}

/** An experiment that has been running for 100 days. */
async function runningExperiment(service: BenchService): Promise<{ id: string; start: number }> {
  const event = { api_key: service.apiKey, event: 'purchase', properties: { value: 1, currency: 'EUR' } };
  await post(service, '/v1/events', event);
  const variants = ['a', 'b'].map((key) => ({ key, weight: 0.5 }));
  const metric = { event: 'purchase', kind: 'revenue', currency: 'EUR' };
  const definition = { key: 'million', name: 'Million', variants, metric, window: '14d', settleAfter: '30d' };
  const { id } = (await post(service, '/v1/experiments', definition)) as { id: string };
  await post(service, `/v1/experiments/${id}/start`, {});
  const start = Date.now() - 100 * DAY_MS;
  const sql = await service.sql();
  await sql.query("update experiments set started_at = $1 where key = 'million'", [new Date(start)]);
  await sql.end();
  return { id, start };
}

/** Rows that aggregation has seen: exposures over 60 days, and sales within two weeks of them. */
async function seed(service: BenchService, start: number): Promise<void> {
  const sql = await service.sql();
  const account = uuidOf(service.accountId);
  const at = `($2::timestamptz + n * interval '60 days' / $3::bigint)`;
  const uuid = (seed: string) => `md5(${seed} || n)::uuid`;
  const values = [account, new Date(start), VISITORS];
  await sql.query('begin; set local synchronous_commit = off');
  await sql.query(
    `insert into sessions (account_id, number, hash, short_hash, visitor_id, started_at, last_seen_at, landing_url, device)
     select $1, 1000000000 + n, substr(md5(n::text), 1, 22), upper(substr(md5('s' || n), 1, 12)), 'visitor-' || n, ${at}, ${at},
       'https://shop.example/', case n % 3 when 0 then 'desktop' else 'mobile' end from generate_series(1, $3::bigint) n`,
    values,
  );
  await sql.query(
    `insert into events (account_id, id, event, properties, session_number, is_bot, occurred_at, received_at, inserted_xid)
     select $1, ${uuid("'e'")}, 'experiment_exposure', jsonb_build_object('experiment', 'million', 'variant', case n % 2 when 0 then 'a' else 'b' end),
       1000000000 + n, false, ${at}, ${at}, 0 from generate_series(1, $3::bigint) n`,
    values,
  );
  const sold = `(${at} + interval '1 day' * (n / 10 % 13))`;
  await sql.query(
    `insert into conversions (account_id, id, sent_event, value, currency, sent_created_on, received_at, origin, session_number, updated_at)
     select $1, ${uuid("'c'")}, 'purchase', 20 + n % 97, 'EUR', ${sold}, ${sold}, 'report', 1000000000 + n, ${sold}
     from generate_series(10, $3::bigint, 10) n`,
    values,
  );
  await sql.query(
    `insert into analytics_increments (account_id, conversion_id, number, known_at, sale_at, value, currency, conversions, is_refund,
       session_number, is_bot, is_internal)
     select $1, ${uuid("'c'")}, 1, ${sold}, ${sold}, 20 + n % 97, 'EUR', 1, false, 1000000000 + n, false, false
     from generate_series(10, $3::bigint, 10) n`,
    values,
  );
  await sql.query('commit');
  await sql.query('vacuum analyze sessions, events, conversions, analytics_increments');
  await sql.end();
}

async function untilSummed(service: BenchService): Promise<void> {
  const sql = await service.sql();
  for (;;) {
    const { rows } = await sql.query('select from experiment_series where snapshot is not null');
    if (rows.length > 0) break;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  await sql.query('vacuum analyze experiment_visitors, experiment_sums');
  await sql.end();
}

/** Whether two results tell the same, up to the time and the rounding of sums; also if one took too long. */
async function isSame(computed: () => Promise<unknown>, summed: () => Promise<unknown>): Promise<boolean> {
  const told = (results: unknown) =>
    JSON.stringify(results, (name, value) => {
      if (name === 'asKnownOn' || name === 'pace' || name === 'at') return undefined;
      return typeof value === 'number' ? Number(value.toPrecision(9)) : value;
    });
  const expected = await computed();
  return typeof expected === 'string' || told(expected) === told(await summed());
}

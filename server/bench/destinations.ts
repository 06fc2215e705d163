import { setTimeout as sleep } from 'node:timers/promises';
import { httpRequest, load } from './load.ts';
import type { Report } from './report.ts';
import { type BenchService, startProgram, startService } from './service.ts';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 8);
/** In turns, because the speed of a disk varies more than what is measured. */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7);
const PER_SECOND = Number(process.env.BENCH_CONVERSIONS ?? 500);
/** Items of a report. */
const BATCH = 50;
const SESSIONS = 2_000;
const WARM_UP_SECONDS = 3;
/** Google processes requests later, and is asked after 10 s. */
const SETTLE_MS = 120_000;

interface Measured {
  perSecond: number;
  failed: number;
  /** That the service and PostgreSQL used. */
  cores: number;
  platformCores: number;
  /** Conversions a second that arrived at each platform. */
  arrived: number;
}

type Counts = Record<'google' | 'meta' | 'microsoft', number>;

/** Conversions at a constant rate to three destinations while events are recorded as fast as possible. */
export async function benchDestinations(unused: BenchService, report: Report): Promise<void> {
  await unused.stop();
  const platforms = await startProgram('platforms.ts');
  const url = `http://127.0.0.1:${platforms.port}`;
  const names = ['google', 'meta', 'microsoft'] as const;
  const settings = Object.fromEntries(names.map((name) => [`DESTINATION_${name.toUpperCase()}_URL`, url]));
  const service = await startService(undefined, settings);
  const call = async (method: string, path: string, body: unknown, headers = {}) => {
    const response = await fetch(`http://127.0.0.1:${service.port}${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'x-api-key': `Bearer ${service.token}`, ...headers },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  };
  const stats = async () => (await (await fetch(`${url}/stats`)).json()) as Counts;
  try {
    const ids: string[] = [];
    for (const body of connections()) {
      const { id } = (await call('POST', '/v1/destinations', body)) as { id: string };
      ids.push(id);
    }
    const hashes = Array.from({ length: SESSIONS }, (_, i) => String(i).padStart(22, '0'));
    for (let start = 0; start < SESSIONS; start += 100) {
      const items = hashes.slice(start, start + 100).map((hash) => ({ visit: visitOf(hash) }));
      await call('POST', '/v1/batch', { api_key: service.apiKey, items }, { 'user-agent': 'Mozilla/5.0 (Bench)' });
    }
    const events = Array.from({ length: 1000 }, (_, i) =>
      httpRequest(
        'POST',
        '/v1/events',
        { 'content-type': 'application/json' },
        JSON.stringify({
          api_key: service.apiKey,
          event: 'quiz_answered',
          properties: { funnel_id: 'summer-sale', step: i % 7, answer: 'The second one', variant: 'b' },
        }),
      ),
    );
    const ingest = () =>
      load({ port: service.port, requests: events, connections: 64, seconds: SECONDS, warmUpSeconds: WARM_UP_SECONDS });

    let reported = 0;
    /** Reports conversions at a constant rate until `done`. */
    const reporting = async (done: Promise<unknown>): Promise<void> => {
      let isDone = false;
      const end = done.then(() => {
        isDone = true;
      });
      const startedAt = performance.now();
      for (let sent = 0; !isDone; sent += BATCH) {
        await sleep(Math.max(0, startedAt + (sent * 1000) / PER_SECOND - performance.now()));
        const items = Array.from({ length: BATCH }, () => ({
          ...{ sessionHash: hashes[reported % SESSIONS], eventId: `order-${reported++}` },
          ...{ value: 49.9, currency: 'EUR' },
        }));
        await call('POST', '/v1/analytics/report-conversion', items);
      }
      await end;
    };
    const setMode = (mode: 'live' | 'off') =>
      Promise.all(ids.map((id) => call('PATCH', `/v1/destinations/${id}`, { mode })));
    const withReports = async () => {
      const loaded = ingest();
      const [result] = await Promise.all([loaded, reporting(loaded)]);
      return result;
    };

    const alone = (await ingest()).perSecond;
    const rounds: { beside: Measured; sending: Measured; lastAfter: number }[] = [];
    const total: Counts = { google: 0, meta: 0, microsoft: 0 };
    const count = async () => {
      const more = await stats();
      for (const name of names) total[name] += more[name];
      return { ...total };
    };
    const measured = async (): Promise<Measured> => {
      const done = withReports();
      await sleep(WARM_UP_SECONDS * 1000);
      const [startedAt, before, counted, platformsBefore] = [
        performance.now(),
        service.cpu(),
        await count(),
        platforms.cpu(),
      ];
      const { perSecond, failed } = await done;
      const [elapsed, after] = [(performance.now() - startedAt) / 1000, service.cpu()];
      const platformCores = (platforms.cpu() - platformsBefore) / elapsed;
      const now = await count();
      const cores = (after.service - before.service + after.postgres - before.postgres) / elapsed;
      const arrived = names.reduce((sum, name) => sum + now[name] - counted[name], 0) / names.length / elapsed;
      return { perSecond, failed, cores, platformCores, arrived };
    };
    for (let round = 0; round < ROUNDS; round++) {
      await setMode('off');
      const beside = await measured();
      await setMode('live');
      const first = reported;
      const before = await count();
      const sending = await measured();
      const [ended, deadline] = [performance.now(), performance.now() + SETTLE_MS];
      const expected = reported - first;
      const haveArrived = async () => {
        const now = await count();
        return names.every((name) => now[name] - before[name] >= expected);
      };
      while (!(await haveArrived()) && performance.now() < deadline) await sleep(100);
      const lastAfter = (performance.now() - ended) / 1000;
      for (let queued = await queuedOf(service); queued > 0; queued = await queuedOf(service)) {
        if (performance.now() > deadline) throw new Error(`${queued} conversions are still queued`);
        await sleep(500);
      }
      const after = await count();
      for (const name of names) {
        const received = after[name] - before[name];
        if (received !== expected) throw new Error(`${name} received ${received} of ${expected} conversions`);
      }
      rounds.push({ beside, sending, lastAfter });
    }
    const median = (read: (round: (typeof rounds)[number]) => number) =>
      rounds.map(read).sort((a, b) => a - b)[rounds.length >> 1] ?? Number.NaN;
    report.row(`${PER_SECOND} conversions/s to three destinations, beside saturated ingest`, {
      result: `${Math.round(median(({ sending }) => sending.arrived))}/s arrived at each while they were reported, the last ${median(({ lastAfter }) => lastAfter).toFixed(1)} s after it`,
      target: `${PER_SECOND}/s`,
    });
    const cores = (read: (round: (typeof rounds)[number]) => number) => `${median(read).toFixed(2)} cores`;
    report.row('ingest while they are sent', {
      result: `${Math.round(median(({ sending }) => sending.perSecond))}/s, ${cores(({ sending }) => sending.cores)}, platforms ${cores(({ sending }) => sending.platformCores)}`,
      limit: `reported and not sent ${Math.round(median(({ beside }) => beside.perSecond))}/s, ${cores(({ beside }) => beside.cores)}; not reported ${Math.round(alone)}/s`,
      ratio: median(({ sending }) => sending.perSecond) / median(({ beside }) => beside.perSecond),
      target: '0.95',
      failed: rounds.reduce((sum, { sending }) => sum + sending.failed, 0),
    });
  } finally {
    platforms.stop();
    await service.stop();
  }
}

async function queuedOf(service: BenchService): Promise<number> {
  const sql = await service.sql();
  const { rows } = await sql.query(
    'select (select count(*) from destination_queue) + (select count(*) from outbox) as n',
  );
  await sql.end();
  return Number(rows[0]?.n);
}

const visitOf = (id: string) => ({
  url: `https://shop.example/?gclid=${id}&fbclid=${id}&msclkid=${id}`,
  sessionHash: id,
  visitId: id,
});

function connections() {
  const common = { consent: 'unless_denied', mode: 'live' };
  const oauth = { clientId: 'client', clientSecret: 'client-secret', refreshToken: 'refresh-token' };
  const microsoft = { developerToken: 'developer-token', customerId: '11', accountId: '22' };
  return [
    { platform: 'google', credentials: { customerId: '1234567890', ...oauth }, target: '987654321' },
    { platform: 'meta', credentials: { pixelId: '123456', accessToken: 'access-token' }, target: 'Purchase' },
    { platform: 'microsoft', credentials: { ...oauth, ...microsoft }, target: 'Purchase' },
  ].map(({ target, ...each }) => ({ ...common, ...each, name: each.platform, mapping: [{ event: '*', target }] }));
}

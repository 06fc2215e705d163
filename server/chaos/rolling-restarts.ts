import { setTimeout as sleep } from 'node:timers/promises';
import { commandJson, newDataDir, type ServiceProcess, startService } from '../test/service-process.ts';
import { until } from '../test/until.ts';
import { nextVersion } from './next-version.ts';
import { defineProof, type Finding, finding } from './proof.ts';
import { startLoad } from './steady-load.ts';
import { connectTo, sendOk, startDatabase } from './support.ts';
import { startTcpProxy } from './tcp-proxy.ts';

const PROCESSES = 2;
/** A process leaves the rotation after so many failed checks, well before it stops accepting connections. */
const HEALTH_INTERVAL_MS = 200;
const FAILED_CHECKS = 2;
const DELAY_SECONDS = 2;
const STOP_LIMIT_MS = 15_000;

export const rollingRestarts = defineProof({
  title: 'Two processes behind a TCP proxy that checks their health are restarted by SIGTERM in turn, under load.',
  parameters: { restarts: 50, rate: 1_000 },
  run: ({ restarts, rate }, log) => restartInTurn(restarts, rate, undefined, log),
});

export const rollingUpgrade = defineProof({
  title:
    'Two processes behind a TCP proxy are replaced in turn by a version that adds a column to every table, under load.',
  parameters: { rate: 1_000, seconds: 20 },
  async run({ rate, seconds }, log) {
    return restartInTurn(PROCESSES, rate, { root: nextVersion(), mixedMs: seconds * 1_000 }, log);
  },
});

interface Upgrade {
  /** The folder of the new version. */
  root: string;
  /** How long both versions serve together. */
  mixedMs: number;
}

async function restartInTurn(
  restarts: number,
  rate: number,
  upgrade: Upgrade | undefined,
  log: (line: string) => void,
): Promise<Finding[]> {
  const database = await startDatabase();
  const env = {
    DATABASE_URL: database.url,
    SHUTDOWN_DELAY_SECONDS: String(DELAY_SECONDS),
    // All connections come from the proxy, which would otherwise be limited as one client.
    TRUST_PROXY: '127.0.0.1',
    // What a busy machine does not serve for a moment comes at once then.
    RATE_LIMIT: 'off',
  };
  const { token, apiKey } = await commandJson(['accounts', 'create', 'Restarts'], env);
  const start = (root?: string) =>
    startService({ ...env, DATA_DIR: newDataDir() }, root === undefined ? undefined : { root });
  const rotation = new Rotation();
  const processes = await Promise.all(Array.from({ length: PROCESSES }, () => start()));
  for (const process of processes) rotation.add(process);
  const proxy = await startTcpProxy(() => rotation.targets());
  const at = { url: `http://127.0.0.1:${proxy.port}` };
  await until(() => rotation.size === PROCESSES);
  await sendOk(at, 'POST /v1/visits', { body: { api_key: apiKey, url: 'https://shop.example/?gclid=rolling' } });

  const report = '{"gclid":"rolling","value":1}';
  const stopLoad = startLoad({
    port: proxy.port,
    perSecond: rate,
    requests: [
      { method: 'POST', path: '/v1/events', body: JSON.stringify({ api_key: apiKey, event: 'x' }) },
      { method: 'GET', path: '/v1/limits', token },
      { method: 'POST', path: '/v1/analytics/report-conversion', token, body: report },
    ],
  });
  const codes: (number | null)[] = [];
  let slowestStop = 0;
  for (let i = 0; i < restarts; i++) {
    const process = processes[i % PROCESSES] as ServiceProcess;
    const stoppedAt = performance.now();
    process.kill('SIGTERM');
    codes.push((await process.ended).code);
    slowestStop = Math.max(slowestStop, performance.now() - stoppedAt);
    rotation.remove(process);
    const next = await start(upgrade?.root);
    processes[i % PROCESSES] = next;
    rotation.add(next);
    await until(() => rotation.size === PROCESSES);
    if (i % 10 === 9) log(`${i + 1} restarts`);
    if (upgrade && i + 1 < restarts) await sleep(upgrade.mixedMs);
  }
  const { sent, seconds, succeeded, failed } = await stopLoad();
  rotation.end();
  const refused =
    upgrade &&
    (await start().then(
      () => 'it started',
      (error: Error) => error.message,
    ));
  const db = await connectTo(database.dataDir);
  const { rows } = await db.query(
    'select (select count(*) from events)::int as events, (select count(*) from conversions)::int as conversions',
  );
  const failures = Object.entries(failed).map(([what, count]) => `${count} × ${what}`);
  const acknowledged = [succeeded['/v1/events'], succeeded['/v1/analytics/report-conversion']];
  return [
    finding(
      'no request fails',
      `${sent} requests at ${Math.round(sent / seconds)}/s, failed: ${failures.join(', ') || 'none'}`,
      failures.length === 0 && sent > 0,
    ),
    finding(
      'every process exits with 0 within 15 s',
      `${codes.length} restarts, the slowest stop ${(slowestStop / 1_000).toFixed(1)} s`,
      codes.every((code) => code === 0) && slowestStop < STOP_LIMIT_MS,
    ),
    finding(
      'every acknowledged event and conversion is stored once',
      `${acknowledged} acknowledged, ${[rows[0].events, rows[0].conversions]} stored`,
      rows[0].events === acknowledged[0] && rows[0].conversions === acknowledged[1],
    ),
    ...(refused === undefined
      ? []
      : [
          finding(
            'the old version refuses to start on the new data',
            /newer version/.test(refused) ? 'refused' : refused,
            /belongs to a newer version of the service/.test(refused),
          ),
        ]),
  ];
}

/** The processes that get new connections, by checks of their health, as a load balancer has it. */
class Rotation {
  /** The checks that each process failed in a row; all are out until their first success. */
  readonly #failed = new Map<ServiceProcess, number>();
  readonly #timer = setInterval(() => this.#check(), HEALTH_INTERVAL_MS);
  #turn = 0;

  add(process: ServiceProcess): void {
    this.#failed.set(process, FAILED_CHECKS);
  }

  remove(process: ServiceProcess): void {
    this.#failed.delete(process);
  }

  end(): void {
    clearInterval(this.#timer);
  }

  get size(): number {
    return this.#healthy().length;
  }

  /** In turn; the others follow, in case one refuses the connection. */
  targets(): { host: string; port: number }[] {
    const healthy = this.#healthy();
    // If every check fails, on a busy machine they were only late.
    const all = (healthy.length > 0 ? healthy : [...this.#failed.keys()]).map(({ url }) => ({
      host: '127.0.0.1',
      port: Number(new URL(url).port),
    }));
    const first = this.#turn++ % Math.max(1, all.length);
    return [...all.slice(first), ...all.slice(0, first)];
  }

  #healthy(): ServiceProcess[] {
    return [...this.#failed].flatMap(([process, failed]) => (failed < FAILED_CHECKS ? process : []));
  }

  #check(): void {
    for (const process of this.#failed.keys()) void this.#checkOne(process);
  }

  async #checkOne(process: ServiceProcess): Promise<void> {
    const response = await fetch(`${process.url}/health`).catch(() => undefined);
    await response?.body?.cancel();
    const failed = this.#failed.get(process);
    if (failed !== undefined) this.#failed.set(process, response?.status === 200 ? 0 : failed + 1);
  }
}

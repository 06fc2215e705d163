import { setTimeout as sleep } from 'node:timers/promises';
import { buildApp } from './app.ts';
import { upgradeCluster } from './backup/index.ts';
import { resealCell } from './cell.ts';
import { addCells } from './cells/index.ts';
import { type Config, ConfigError, readConfig } from './shared/config.ts';
import { ApiError } from './shared/errors.ts';
import { limitHeap } from './shared/heap-limit.ts';
import { internalUrlOf } from './shared/http/internal-url.ts';
import { listen } from './shared/http/listen.ts';
import { createLog, type Logger, scrub } from './shared/log.ts';
import { createMetrics } from './shared/metrics.ts';
import { pageTokens } from './shared/page-token.ts';
import { openStore } from './shared/postgres/open-store.ts';
import { Vault } from './shared/secrets/vault.ts';
import { sessionIdsOf } from './shared/session-ids.ts';
import { systemClock } from './shared/time.ts';
import { startTracing } from './shared/tracing.ts';

/** After SIGTERM: running requests get 9 s, workers and the database the rest of 12 s, then the process stores its compiled code and ends. */
const DRAIN_MS = 9_000;
const STOP_MS = 12_000;

const RETRY_MS = 100;

/** When each worker had a turn, and what the heap of a service without requests stays below. */
const FIRST_TURNS_MS = 5_000;
const MAX_IDLE_HEAP = 45_000_000;

/** Ctrl-C reaches a service that npm started twice, from the terminal and from npm. */
const REPEATED_SIGNAL_MS = 1_000;
/**
 * Connections that wait until they are accepted; the system may allow fewer. Beyond, the system drops packets, and a client tries again after one, two or four
 * seconds or finds its connection reset: 511 (by default) come together when a busy machine does not let the process run for a moment.
 */
const BACKLOG = 4_096;

interface Running {
  url: string;
  /** What to do first, for the terminal. */
  next: string;
  /** Finishes requests, then workers, then the database. */
  stop(): Promise<void>;
}

async function start(config: Config, log: Logger): Promise<Running> {
  await upgradeCluster(config, log);
  const store = await openStore(config, 'service', log);
  const metrics = createMetrics();
  metrics.withProcess();
  const tracing = await startTracing(process.env);
  let publicUrl = config.publicUrl ?? '';
  let internalUrl: string | undefined;
  const { secret, sessionKey } = store.instance;
  const vault = new Vault(store.keys);
  await resealCell({ db: store.db, secret, vault, log });
  await addCells(store.db, secret, config.cells);
  const { app, workers, firstRunLink, announce } = await buildApp({
    config,
    db: store.db,
    control: store.db,
    log,
    metrics,
    tracing,
    clock: systemClock,
    pageTokens: pageTokens(secret),
    sessionIds: sessionIdsOf(sessionKey),
    secret,
    vault,
    publicUrl: () => publicUrl,
    internalUrl: () => internalUrl,
  });
  const stop = async () => {
    const drained = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS);
    if (config.shutdownDelayMs > 0) {
      app.drain.start();
      await sleep(config.shutdownDelayMs);
    }
    await app.close();
    clearTimeout(drained);
    await Promise.all(workers.map((worker) => worker.stop()));
    await Promise.all([store.close(), tracing?.stop()]);
  };
  // What the start took (measured: 20 MB), before there are requests.
  await releaseMemory();
  limitHeap();
  try {
    await listen(app, { host: config.host, port: config.port, backlog: BACKLOG });
  } catch (error) {
    await stop();
    throw cannotListen(config, error);
  }
  const { port } = app.server.address() as { port: number };
  publicUrl ||= `http://localhost:${port}`;
  internalUrl = internalUrlOf(config, port);
  const link = await withPatience(() => announce().then(firstRunLink)).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  for (const worker of workers) worker.start();
  // What the first turns of the workers took (7 MB), unless the service is busy.
  setTimeout(() => {
    if (process.memoryUsage().heapUsed < MAX_IDLE_HEAP) void releaseMemory();
  }, FIRST_TURNS_MS).unref();
  const next = link === undefined ? `Sign in at ${publicUrl}.` : `Create the first user within a day: ${link}`;
  return { url: publicUrl, next, stop };
}

/** Repeats what the database had no time for: a service that is restarted under load gets requests as soon as it listens. */
async function withPatience<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'overloaded')) throw error;
      await sleep(RETRY_MS);
    }
  }
}

function cannotListen({ host, port }: Config, error: unknown): unknown {
  const { code = '' } = error as { code?: string };
  if (code === 'EADDRINUSE') return new ConfigError(`PORT ${port} is in use`);
  const isRefused = ['EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'].includes(code);
  return isRefused ? new ConfigError(`HOST ${host}, PORT ${port} cannot be listened on (${code})`) : error;
}

/** Resolves at the first SIGTERM or SIGINT, also during the start. A second one ends the process at once. */
function stopSignal(): Promise<'stop'> {
  return new Promise((resolve) => {
    let first = 0;
    const onSignal = () => {
      first ||= Date.now();
      resolve('stop');
      if (Date.now() - first > REPEATED_SIGNAL_MS) process.exit(1);
    };
    process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  });
}

/** Returns memory that V8 keeps until there is pressure. It takes 20 to 40 ms, more if much is in use. */
async function releaseMemory(): Promise<void> {
  const { Session } = await import('node:inspector/promises');
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage');
  session.disconnect();
}

async function main(): Promise<void> {
  const stopped = stopSignal();
  // The service outlives the reader of its log.
  process.stdout.on('error', () => {});
  const config = readConfig(process.env);
  // Files are readable by the service alone, unless nginx delivers them.
  if (config.files.delivery !== 'nginx') process.umask(0o077);
  const log = createLog(config.logLevel);
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'an uncaught error ends the service');
    process.exit(1);
  });
  const starting = start(config, log);
  if ((await Promise.race([starting, stopped])) !== 'stop') {
    const { url, next } = await starting;
    // Not by the log, whose lines never contain a link.
    console.log(`Headwater is ready at ${url} (reference: ${url}/docs). ${next}`);
    await stopped;
  }
  // Whatever does not end in time is cut off; everything that was acknowledged is on disk.
  await Promise.race([starting.then(({ stop }) => stop()), sleep(STOP_MS)]);
}

try {
  await main();
  process.exit(0);
} catch (error) {
  if (error instanceof ConfigError) console.error(`headwater: ${scrub(error.message)}`);
  else console.error(scrub(`headwater: the service failed: ${(error as Error).stack}`));
  process.exit(1);
}

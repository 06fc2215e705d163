import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { embeddedConnection } from '../src/shared/postgres/embedded.ts';
import { LAUNCH_SETTINGS } from '../test/launch-settings.ts';

const SOURCE = join(import.meta.dirname, '../src');

export interface BenchService {
  port: number;
  process: ChildProcess;
  dataDir: string;
  accountId: string;
  token: string;
  apiKey: string;
  /** Milliseconds from starting the process to its ready message. */
  readyAfter: number;
  /** Resident memory of the service without PostgreSQL, in MiB. */
  rss(): number;
  /** Seconds of CPU that the service and the processes it started have used, and those that PostgreSQL has. */
  cpu(): { service: number; postgres: number };
  /** Its peak since the start. */
  mostRss(): number;
  sql(): Promise<pg.Client>;
  /** Kills the process with SIGKILL; the data folder remains. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** An existing data folder to measure on, for example with an account of `headwater demo`. It is not removed. */
export const KEPT_DATA_DIR = process.env.BENCH_DATA_DIR;

/** The processors for the service and PostgreSQL, if not those of the benchmark. */
const SERVICE_CPUS = process.env.BENCH_SERVICE_CPUS;

/** Starts the service like `npm start`, without rate limits, on a new data folder or on `dataDir`. */
export async function startService(
  dataDir = KEPT_DATA_DIR ?? mkdtempSync(join(tmpdir(), 'headwater-bench-')),
  settings: Record<string, string> = {},
): Promise<BenchService> {
  const port = await freePort();
  const env = {
    ...process.env,
    ...LAUNCH_SETTINGS,
    PORT: String(port),
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    RATE_LIMIT: 'off',
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    LIMIT_VIDEO_MB: '2000',
    ...settings,
  };
  const start = performance.now();
  const line = [
    ...(SERVICE_CPUS === undefined ? [] : ['taskset', '-c', SERVICE_CPUS]),
    ...[process.execPath, ...(process.env.BENCH_EXEC_ARGV ?? '').split(' ').filter(Boolean), join(SOURCE, 'start.js')],
  ];
  const [program = '', ...words] = line;
  const child = spawn(program, words, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => String(chunk).includes('is ready at') && resolve());
    child.once('exit', (code) => reject(new Error(`the service exited with code ${code}`)));
  });
  const readyAfter = performance.now() - start;
  const { account, token, apiKey } = await command<Created>(dataDir, 'accounts', 'create', 'Bench');
  return {
    port,
    process: child,
    dataDir,
    accountId: account.id,
    token,
    apiKey,
    readyAfter,
    rss: () => memoryOf(child.pid, 'VmRSS'),
    cpu: () => cpuOf(child.pid ?? 0),
    mostRss: () => memoryOf(child.pid, 'VmHWM'),
    async sql() {
      const client = new pg.Client(embeddedConnection(dataDir));
      await client.connect();
      return client;
    },
    async kill() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      if (dataDir !== KEPT_DATA_DIR) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function memoryOf(pid: number | undefined, what: 'VmRSS' | 'VmHWM'): number {
  return Number(new RegExp(`${what}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

const TICKS_PER_SECOND = 100;

/** Of a process and its descendants. Those that ended are included once their parent has waited for them. */
function cpuOf(root: number): { service: number; postgres: number } {
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/stat`, 'latin1')];
      } catch {
        return [];
      }
    })
    .map((line) => {
      const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
      const ticks = [11, 12, 13, 14].reduce((sum, i) => sum + Number(fields[i]), 0);
      return {
        pid: Number.parseInt(line, 10),
        isPostgres: line.includes('(postgres)'),
        parent: Number(fields[1]),
        ticks,
      };
    });
  const used = { service: 0, postgres: 0 };
  const wanted = [root];
  for (const pid of wanted) {
    for (const process of stats) {
      if (process.parent === pid) wanted.push(process.pid);
      if (process.pid === pid) used[process.isPostgres ? 'postgres' : 'service'] += process.ticks / TICKS_PER_SECOND;
    }
  }
  return used;
}

interface Created {
  account: { id: string };
  token: string;
  apiKey: string;
}

/** Runs a command of the CLI and returns its JSON output. The service may be running. */
export async function command<Output>(dataDir: string, ...words: string[]): Promise<Output> {
  const child = spawn(
    process.execPath,
    [...(process.env.BENCH_EXEC_ARGV ?? '').split(' ').filter(Boolean), join(SOURCE, 'cli.ts'), ...words, '--json'],
    {
      env: { ...process.env, DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let json = '';
  for await (const chunk of child.stdout) json += chunk;
  return JSON.parse(json);
}

/** Starts a program of the benchmark, with its port as the first argument. It prints a line when it listens. */
export async function startProgram(
  file: string,
  ...more: string[]
): Promise<{ port: number; printed: string; cpu(): number; stop(): void }> {
  const port = await freePort();
  const child = spawn(process.execPath, [join(import.meta.dirname, file), String(port), ...more], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed] = await once(child.stdout, 'data');
  const cpu = () => cpuOf(child.pid ?? 0).service;
  return { port, printed: String(printed).trim(), cpu, stop: () => child.kill() };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { embeddedConnection } from '../src/shared/postgres/embedded.ts';

const SOURCE = join(import.meta.dirname, '../src');

export interface BenchService {
  port: number;
  process: ChildProcess;
  dataDir: string;
  accountId: string;
  token: string;
  apiKey: string;
  /** Milliseconds from the start of the process until its ready line. */
  readyAfter: number;
  /** Resident memory of the service's own process, in MiB. */
  rss(): number;
  /** The most that it was since its start. */
  mostRss(): number;
  sql(): Promise<pg.Client>;
  /** kill -9; the data stays. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** A data folder to measure on, which is kept: one made before by `headwater demo`, say. */
export const KEPT_DATA_DIR = process.env.BENCH_DATA_DIR;

/** Starts the real service, as `npm start` does, on a folder of its own (or `dataDir`), without rate limits. */
export async function startService(
  dataDir = KEPT_DATA_DIR ?? mkdtempSync(join(tmpdir(), 'headwater-bench-')),
  settings: Record<string, string> = {},
): Promise<BenchService> {
  const port = await freePort();
  const env = {
    ...process.env,
    PORT: String(port),
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    RATE_LIMIT: 'off',
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    LIMIT_VIDEO_MB: '2000',
    ...settings,
  };
  const began = performance.now();
  const child = spawn(process.execPath, [join(SOURCE, 'main.ts')], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => String(chunk).includes('is ready at') && resolve());
    child.once('exit', (code) => reject(new Error(`the service stopped (${code})`)));
  });
  const readyAfter = performance.now() - began;
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
      if (child.exitCode === null) {
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

interface Created {
  account: { id: string };
  token: string;
  apiKey: string;
}

/** What a command of the service answers, beside a service that runs or not. */
export async function command<Answer>(dataDir: string, ...words: string[]): Promise<Answer> {
  const child = spawn(process.execPath, [join(SOURCE, 'cli.ts'), ...words, '--json'], {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let json = '';
  for await (const chunk of child.stdout) json += chunk;
  return JSON.parse(json);
}

/** A program of the bench (a limit to compare with), given its port as its only argument; it prints when it listens. */
export async function startProgram(file: string): Promise<{ port: number; printed: string; stop(): void }> {
  const port = await freePort();
  const child = spawn(process.execPath, [join(import.meta.dirname, file), String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed] = await once(child.stdout, 'data');
  return { port, printed: String(printed).trim(), stop: () => child.kill() };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

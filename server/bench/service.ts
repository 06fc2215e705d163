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
  sql(): Promise<pg.Client>;
  /** kill -9; the data stays. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the real service, as `npm start` does, on a folder of its own (or `dataDir`), without rate limits. */
export async function startService(
  dataDir = mkdtempSync(join(tmpdir(), 'headwater-bench-')),
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
  const made = spawn(process.execPath, [join(SOURCE, 'cli.ts'), 'accounts', 'create', 'Bench', '--json'], { env });
  let json = '';
  for await (const chunk of made.stdout) json += chunk;
  const { account, token, apiKey } = JSON.parse(json);
  return {
    port,
    process: child,
    dataDir,
    accountId: account.id,
    token,
    apiKey,
    readyAfter,
    rss: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
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
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
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

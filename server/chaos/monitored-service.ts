import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccount } from '../src/accounts/index.ts';
import { parseId } from '../src/shared/ids.ts';
import { asControl, type ControlDatabase, openDatabase } from '../src/shared/postgres/database.ts';
import { embeddedConnection } from '../src/shared/postgres/embedded.ts';
import { atEnd } from '../test/at-end.ts';
import type { Account, CallOptions, ServiceUnderTest } from '../test/harness.ts';
import { LAUNCH_SETTINGS } from '../test/launch-settings.ts';
import { NO_PLATFORMS } from '../test/no-platforms.ts';
import { dashboardHeaders } from '../test/users.ts';
import type { Reading } from './event-loop-monitor.ts';
import { send } from './http-client.ts';

const ROOT = join(import.meta.dirname, '../..');

/** A real process of the service, on a database of its own, that measures itself. */
export interface MonitoredService extends ServiceUnderTest {
  url: string;
  port: number;
  pid: number;
  dataDir: string;
  /** What was measured since the last reading. @param collect collects garbage, for a comparable memory size */
  read(collect?: boolean): Promise<Reading>;
  /** The end of the log. */
  log(): string;
}

export async function startMonitored(env: Record<string, string> = {}): Promise<MonitoredService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'headwater-chaos-'));
  const child = spawn(process.execPath, ['--import', './server/chaos/event-loop-monitor.ts', 'server/src/main.ts'], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME ?? '/root',
      PORT: '0',
      HOST: '127.0.0.1',
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'warn',
      DATA_DIR: dataDir,
      CHAOS_MONITORED: String(process.pid),
      ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
      ...(process.env.CHAOS_PROFILE && { CHAOS_PROFILE: process.env.CHAOS_PROFILE }),
      ...NO_PLATFORMS,
      ...LAUNCH_SETTINGS,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  let output = '';
  let isExpected = false;
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      output = (output + chunk).slice(-1_000_000);
      const ready = /^Headwater is ready at (\S+) /m.exec(output)?.[1];
      if (ready) resolve(ready);
    });
    child.once('exit', (code, signal) => {
      const message = `the service exited with ${signal ?? code}: ${output.slice(-10_000)}`;
      if (isExpected) return;
      console.error(message);
      reject(new Error(message));
    });
  });
  const port = Number(new URL(url).port);
  const joined = joinService(port, dataDir);
  atEnd(async () => {
    isExpected = true;
    await joined.db.close();
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    rmSync(dataDir, { recursive: true, force: true });
  });
  return {
    url,
    port,
    pid: child.pid ?? 0,
    dataDir,
    ...joined,
    read: (collect = false) => read(child, collect),
    log: () => output,
  };
}

/** Calls a service that another process started. */
export function joinService(port: number, dataDir: string): ServiceUnderTest {
  const db = asControl(openDatabase(embeddedConnection(dataDir), 4, () => {}));
  return {
    db,
    control: db,
    clock: {
      get now() {
        return Date.now();
      },
    },
    newAccount: (name) => newAccount(db, name),
    call: (request, options) => call(port, request, options),
  };
}

async function newAccount(db: ControlDatabase, name = 'Chaos'): Promise<Account> {
  const { account, token, apiKey } = await createAccount(db, name);
  return { id: account.id, uuid: parseId('acc', account.id) ?? '', token, apiKey };
}

async function call(port: number, request: string, { as, by, body, headers = {} }: CallOptions = {}) {
  const [method = 'GET', path = '/'] = request.split(' ');
  const token = typeof as === 'string' ? as : as?.token;
  const payload = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const answer = await send(port, {
    method,
    path,
    headers: {
      ...(by && dashboardHeaders(by)),
      ...(token !== undefined && { 'x-api-key': `Bearer ${token}` }),
      ...(payload !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: payload,
  });
  const isJson = String(answer.headers['content-type']).includes('json') && answer.body.length > 0;
  return { ...answer, body: isJson ? JSON.parse(String(answer.body)) : String(answer.body) };
}

async function read(child: ChildProcess, collect: boolean): Promise<Reading> {
  child.send({ collect });
  const [reading] = await once(child, 'message');
  return reading as Reading;
}

/** Makes the service load what it loads on first use. */
export async function warmUp({ call }: ServiceUnderTest): Promise<void> {
  await call('GET /docs/reference.js');
  await call('GET /headwater.js');
  await call('GET /');
  const headers = { origin: 'http://headwater.test', 'sec-fetch-site': 'same-origin' };
  const password = 'x'.repeat(12);
  await call('POST /auth/sign-in', { headers, body: { email: 'nobody@people.example', password } });
  await call('POST /auth/passkeys/sign-in/options', { headers, body: {} });
}

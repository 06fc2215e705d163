import type { Report } from './report.ts';
import { type BenchService, command } from './service.ts';

const SIZE = process.env.BENCH_DEMO ?? 'large';
const TIMES = 7;

/** A request that a page of the dashboard sends. */
export interface Read {
  name: string;
  /** After `/v1/`. */
  path: string;
  /** Sent as a POST when present. */
  body?: unknown;
  target?: string;
}

/** The demo account, read with its secret token. */
export interface DemoAccount {
  token: string;
  apiKey: string;
  // biome-ignore lint/suspicious/noExplicitAny: responses of any shape
  get(path: string): Promise<any>;
  recordEvent(event: string): Promise<void>;
  /** Milliseconds until the whole response was received. */
  time(read: Pick<Read, 'path' | 'body'>): Promise<{ ms: number; ok: boolean }>;
  /** Adds a row for each read: the first response, then the median and the slowest of further ones. */
  measure(report: Report, reads: Read[]): Promise<void>;
}

/** The demo account of the data folder, created if there is none. */
export async function demoAccount(service: BenchService): Promise<DemoAccount> {
  return readerOf(service, await keysOf(service.dataDir));
}

/** Reads an account by its keys. */
export function readerOf(service: BenchService, { token, apiKey }: { token: string; apiKey: string }): DemoAccount {
  const send = (path: string, body?: unknown) =>
    fetch(`http://127.0.0.1:${service.port}/v1/${path}`, {
      headers: { 'x-api-key': `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
  const time: DemoAccount['time'] = async ({ path, body }) => {
    const start = performance.now();
    const response = await send(path, body);
    await response.arrayBuffer();
    return { ms: performance.now() - start, ok: response.status === 200 };
  };
  return {
    token,
    apiKey,
    get: async (path) => (await send(path)).json(),
    async recordEvent(event) {
      await send('events', { api_key: apiKey, event });
    },
    time,
    async measure(report, reads) {
      for (const read of reads) {
        const first = await time(read);
        const times: number[] = [];
        let failed = first.ok ? 0 : 1;
        for (let i = 0; i < TIMES; i++) {
          const { ms, ok } = await time(read);
          times.push(ms);
          if (!ok) failed++;
        }
        times.sort((a, b) => a - b);
        report.row(read.name, {
          result: `${format(times[TIMES >> 1])}, slowest ${format(times.at(-1))}; first ${format(first.ms)}`,
          target: read.target ?? '',
          failed,
        });
      }
    },
  };
}

const format = (ms = Number.NaN) => `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;

export async function keysOf(dataDir: string): Promise<{ token: string; apiKey: string }> {
  const { accounts } = await command<{ accounts: { id: string; name: string }[] }>(dataDir, 'accounts', 'list');
  const existing = accounts.find(({ name }) => name === `Demo shop (${SIZE})`);
  if (existing) {
    const create = (type: string) =>
      command<{ token: string }>(
        dataDir,
        ...`tokens create --account ${existing.id} --name bench --type ${type}`.split(' '),
      );
    return { token: (await create('secret')).token, apiKey: (await create('publishable')).token };
  }
  const start = performance.now();
  const demo = await command<{ token: string; apiKey: string }>(dataDir, 'demo', '--size', SIZE);
  console.error(`headwater demo --size ${SIZE}: ${Math.round((performance.now() - start) / 1000)} s`);
  return demo;
}

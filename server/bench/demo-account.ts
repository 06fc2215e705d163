import type { Report } from './report.ts';
import { type BenchService, command } from './service.ts';

const SIZE = process.env.BENCH_DEMO ?? 'large';
const TIMES = 7;

/** A read that a screen of the dashboard makes. */
export interface Read {
  name: string;
  /** Behind `/v1/`. */
  path: string;
  /** Makes it a POST. */
  body?: unknown;
  target?: string;
}

/** The account of a demonstration, asked as its owner would. */
export interface DemoAccount {
  token: string;
  apiKey: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  get(path: string): Promise<any>;
  recordEvent(event: string): Promise<void>;
  /** Milliseconds until the whole answer is there. */
  time(read: Pick<Read, 'path' | 'body'>): Promise<{ ms: number; ok: boolean }>;
  /** One row for each: the first answer, then the median and the slowest of some more. */
  measure(report: Report, reads: Read[]): Promise<void>;
}

/** The demonstration account of this data folder; it is made where there is none. */
export async function demoAccount(service: BenchService): Promise<DemoAccount> {
  const { token, apiKey } = await keysOf(service.dataDir);
  const ask = (path: string, body?: unknown) =>
    fetch(`http://127.0.0.1:${service.port}/v1/${path}`, {
      headers: { 'x-api-key': `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
  const time: DemoAccount['time'] = async ({ path, body }) => {
    const began = performance.now();
    const response = await ask(path, body);
    await response.arrayBuffer();
    return { ms: performance.now() - began, ok: response.status === 200 };
  };
  return {
    token,
    apiKey,
    get: async (path) => (await ask(path)).json(),
    async recordEvent(event) {
      await ask('events', { api_key: apiKey, event });
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
          result: `${shown(times[TIMES >> 1])}, slowest ${shown(times.at(-1))}; first ${shown(first.ms)}`,
          target: read.target ?? '',
          failed,
        });
      }
    },
  };
}

const shown = (ms = Number.NaN) => `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;

async function keysOf(dataDir: string): Promise<{ token: string; apiKey: string }> {
  const { accounts } = await command<{ accounts: { id: string; name: string }[] }>(dataDir, 'accounts', 'list');
  const made = accounts.find(({ name }) => name === `Demo shop (${SIZE})`);
  if (made) {
    const create = (kind: string) =>
      command<{ token: string }>(
        dataDir,
        ...`tokens create --account ${made.id} --name bench --kind ${kind}`.split(' '),
      );
    return { token: (await create('secret')).token, apiKey: (await create('publishable')).token };
  }
  const began = performance.now();
  const demo = await command<{ token: string; apiKey: string }>(dataDir, 'demo', '--size', SIZE);
  console.error(`headwater demo --size ${SIZE}: ${Math.round((performance.now() - began) / 1000)} s`);
  return demo;
}

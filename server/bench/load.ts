import { fork } from 'node:child_process';
import { connect } from 'node:net';

export interface LoadPlan {
  port: number;
  /** Complete HTTP requests, sent in rotation. */
  requests: (string | Uint8Array)[];
  /** A text in each request that is replaced by a number, so that no two requests are identical. */
  unique?: string;
  connections: number;
  seconds: number;
  /** At the start, not measured. */
  warmUpSeconds: number;
}

export interface LoadResult {
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Responses with a status other than 200. */
  failed: number;
}

/** Formats a request for a keep-alive connection. */
export function httpRequest(method: string, path: string, headers: Record<string, string>, body?: string): string {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const lines = Object.entries({ host: 'localhost', 'user-agent': BROWSER, ...headers, ...length });
  return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body ?? ''}`;
}

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36';

/** Sends requests as fast as responses arrive, from a separate process. */
export async function load(plan: LoadPlan): Promise<LoadResult> {
  const child = fork(import.meta.filename, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
  });
  const result = new Promise<LoadResult>((resolve, reject) => {
    child.once('message', (message) => resolve(message as LoadResult));
    child.once('exit', (code) => reject(new Error(`the load generator exited with code ${code}`)));
  });
  child.send(plan);
  return result.finally(() => child.kill());
}

/** Uses plain sockets: the load generator shares the cores with the service and must cost little. */
async function run({ port, requests, unique, connections, seconds, warmUpSeconds }: LoadPlan): Promise<LoadResult> {
  const payloads = requests.map((request) => partsOf(Buffer.from(request), unique));
  const latencies: number[] = [];
  let failed = 0;
  let next = 0;
  const start = performance.now() + warmUpSeconds * 1000;
  const end = start + seconds * 1000;

  const one = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      let sentAt = 0;
      let buffered = '';
      const send = () => {
        sentAt = performance.now();
        if (sentAt >= end) {
          socket.destroy();
          return resolve();
        }
        const number = next++;
        const { before, after } = payloads[number % payloads.length] as Payload;
        if (after === undefined || unique === undefined) return socket.write(before);
        socket.cork();
        socket.write(before);
        socket.write(String(number).padStart(unique.length, '0'));
        socket.write(after);
        socket.uncork();
      };
      socket.on('connect', send);
      socket.on('error', reject);
      socket.on('close', () => resolve());
      socket.setEncoding('latin1');
      socket.on('data', (chunk: string) => {
        buffered = buffered === '' ? chunk : buffered + chunk;
        const head = buffered.indexOf('\r\n\r\n');
        if (head < 0) return;
        const at = buffered.search(/content-length: /i);
        const length = Number.parseInt(buffered.slice(at + 16, at + 28), 10);
        if (buffered.length < head + 4 + length) return;
        const now = performance.now();
        if (sentAt >= start) {
          if (now <= end) latencies.push(now - sentAt);
          if (!buffered.startsWith('200', 9)) failed++;
        }
        buffered = '';
        send();
      });
    });

  await Promise.all(Array.from({ length: connections }, one));
  const sorted = Float64Array.from(latencies).sort();
  const quantile = (q: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
  return { perSecond: latencies.length / seconds, p50: quantile(0.5), p99: quantile(0.99), failed };
}

interface Payload {
  before: Buffer;
  /** What follows the unique number. */
  after?: Buffer;
}

function partsOf(request: Buffer, unique: string | undefined): Payload {
  const at = unique === undefined ? -1 : request.indexOf(unique);
  if (unique === undefined || at < 0) return { before: request };
  return { before: request.subarray(0, at), after: request.subarray(at + unique.length) };
}

if (process.send && process.argv[1] === import.meta.filename) {
  process.once('message', async (plan) => {
    process.send?.(await run(plan as LoadPlan));
  });
}

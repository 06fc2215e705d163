/** Sends requests at a rate from a process of its own, until it is told to stop. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { atEnd } from '../test/at-end.ts';

const TICK_MS = 5;
const MAX_SOCKETS = 50;

export interface LoadPlan {
  port: number;
  perSecond: number;
  /** Sent in rotation, half of them over connections that stay open. A request that fails is not sent again. */
  requests: { method: string; path: string; token?: string; body?: string }[];
  /** More than one: the processes that serve, in turn. */
  ports?: number[];
  /** A text in bodies that is replaced by the number of the request. */
  unique?: string;
}

export interface LoadResult {
  sent: number;
  seconds: number;
  /** Responses with status 200, by path. */
  succeeded: Record<string, number>;
  /** What else happened, and how often. */
  failed: Record<string, number>;
  /** The numbers of those requests. They may have taken effect. */
  refused: number[];
  /** The longest time in which no request succeeded. */
  longestGapMs: number;
  /** Milliseconds until the response, of those that succeeded. */
  p99: number;
}

/** Starts the load; the function that is returned ends it. */
export function startLoad(plan: LoadPlan): () => Promise<LoadResult> {
  const child = fork(import.meta.filename, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  atEnd(() => child.kill('SIGKILL'));
  child.send(plan);
  return async () => {
    const result = once(child, 'message');
    child.send('stop');
    return (await result)[0] as LoadResult;
  };
}

function run({ port, ports = [port], perSecond, requests, unique }: LoadPlan): () => Promise<LoadResult> {
  const agents = [new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS }), new Agent({ keepAlive: false })];
  const startedAt = performance.now();
  let succeededAt = startedAt;
  const underWay = new Set<Promise<void>>();
  const result: LoadResult = { sent: 0, seconds: 0, succeeded: {}, failed: {}, refused: [], longestGapMs: 0, p99: 0 };
  const latencies: number[] = [];
  const count = (counts: Record<string, number>, what: string) => {
    counts[what] = (counts[what] ?? 0) + 1;
  };

  function send(n: number): Promise<void> {
    const { method, path, token, body: template } = requests[n % requests.length] as LoadPlan['requests'][number];
    const body = unique === undefined ? template : template?.replaceAll(unique, String(n));
    const agent = agents[Math.floor(n / requests.length) % agents.length];
    const headers = {
      ...(token !== undefined && { 'x-api-key': `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    };
    const sentAt = performance.now();
    return new Promise((resolve) => {
      const failed = (reason: string) => {
        count(result.failed, `${reason} for ${path}`);
        result.refused.push(n);
        resolve();
      };
      const sent = httpRequest(
        { host: '127.0.0.1', port: ports[n % ports.length], method, path, agent, headers },
        (response) => {
          response.on('error', (error) => failed(error.message)).resume();
          response.on('end', () => {
            if (response.statusCode !== 200) return failed(`status ${response.statusCode}`);
            count(result.succeeded, path);
            result.longestGapMs = Math.max(result.longestGapMs, performance.now() - succeededAt);
            succeededAt = performance.now();
            latencies.push(succeededAt - sentAt);
            resolve();
          });
        },
      );
      sent.on('error', (error) => failed(error.message)).end(body);
    });
  }

  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedAt) * perSecond) / 1_000);
    while (result.sent < due) {
      const request = send(result.sent++);
      underWay.add(request);
      void request.then(() => underWay.delete(request));
    }
  }, TICK_MS);
  return async () => {
    clearInterval(timer);
    result.seconds = (performance.now() - startedAt) / 1_000;
    await Promise.all(underWay);
    const sorted = Float64Array.from(latencies).sort();
    result.p99 = sorted[Math.floor((sorted.length - 1) * 0.99)] ?? 0;
    return result;
  };
}

if (process.send && process.argv[1] === import.meta.filename) {
  let stop: (() => Promise<LoadResult>) | undefined;
  process.on('message', async (message) => {
    if (message !== 'stop') stop = run(message as LoadPlan);
    else process.send?.(await stop?.(), () => process.exit());
  });
}

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { atEnd } from '../test/at-end.ts';
import { send } from './http-client.ts';
import { type Finding, finding } from './proof.ts';

export interface Latencies {
  /** Milliseconds. */
  p99: number;
  slowest: number;
  failed: number;
}

export interface Health {
  requests: number;
  service: Latencies;
  /** Of a server that does nothing, at the same times: what the machine itself takes. */
  machine: Latencies;
}

export interface HealthWatch {
  /** Ends the watch, and returns what it measured. */
  stop(): Promise<Health>;
}

const EVERY_MS = 20;
const MAX_MS = 250;

/** Requests `/health`, and a server that does nothing, all the time, from a process of its own. */
export async function watchHealth(port: number): Promise<HealthWatch> {
  const start = async (message: Message): Promise<[ChildProcess, unknown]> => {
    const child = fork(import.meta.filename, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    atEnd(() => child.kill());
    child.send(message);
    return [child, (await once(child, 'message'))[0]];
  };
  const [bare, barePort] = await start({ task: 'serve' });
  const [watcher] = await start({ task: 'watch', ports: [port, Number(barePort)] });
  return {
    async stop() {
      watcher.send('stop');
      const [health] = await once(watcher, 'message');
      watcher.kill();
      bare.kill();
      return health as Health;
    },
  };
}

export function healthFinding({ requests, service, machine }: Health): Finding {
  const hasPassed = service.failed === 0 && service.slowest < Math.max(MAX_MS, machine.slowest + MAX_MS);
  const figure = `${requests} requests: p99 ${service.p99} ms, slowest ${service.slowest} ms, ${service.failed} failed; a server that does nothing: p99 ${machine.p99} ms, slowest ${machine.slowest} ms`;
  return finding(`/health responds within ${MAX_MS} ms, as far as the machine allows`, figure, hasPassed);
}

type Message = { task: 'serve' } | { task: 'watch'; ports: number[] };

function serve(): void {
  const server = http.createServer((_request, response) => response.end('ok'));
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}

async function watch(ports: number[]): Promise<void> {
  let isStopped = false;
  process.once('message', () => {
    isStopped = true;
  });
  const measured = ports.map(async (port): Promise<{ count: number; latencies: Latencies }> => {
    const all: number[] = [];
    let failed = 0;
    while (!isStopped) {
      const start = performance.now();
      const status = await send(port, { method: 'GET', path: '/health' }).then(
        (response) => response.status,
        () => 0,
      );
      if (status !== 200) failed++;
      all.push(performance.now() - start);
      await sleep(EVERY_MS);
    }
    const sorted = Float64Array.from(all).sort();
    const at = (quantile: number) => Math.round(sorted[Math.floor((sorted.length - 1) * quantile)] ?? 0);
    return { count: sorted.length, latencies: { p99: at(0.99), slowest: at(1), failed } };
  });
  process.send?.('started');
  const [service, machine] = await Promise.all(measured);
  if (!service || !machine) return;
  process.send?.({ requests: service.count, service: service.latencies, machine: machine.latencies } satisfies Health);
}

if (process.send && process.argv[1] === import.meta.filename) {
  process.once('disconnect', () => process.exit());
  process.once('message', (message: Message) => {
    if (message.task === 'serve') serve();
    else void watch(message.ports);
  });
}

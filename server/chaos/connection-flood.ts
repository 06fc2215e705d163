/** A process that opens many connections, from several addresses of this machine, and keeps them open. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { atEnd } from '../test/at-end.ts';

export interface FloodPlan {
  port: number;
  /** The last number of 127.0.0.x. */
  address: number;
  sockets: number;
  /** `drip` sends a request byte by byte, `idle` sends nothing. */
  type: 'drip' | 'idle';
}

export interface Flood {
  /** How many connections are open. */
  open(): Promise<number>;
  stop(): void;
}

const DRIP_MS = 1_000;
const REQUEST = `POST /v1/events HTTP/1.1\r\nhost: headwater.test\r\ncontent-type: application/json\r\ncontent-length: 10000\r\n\r\n`;

/** Connections that the service closes are opened again. */
export async function startFlood(plan: FloodPlan): Promise<Flood> {
  const child = fork(import.meta.filename, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const stop = () => {
    child.kill('SIGKILL');
  };
  atEnd(stop);
  child.send(plan);
  await once(child, 'message');
  return {
    async open() {
      child.send('count');
      const [count] = await once(child, 'message');
      return Number(count);
    },
    stop,
  };
}

function flood({ port, address, sockets, type }: FloodPlan): void {
  const open = new Map<net.Socket, number>();
  const connect = () => {
    const socket = net.connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${address}` });
    socket.on('connect', () => open.set(socket, 0));
    socket.on('error', () => {});
    socket.on('data', () => {});
    socket.on('close', () => {
      open.delete(socket);
      setTimeout(connect, 1_000 + Math.random() * 1_000);
    });
  };
  // In steps, so that the queue of the system for new connections holds them.
  let started = 0;
  const starting = setInterval(() => {
    for (let i = 0; i < 100 && started < sockets; i++, started++) connect();
    if (started < sockets) return;
    clearInterval(starting);
    process.send?.('started');
  }, 20);
  if (type === 'drip') {
    setInterval(() => {
      for (const [socket, sent] of open) {
        socket.write(REQUEST[sent] ?? 'x');
        open.set(socket, sent + 1);
      }
    }, DRIP_MS);
  }
  process.on('message', () => process.send?.(open.size));
}

if (process.send && process.argv[1] === import.meta.filename) {
  process.once('disconnect', () => process.exit());
  process.once('message', (plan: FloodPlan) => flood(plan));
}

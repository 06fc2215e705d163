import net from 'node:net';
import type { Furnished } from '../../test/furnished-account.ts';
import { type Received, type Sent, send } from '../http-client.ts';

/** A connection refused or reset in the middle of an absurd request is a refusal as well. */
const CLOSED = new Set(['ECONNRESET', 'EPIPE', 'ECONNREFUSED', 'HPE_INVALID_CONSTANT']);

/** What an attack sends. */
export interface Attack {
  name: string;
  run(target: Target): Promise<void>;
}

/** Where an attack goes. */
export class Target {
  readonly port: number;
  readonly account: Furnished;
  /** Responses by status, and what must not be. */
  readonly statuses = new Map<number | 'closed', number>();

  constructor(port: number, account: Furnished) {
    this.port = port;
    this.account = account;
  }

  get token(): Record<string, string> {
    return { 'x-api-key': `Bearer ${this.account.token}` };
  }

  async send(sent: Sent): Promise<Received | undefined> {
    try {
      const received = await send(this.port, sent);
      this.#count(received.status);
      return received;
    } catch (error) {
      if (!CLOSED.has((error as { code?: string }).code ?? '')) throw error;
      this.#count('closed');
      return undefined;
    }
  }

  /** Writes bytes to a connection of its own, as fast as they are read, until the service closes it or `untilBytes` were received. */
  raw(chunks: Iterable<string | Buffer>, { reads = true, untilBytes = 1, waitMs = 20_000 } = {}): Promise<void> {
    return new Promise((resolve) => {
      const socket = net.connect({ port: this.port, host: '127.0.0.1' });
      const late = setTimeout(() => socket.destroy(), waitMs);
      let received = 0;
      if (reads) {
        socket.on('data', (chunk: Buffer) => {
          if (received === 0) this.#count(Number(chunk.toString('latin1', 9, 12)));
          received += chunk.length;
          if (received >= untilBytes) socket.destroy();
        });
      } else socket.pause();
      socket.on('error', () => {});
      socket.on('close', () => {
        clearTimeout(late);
        resolve();
      });
      void write(socket, chunks);
    });
  }

  #count(status: number | 'closed'): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
  }
}

async function write(socket: net.Socket, chunks: Iterable<string | Buffer>): Promise<void> {
  for (const chunk of chunks) {
    if (socket.destroyed) return;
    if (socket.write(chunk)) continue;
    await new Promise<void>((resolve) => {
      socket.once('drain', resolve).once('close', resolve);
    });
  }
}

/** An attack that sends requests, `times` each and all at once. */
export function requests(name: string, make: (target: Target) => Sent[] | Sent, times = 1): Attack {
  return {
    name,
    async run(target) {
      const all = [make(target)].flat();
      for (const sent of all) await Promise.all(Array.from({ length: times }, () => target.send(sent)));
    },
  };
}

export const JSON_BODY = { 'content-type': 'application/json' };
export const MEGABYTE = 1_048_576;

/** `text` as often as fits into `length` characters. */
export const fill = (text: string, length = MEGABYTE - 1_000): string => text.repeat(Math.floor(length / text.length));
export const many = <Item>(count: number, item: (i: number) => Item): Item[] =>
  Array.from({ length: count }, (_, i) => item(i));

export const post = (path: string, body: unknown, headers: Record<string, string> = {}): Sent => ({
  method: 'POST',
  path,
  headers: { ...JSON_BODY, ...headers },
  body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
});

export const get = (path: string, headers: Record<string, string> = {}): Sent => ({ method: 'GET', path, headers });

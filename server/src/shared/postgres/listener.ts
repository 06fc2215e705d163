import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '../log.ts';
import { type Database, terminate } from './database.ts';

/** The application name of the connection of each process that listens to the control database. */
export const LISTENER_NAME = 'headwater-listener';

const RECONNECT_MS = 250;
const HEARTBEAT_MS = 1_000;

/** How long after the last answer of its connection a process may assume that it receives every notification. */
export const HEARTBEAT_TTL_MS = 2_500;

type Handler = (payload: string, processId: number) => void;

/**
 * The one connection of a process that listens for notifications. It is opened again when it is lost; a notification sent
 * meanwhile is missed, so subscribers either poll as well or check `isLive` and discard what they have cached.
 */
export class Listener {
  readonly #db: Database;
  readonly #log: Logger;
  readonly #name: string;
  readonly #handlers = new Map<string, Handler>();
  readonly #onInterruption: (() => void)[] = [];
  #client: pg.Client | undefined;
  /** A connection has no queue of statements of its own. */
  #turn: Promise<unknown> = Promise.resolve();
  /** By the monotonic clock, when the latest heartbeat that was answered was sent. */
  #liveAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** @param name the application name of its connection */
  constructor(db: Database, log: Logger, name = LISTENER_NAME) {
    this.#db = db;
    this.#log = log;
    this.#name = name;
  }

  /** Subscribes to a channel, before `start`. The handler also receives the id of this connection's server process. */
  subscribe(channel: string, handler: Handler): void {
    this.#handlers.set(channel, handler);
  }

  /** Calls `handler` when notifications may have been missed: after each connect and each loss of the connection. */
  onInterruption(handler: () => void): void {
    this.#onInterruption.push(handler);
  }

  /** Whether every notification sent until now has arrived or will. */
  get isLive(): boolean {
    return performance.now() - this.#liveAt < HEARTBEAT_TTL_MS;
  }

  async start(): Promise<void> {
    this.#timer = setInterval(() => void this.#beat(), HEARTBEAT_MS).unref();
    await this.#connect();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#client?.end().catch(() => {});
  }

  /** Sends a notification over the same connection, without a promise that it arrives. */
  notify(channel: string, payload: string): void {
    const client = this.#client;
    if (client) this.#inTurn(() => client.query('select pg_notify($1, $2)', [channel, payload])).catch(() => {});
  }

  async #connect(): Promise<void> {
    try {
      const client = await this.#db.connect(this.#name);
      this.#client = client;
      const { processID = 0 } = client as pg.Client & { processID?: number };
      client.on('notification', ({ channel, payload = '' }) => this.#handlers.get(channel)?.(payload, processID));
      client.once('end', () => this.#reconnect());
      if (this.#isClosed) return await client.end();
      const sentAt = performance.now();
      await client.query([...this.#handlers.keys()].map((channel) => `listen ${channel}`).join(';'));
      this.#interrupted();
      this.#liveAt = sentAt;
    } catch (error) {
      this.#log.debug({ err: error }, 'cannot listen for notifications; trying again');
      if (this.#client) this.#client.end().catch(() => {});
      else this.#reconnect();
    }
  }

  #reconnect(): void {
    this.#client = undefined;
    this.#liveAt = Number.NEGATIVE_INFINITY;
    this.#interrupted();
    if (!this.#isClosed) setTimeout(() => void this.#connect(), RECONNECT_MS).unref();
  }

  #interrupted(): void {
    for (const handler of this.#onInterruption) handler();
  }

  async #beat(): Promise<void> {
    const client = this.#client;
    if (!client || this.#liveAt === Number.NEGATIVE_INFINITY) return;
    const sentAt = performance.now();
    const late = sleep(HEARTBEAT_TTL_MS, 'late', { ref: false });
    const answer = await Promise.race([this.#inTurn(() => client.query('select 1')).catch(() => 'failed'), late]);
    if (client !== this.#client) return;
    if (typeof answer === 'object') this.#liveAt = sentAt;
    // A connection through a network that swallows everything does not end by itself.
    else terminate(client);
  }

  #inTurn<T>(query: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(query);
    this.#turn = result.catch(() => {});
    return result;
  }
}

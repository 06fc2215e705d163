import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '../log.ts';
import { type Database, terminate } from './database.ts';

const RECONNECT_MS = 1_000;
const HEARTBEAT_MS = 5_000;
const HEARTBEAT_TIMEOUT_MS = 5_000;

/**
 * Locks that exclude other processes for as long as this one lives: advisory locks on a connection of their own. The
 * database releases them as soon as the process dies. They are lost with the connection, so what they protect must bear
 * that two processes hold one for a moment.
 */
export class SessionLocks {
  readonly #db: Database;
  readonly #log: Logger;
  readonly #name: string;
  readonly #held = new Map<string, AbortController>();
  #client: pg.Client | undefined;
  #connecting: Promise<void> | undefined;
  #retryAt = 0;
  #timer: NodeJS.Timeout | undefined;
  /** A connection has no queue of statements of its own. */
  #turn: Promise<unknown> = Promise.resolve();

  /** @param name the `application_name` of the connection, and what separates these locks from others */
  constructor(db: Database, log: Logger, name: string) {
    this.#db = db;
    this.#log = log;
    this.#name = name;
  }

  /** Acquires a lock unless another process holds it. Returns a signal that aborts when it is lost. */
  async tryAcquire(key: string): Promise<AbortSignal | undefined> {
    if (this.#held.has(key)) return undefined;
    await this.#connect();
    const client = this.#client;
    if (client === undefined) return undefined;
    const lost = new AbortController();
    this.#held.set(key, lost);
    const isAcquired = await this.#query(client, 'select pg_try_advisory_lock(hashtextextended($1, 0)) as acquired', [
      `${this.#name} ${key}`,
    ])
      .then(({ rows }) => rows[0]?.acquired === true)
      .catch(() => false);
    if (isAcquired && client === this.#client) return lost.signal;
    this.#held.delete(key);
    return undefined;
  }

  async release(key: string): Promise<void> {
    const client = this.#client;
    if (!this.#held.delete(key) || client === undefined) return;
    const text = 'select pg_advisory_unlock(hashtextextended($1, 0))';
    await this.#query(client, text, [`${this.#name} ${key}`]).catch(() => {});
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#retryAt = Number.POSITIVE_INFINITY;
    await this.#connecting;
    await this.#client?.end().catch(() => {});
  }

  #connect(): Promise<void> {
    if (this.#client !== undefined || performance.now() < this.#retryAt) return Promise.resolve();
    this.#connecting ??= this.#open().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  async #open(): Promise<void> {
    try {
      const client = await this.#db.connect(this.#name);
      client.once('end', () => this.#lose(client));
      this.#client = client;
      this.#timer ??= setInterval(() => void this.#beat(), HEARTBEAT_MS).unref();
    } catch (error) {
      this.#retryAt = performance.now() + RECONNECT_MS;
      this.#log.debug({ err: error }, 'cannot open a connection for locks; trying again');
    }
  }

  #lose(client: pg.Client): void {
    if (client !== this.#client) return;
    this.#client = undefined;
    for (const lost of this.#held.values()) lost.abort(new Error('the connection of the lock was lost'));
    this.#held.clear();
  }

  /** A connection through a network that swallows everything does not end by itself. */
  async #beat(): Promise<void> {
    const client = this.#client;
    if (client === undefined) return;
    const late = sleep(HEARTBEAT_TIMEOUT_MS, 'late' as const, { ref: false });
    const answer = await Promise.race([this.#query(client, 'select 1', []).catch(() => 'failed' as const), late]);
    if (typeof answer === 'string' && client === this.#client) terminate(client);
  }

  #query(client: pg.Client, text: string, values: string[]): Promise<pg.QueryResult> {
    const result = this.#turn.then(() => client.query(text, values));
    this.#turn = result.catch(() => {});
    return result;
  }
}

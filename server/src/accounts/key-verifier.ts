import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '../shared/log.ts';
import type { Database, Tx } from '../shared/postgres/database.ts';
import { type Clock, systemClock } from '../shared/time.ts';
import { hashKey, type KeyKind, kindOfKey } from './key-format.ts';
import { findKeyByHash, type KeyRow, listListeners, revokeKey, touchKeys } from './queries.ts';

/** A key that makes a request. */
export interface KeyCaller {
  accountId: string;
  keyId: string;
  kind: KeyKind;
}

const LISTENER = 'headwater-listener';
const REVOKED = 'headwater_key_revoked';
const HEARD = 'headwater_key_heard';
const REMEMBER_MS = 10_000;
const TOUCH_MS = 10_000;
const RECONNECT_MS = 250;

/** How often a process looks whether its listener still hears, and for how long after that it believes it does. */
const BEAT_MS = 1_000;
const BELIEVE_MS = 2_500;

interface Remembered {
  caller: KeyCaller;
  until: number;
}

/**
 * Tells whose a key is, without a query for one that was just checked.
 *
 * A verdict is remembered for 10 s, and only while this process hears of revocations (LISTEN). Whoever revokes a key
 * waits until every listening process has confirmed that it forgot it, so a revoked key is refused by all of them from
 * the moment the revocation returns. A process that lost its listener asks the database each time; one that does not
 * know it yet (a network that swallows everything) notices within 2.5 s, as long as the revocation waits for it.
 */
export class KeyVerifier {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #remembered = new Map<string, Remembered>();
  readonly #used = new Map<string, number>();
  #listener: pg.Client | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  /** When the last question that the listener's connection answered was put. Not the clock: it must not be set back. */
  #heardAt = Number.NEGATIVE_INFINITY;
  #generation = 0;
  #closed = false;
  readonly #timers: NodeJS.Timeout[];

  constructor(db: Database, log: Logger, clock: Clock = systemClock) {
    this.#db = db;
    this.#log = log;
    this.#clock = clock;
    this.#timers = [
      setInterval(() => void this.#recordUse(), TOUCH_MS).unref(),
      setInterval(() => void this.#beat(), BEAT_MS).unref(),
    ];
  }

  /** Begins to listen for revocations. */
  async start(): Promise<void> {
    await this.#listen();
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const timer of this.#timers) clearInterval(timer);
    await this.#recordUse();
    await this.#listener?.end().catch(() => {});
  }

  /** The caller, at once, where the key is remembered; undefined says nothing: ask `verify`. */
  recall(key: string): KeyCaller | undefined {
    const known = this.#remembered.get(key);
    if (known === undefined || !this.#hears()) return undefined;
    const now = this.#clock();
    if (known.until <= now) {
      this.#remembered.delete(key);
      return undefined;
    }
    this.#used.set(known.caller.keyId, now);
    return known.caller;
  }

  /** The caller that a key names; undefined for a mistyped, unknown or revoked one. */
  async verify(key: string): Promise<KeyCaller | undefined> {
    const recalled = this.recall(key);
    if (recalled) return recalled;
    if (kindOfKey(key) === undefined) return undefined;
    const generation = this.#generation;
    const [row] = await findKeyByHash(this.#db, hashKey(key));
    if (!row) return undefined;
    const caller: KeyCaller = { accountId: row.account_id, keyId: row.id, kind: row.kind };
    const now = this.#clock();
    this.#used.set(row.id, now);
    // A revocation that was heard while the query ran may be newer than what the query saw.
    if (this.#hears() && generation === this.#generation) {
      if (this.#remembered.size >= 10_000) this.#remembered.clear();
      this.#remembered.set(key, { caller, until: now + REMEMBER_MS });
    }
    return caller;
  }

  #hears(): boolean {
    return performance.now() - this.#heardAt < BELIEVE_MS;
  }

  async #listen(): Promise<void> {
    try {
      const client = await this.#db.connect(LISTENER);
      this.#listener = client;
      client.on('notification', (message) => this.#heard(client, message.payload ?? ''));
      client.once('end', () => this.#lost());
      if (this.#closed) return await client.end();
      const askedAt = performance.now();
      await client.query(`listen ${REVOKED}`);
      this.#forgetAll();
      this.#heardAt = askedAt;
    } catch (error) {
      this.#log.debug({ err: error }, 'not listening for revoked keys; asking the database each time');
      if (this.#listener) this.#listener.end().catch(() => {});
      else this.#lost();
    }
  }

  #lost(): void {
    this.#listener = undefined;
    this.#heardAt = Number.NEGATIVE_INFINITY;
    this.#forgetAll();
    if (!this.#closed) setTimeout(() => void this.#listen(), RECONNECT_MS).unref();
  }

  async #beat(): Promise<void> {
    const client = this.#listener;
    if (!client || this.#heardAt === Number.NEGATIVE_INFINITY) return;
    const askedAt = performance.now();
    try {
      await this.#inTurn(() => client.query({ text: 'select 1', query_timeout: BELIEVE_MS } as pg.QueryConfig));
      if (client === this.#listener) this.#heardAt = askedAt;
    } catch {
      // A connection that answers nothing does not end by itself.
      (client as unknown as { connection: { stream: Duplex } }).connection.stream.destroy();
    }
  }

  #heard(client: pg.Client, payload: string): void {
    const [keyId = '', answerTo = ''] = payload.split(' ');
    this.#generation++;
    for (const [key, { caller }] of this.#remembered) if (caller.keyId === keyId) this.#remembered.delete(key);
    const pid = (client as unknown as { processID: number }).processID;
    const confirmation = [HEARD, `${answerTo} ${pid}`];
    this.#inTurn(() => client.query('select pg_notify($1, $2)', confirmation)).catch(() => {});
  }

  /** One statement at a time: a connection has no queue of its own. */
  #inTurn<T>(ask: () => Promise<T>): Promise<T> {
    const answer = this.#turn.then(ask);
    this.#turn = answer.catch(() => {});
    return answer;
  }

  #forgetAll(): void {
    this.#generation++;
    this.#remembered.clear();
  }

  async #recordUse(): Promise<void> {
    if (this.#used.size === 0) return;
    // In one order everywhere, so that processes which share a key do not lock each other out.
    const used = [...this.#used].sort(([a], [b]) => (a < b ? -1 : 1));
    this.#used.clear();
    try {
      await touchKeys(
        this.#db,
        used.map(([id]) => id),
        used.map(([, at]) => new Date(at)),
      );
    } catch (error) {
      for (const [id, at] of used) if (!this.#used.has(id)) this.#used.set(id, at);
      this.#log.debug({ err: error }, 'the last use of keys was not recorded; the next time does it');
    }
  }
}

/**
 * Revokes a key, tells every process to forget it, and waits until each that listens has. One that is cut off from the
 * database does not believe its memory any more by the time this returns.
 * @param record what is written down in the same transaction
 * @returns the key, or undefined where there is none
 */
export async function revokeEverywhere(
  db: Database,
  keyId: string,
  record: (tx: Tx) => Promise<void>,
): Promise<KeyRow | undefined> {
  const client = await db.connect('headwater-command');
  try {
    const answerTo = randomUUID();
    const confirmed = new Set<number>();
    let look = () => {};
    client.on('notification', ({ payload = '' }) => {
      const [id, pid] = payload.split(' ');
      if (id === answerTo) confirmed.add(Number(pid));
      look();
    });
    await client.query(`listen ${HEARD}`);
    // Revoked and told in one transaction: there is no moment between at which this process could die.
    await client.query('begin');
    const [row] = await revokeKey(client, keyId, REVOKED, `${keyId} ${answerTo}`);
    if (row) await record(client);
    await client.query('commit');
    if (!row) return undefined;
    const listening = await listListeners(client, LISTENER);
    const all = new Promise<void>((resolve) => {
      look = () => {
        if (listening.every(({ pid }) => confirmed.has(pid))) resolve();
      };
    });
    look();
    await Promise.race([all, sleep(BELIEVE_MS, undefined, { ref: false })]);
    return row;
  } finally {
    await client.end();
  }
}

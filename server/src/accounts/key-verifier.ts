import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from '../shared/log.ts';
import type { Database } from '../shared/postgres/database.ts';
import { type Clock, systemClock } from '../shared/time.ts';
import { hashKey, type KeyKind, kindOfKey } from './key-format.ts';
import { findKeyByHash, touchKeys } from './queries.ts';

/** Who makes a request. */
export interface Caller {
  accountId: string;
  keyId: string;
  kind: KeyKind;
}

const LISTENER = 'headwater-listener';
const REVOKED = 'headwater_key_revoked';
const HEARD = 'headwater_key_heard';
const REMEMBER_MS = 10_000;
const TOUCH_MS = 10_000;
const HEAR_WITHIN_MS = 2_000;
const RECONNECT_MS = 250;

interface Remembered {
  caller: Caller;
  until: number;
}

/**
 * Tells whose a key is, without a query for one that was just checked.
 *
 * A verdict is remembered for 10 s, and only while this process hears of revocations (LISTEN). Whoever revokes a key
 * waits until every listening process has confirmed that it forgot it, so a revoked key is refused by all of them from
 * the moment the revocation returns. Without its listener a process asks the database each time.
 */
export class KeyVerifier {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #remembered = new Map<string, Remembered>();
  readonly #used = new Map<string, number>();
  #listener: pg.Client | undefined;
  #listening = false;
  #generation = 0;
  #closed = false;
  readonly #flush: NodeJS.Timeout;

  constructor(db: Database, log: Logger, clock: Clock = systemClock) {
    this.#db = db;
    this.#log = log;
    this.#clock = clock;
    this.#flush = setInterval(() => void this.#recordUse(), TOUCH_MS);
    this.#flush.unref();
  }

  /** Begins to listen for revocations. */
  async start(): Promise<void> {
    await this.#listen();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#flush);
    await this.#recordUse();
    await this.#listener?.end().catch(() => {});
  }

  /** The caller, at once, where the key is remembered; undefined says nothing: ask `verify`. */
  recall(key: string): Caller | undefined {
    const known = this.#remembered.get(key);
    if (known === undefined || !this.#listening) return undefined;
    const now = this.#clock();
    if (known.until <= now) {
      this.#remembered.delete(key);
      return undefined;
    }
    this.#used.set(known.caller.keyId, now);
    return known.caller;
  }

  /** The caller that a key names; undefined for a mistyped, unknown or revoked one. */
  async verify(key: string): Promise<Caller | undefined> {
    const recalled = this.recall(key);
    if (recalled) return recalled;
    if (kindOfKey(key) === undefined) return undefined;
    const generation = this.#generation;
    const [row] = await findKeyByHash(this.#db, hashKey(key));
    if (!row) return undefined;
    const caller: Caller = { accountId: row.account_id, keyId: row.id, kind: row.kind };
    const now = this.#clock();
    this.#used.set(row.id, now);
    // A revocation that was heard while the query ran may be newer than what the query saw.
    if (this.#listening && generation === this.#generation) {
      if (this.#remembered.size >= 10_000) this.#remembered.clear();
      this.#remembered.set(key, { caller, until: now + REMEMBER_MS });
    }
    return caller;
  }

  async #listen(): Promise<void> {
    if (this.#closed) return;
    try {
      const client = await this.#db.connect(LISTENER);
      this.#listener = client;
      client.on('notification', (message) => this.#heard(client, message.payload ?? ''));
      client.once('end', () => {
        this.#listening = false;
        this.#forgetAll();
        this.#retry();
      });
      await client.query(`listen ${REVOKED}`);
      this.#forgetAll();
      this.#listening = true;
    } catch (error) {
      this.#log.debug({ err: error }, 'not listening for revoked keys; asking the database each time');
      this.#retry();
    }
  }

  #retry(): void {
    if (!this.#closed) setTimeout(() => void this.#listen(), RECONNECT_MS).unref();
  }

  #heard(client: pg.Client, payload: string): void {
    const [keyId = '', answerTo = ''] = payload.split(' ');
    this.#generation++;
    for (const [key, { caller }] of this.#remembered) if (caller.keyId === keyId) this.#remembered.delete(key);
    const pid = (client as unknown as { processID: number }).processID;
    client.query('select pg_notify($1, $2)', [HEARD, `${answerTo} ${pid}`]).catch(() => {});
  }

  #forgetAll(): void {
    this.#generation++;
    this.#remembered.clear();
  }

  async #recordUse(): Promise<void> {
    if (this.#used.size === 0) return;
    const used = [...this.#used];
    this.#used.clear();
    try {
      await touchKeys(
        this.#db,
        used.map(([id]) => id),
        used.map(([, at]) => new Date(at)),
      );
    } catch (error) {
      this.#log.warn({ err: error }, 'the last use of keys was not recorded');
    }
  }
}

/** Tells every process to forget a key, and waits until each that listens has (2 s at the most). */
export async function announceRevocation(db: Database, keyId: string): Promise<void> {
  const client = await db.connect('headwater-command');
  try {
    const id = randomUUID();
    const { rows } = await client.query(
      `select pid from pg_stat_activity
       where datname = current_database() and application_name = $1`,
      [LISTENER],
    );
    const waiting = new Set<number>(rows.map((row) => row.pid));
    let finished = () => {};
    const all = new Promise<void>((resolve) => {
      finished = resolve;
    });
    client.on('notification', ({ payload = '' }) => {
      const [answerTo, pid] = payload.split(' ');
      if (answerTo === id) waiting.delete(Number(pid));
      if (waiting.size === 0) finished();
    });
    await client.query(`listen ${HEARD}`);
    await client.query('select pg_notify($1, $2)', [REVOKED, `${keyId} ${id}`]);
    if (waiting.size === 0) return;
    const timer = setTimeout(finished, HEAR_WITHIN_MS);
    await all;
    clearTimeout(timer);
  } finally {
    await client.end();
  }
}

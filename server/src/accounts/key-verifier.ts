import { setTimeout as sleep } from 'node:timers/promises';
import { addressFilter } from '../shared/addresses.ts';
import type { Logger } from '../shared/log.ts';
import { newCache } from '../shared/lru-cache.ts';
import { MAIN } from '../shared/main-cell.ts';
import type { ControlDatabase } from '../shared/postgres/database.ts';
import { isConnectionError } from '../shared/postgres/database-errors.ts';
import type { Listener } from '../shared/postgres/listener.ts';
import { INGEST, runAs } from '../shared/postgres/work.ts';
import { type Clock, systemClock } from '../shared/time.ts';
import { type WorkerLoop, workerLoop } from '../shared/worker-loop.ts';
import { hashKey, type KeyType, typeOfKey } from './key-format.ts';
import { findKeyByHash, findRevokedKeys, touchKeys } from './queries.ts';
import { ACCOUNT_MOVED, KEY_FORGOTTEN, KEY_REVOKED } from './revoke-everywhere.ts';
import { accessOf, type RoleAccess } from './roles/access.ts';

/** An API key that makes a request. */
export interface KeyCaller {
  accountId: string;
  /** Where the account's data is. */
  cell: string;
  keyId: string;
  /** `upload`: an upload token, whose UUID is `keyId`. */
  type: KeyType | 'upload';
  /** Milliseconds since 1970. */
  expiresAt?: number;
  /** Whether an IP address may use it; absent: all. */
  isAllowed?: (address: string) => boolean;
  /** Of a secret token that may not do everything. */
  role?: 'editor' | 'viewer' | 'custom';
  /** With a role that the account defines: what it may do. */
  access?: RoleAccess;
}

const CACHE_MS = 10_000;
const TOUCH_MS = 10_000;

/**
 * For how long keys that were verified before are accepted while the control database is unavailable. Only those of other
 * cells: the main one is unavailable with it. No key can be revoked during that time, unless only this process is cut off.
 */
const OUTAGE_MS = 300_000;
/** How long a request waits for the control database before it relies on that. */
const OUTAGE_PATIENCE_MS = 700;
const OUTAGE_RETRY_MS = 1_000;

interface KnownKey {
  caller: KeyCaller;
  verifiedAt: number;
  /** The latest interruption when it was verified: one that came later may have hidden its revocation. */
  interruption: number;
}

/**
 * Verifies keys, without a query for one that was verified in the last 10 s.
 *
 * A verified key is cached only while this process receives revocations. Revoking a key waits until every listening
 * process has confirmed that it dropped the key, so all of them refuse it from the moment the revocation returns. A process
 * that lost its listener queries the database each time; one that does not know it yet (a network that swallows everything)
 * notices within the 2.5 s for which the revocation waits.
 *
 * While the control database is unavailable, keys of other cells that were verified before are accepted for five minutes.
 */
export class KeyVerifier {
  readonly #control: ControlDatabase;
  readonly #listener: Listener;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #cache = newCache<KnownKey>(10_000);
  readonly #lastUses = new Map<string, number>();
  readonly #touching: WorkerLoop;
  /** Counts revocations, so that a query that ran while one arrived is not cached. */
  #generation = 0;
  #interruption = 0;
  /** By the monotonic clock: until then the control database is taken to be away. */
  #awayUntil = Number.NEGATIVE_INFINITY;

  constructor(control: ControlDatabase, listener: Listener, log: Logger, clock: Clock = systemClock) {
    this.#control = control;
    this.#listener = listener;
    this.#log = log;
    this.#clock = clock;
    this.#touching = workerLoop({
      name: 'record the last use of keys',
      log,
      everyMs: TOUCH_MS,
      run: () => this.#recordLastUses(),
    });
    listener.onInterruption(() => {
      this.#generation++;
      this.#interruption++;
      this.#awayUntil = Number.NEGATIVE_INFINITY;
      void this.#dropRevoked();
    });
    listener.subscribe(ACCOUNT_MOVED, (accountId) => {
      this.#generation++;
      for (const [key, { caller }] of this.#cache) if (caller.accountId === accountId) this.#cache.delete(key);
    });
    listener.subscribe(KEY_REVOKED, (payload, processId) => {
      const [id = '', confirmTo = ''] = payload.split(' ');
      this.#generation++;
      this.#drop(new Set([id]));
      listener.notify(KEY_FORGOTTEN, `${confirmTo} ${processId}`);
    });
  }

  start(): void {
    this.#touching.start();
  }

  async stop(): Promise<void> {
    await this.#touching.stop();
    await this.#recordLastUses();
  }

  /** The caller of a cached key, without waiting. Undefined says nothing: call `verify`. */
  cached(key: string): KeyCaller | undefined {
    const known = this.#cache.get(key);
    if (known === undefined || !this.#listener.isLive) return undefined;
    const now = this.#clock();
    if (known.interruption !== this.#interruption || known.verifiedAt + CACHE_MS <= now) return undefined;
    this.#lastUses.set(known.caller.keyId, now);
    return known.caller;
  }

  /** The caller of a key; undefined for a mistyped, unknown or revoked one. */
  async verify(key: string): Promise<KeyCaller | undefined> {
    const cached = this.cached(key);
    if (cached) return cached;
    if (typeOfKey(key) === undefined) return undefined;
    const generation = this.#generation;
    const row = await this.#find(key);
    if (row === undefined) {
      this.#cache.delete(key);
      return undefined;
    }
    if ('accountId' in row) return row;
    const { expires_at, allowed_addresses, role } = row;
    const access = accessOf(row, ['key', row.id]);
    // A role that cannot be read grants nothing.
    if (role === 'custom' && !access) return undefined;
    const caller: KeyCaller = {
      ...{ accountId: row.account_id, cell: row.cell, keyId: row.id, type: row.type },
      ...(expires_at && { expiresAt: expires_at.getTime() }),
      ...(allowed_addresses && { isAllowed: addressFilter(allowed_addresses) }),
      ...(role && { role }),
      ...(access && { access }),
    };
    const now = this.#clock();
    this.#lastUses.set(row.id, now);
    if (this.#listener.isLive && generation === this.#generation) {
      this.#cache.set(key, { caller, verifiedAt: now, interruption: this.#interruption });
    }
    return caller;
  }

  /** Reads a key; while the control database is unavailable, returns the caller that is known. */
  async #find(key: string) {
    const find = () => findKeyByHash(this.#control, { hash: hashKey(key) });
    const query = () => runAs(INGEST, find).then(([row]) => row);
    const known = this.#cache.get(key);
    const isUsable = known && known.caller.cell !== MAIN && known.verifiedAt + OUTAGE_MS > this.#clock();
    if (!isUsable) return query();
    if (performance.now() < this.#awayUntil) return known.caller;
    const found = query().catch((error: unknown) => {
      if (!isConnectionError(error)) throw error;
      return 'away' as const;
    });
    const patience = sleep(OUTAGE_PATIENCE_MS, 'late' as const, { ref: false });
    const first = await Promise.race([found, patience]);
    const isAway = first === 'away' || (first === 'late' && !(await this.#control.isAlive()));
    if (isAway) {
      this.#awayUntil = performance.now() + OUTAGE_RETRY_MS;
      return known.caller;
    }
    const row = first === 'late' ? await found : first;
    return row === 'away' ? known.caller : row;
  }

  /** @param ids of keys, or of roles whose keys are to be read again */
  #drop(ids: ReadonlySet<string>): void {
    for (const [key, { caller }] of this.#cache) {
      if (ids.has(caller.keyId) || (caller.access && ids.has(caller.access.roleId))) this.#cache.delete(key);
    }
  }

  /** Keys that were revoked while this process did not listen: the next outage must not find them here. */
  async #dropRevoked(): Promise<void> {
    const ids = new Set([...this.#cache.values()].map(({ caller }) => caller.keyId));
    if (ids.size === 0) return;
    try {
      this.#drop(new Set((await findRevokedKeys(this.#control, { ids: [...ids] })).map(({ id }) => id)));
    } catch (error) {
      this.#log.debug({ err: error }, 'revoked keys could not be read; each is checked when it is used');
    }
  }

  async #recordLastUses(): Promise<void> {
    if (this.#lastUses.size === 0) return;
    // In the same order in every process, so that two that share keys do not deadlock.
    const used = [...this.#lastUses].sort(([a], [b]) => (a < b ? -1 : 1));
    this.#lastUses.clear();
    try {
      await touchKeys(this.#control, { used: used.map(([id, at]) => ({ id, used_at: new Date(at) })) });
    } catch (error) {
      for (const [id, at] of used) if (!this.#lastUses.has(id)) this.#lastUses.set(id, at);
      this.#log.debug({ err: error }, 'the last use of keys was not recorded; it will be retried');
    }
  }
}

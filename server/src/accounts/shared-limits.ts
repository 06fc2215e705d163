import { createHmac } from 'node:crypto';
import type { Deps, Worker } from '../shared/deps.ts';
import { DEMAND_MS, type KeyUse, type TokenBuckets } from '../shared/http/rate-limit.ts';
import type { Peers } from '../shared/peers.ts';
import { controlStatement, rows } from '../shared/postgres/statement.ts';
import { MINUTE } from '../shared/units.ts';

/** After keys were used that were exchanged before. */
const EXCHANGE_MS = 250;
/** After keys became due that were not exchanged before: at once, but for the requests that come with them. */
const SOON_MS = 25;
const FAILED_MS = 1_000;
const CLEAN_MS = MINUTE;
const MAX_KEYS = 5_000;

const USES = rows({
  key: 'bytea',
  used: 'double precision',
  demand: 'double precision',
  per_second: 'double precision',
});

/** In the order of the keys, so that processes wait for each other instead of deadlocking. */
const exchangeUses = controlStatement('accounts.exchange_limits', {
  uses: USES,
  demand_seconds: 'double precision',
}).returns<{ key: Buffer; used: number; demand: number }>(
  `insert into rate_limit_usage as known (${USES.list}, updated_at)
   select w.*, clock_timestamp() from :uses as w order by w.key
   on conflict (key) do update set
     used = greatest(0, known.used - excluded.per_second
       * extract(epoch from greatest(excluded.updated_at - known.updated_at, interval '0'))) + excluded.used,
     demand = excluded.demand + known.demand * exp(-least(60,
       extract(epoch from greatest(excluded.updated_at - known.updated_at, interval '0')) / :demand_seconds)),
     per_second = excluded.per_second,
     updated_at = greatest(known.updated_at, excluded.updated_at)
   returning key, used, demand`,
);

/** Rows that say no more than none. */
const deleteUnused = controlStatement('accounts.delete_unused_limits', { idle_seconds: 'double precision' }).runs(
  `delete from rate_limit_usage
   where extract(epoch from clock_timestamp() - updated_at) > greatest(:idle_seconds, used / per_second)`,
);

/**
 * Has the processes share rate limits: each tells of what it has used of the limits that are used by more than a little, and gets
 * back the use of all, several times a second, in one statement. A process that is alone, or cannot reach the control database,
 * counts for itself.
 */
export class SharedLimits implements Worker {
  readonly #deps: Pick<Deps, 'control' | 'secret' | 'log'>;
  readonly #peers: Pick<Peers, 'count'>;
  readonly #limits: ReadonlyMap<string, TokenBuckets>;
  #timer: NodeJS.Timeout | undefined;
  #isSoon = false;
  #running: Promise<void> | undefined;
  #isStopped = false;
  #cleanedAt = performance.now();

  /** @param limits by name */
  constructor(
    deps: Pick<Deps, 'control' | 'secret' | 'log'>,
    peers: Pick<Peers, 'count'>,
    limits: ReadonlyMap<string, TokenBuckets>,
  ) {
    this.#deps = deps;
    this.#peers = peers;
    this.#limits = limits;
    const sharing = {
      get count() {
        return peers.count;
      },
      wake: (isUrgent: boolean) => this.#schedule(isUrgent),
    };
    for (const buckets of limits.values()) buckets.shareWith(sharing);
  }

  start(): void {}

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #schedule(isUrgent: boolean, ms = isUrgent ? SOON_MS : EXCHANGE_MS): void {
    if (this.#isStopped || (this.#timer && (this.#isSoon || !isUrgent))) return;
    clearTimeout(this.#timer);
    this.#isSoon = isUrgent;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#running) return this.#schedule(isUrgent);
      this.#running = this.#run().finally(() => {
        this.#running = undefined;
      });
    }, ms).unref();
  }

  async #run(): Promise<void> {
    for (const [name, buckets] of this.#limits) {
      const uses = buckets.collect();
      for (let i = 0; i < uses.length; i += MAX_KEYS) {
        const chunk = uses.slice(i, i + MAX_KEYS);
        try {
          if (await this.#exchange(name, buckets, chunk)) this.#schedule(true);
        } catch (error) {
          buckets.restore(uses.slice(i));
          this.#deps.log.debug({ err: error }, 'rate limits could not be exchanged; trying again');
          return this.#schedule(false, FAILED_MS);
        }
      }
    }
    await this.#clean();
  }

  async #exchange(name: string, buckets: TokenBuckets, uses: readonly KeyUse[]): Promise<boolean> {
    const { control } = this.#deps;
    const byHash = new Map(uses.map((use) => [this.#hash(name, use.key), use]));
    const found = await exchangeUses(control, {
      uses: [...byHash].map(([hash, { spent, attempts }]) => ({
        key: Buffer.from(hash, 'hex'),
        used: spent,
        demand: attempts,
        per_second: buckets.rate.perSecond,
      })),
      demand_seconds: DEMAND_MS / 1_000,
    });
    let hasNew = false;
    for (const { key, used, demand } of found) {
      const use = byHash.get(key.toString('hex'));
      if (use && buckets.apply(use, { key: use.key, used, demand })) hasNew = true;
    }
    return hasNew;
  }

  /** The database has neither addresses nor users of this. */
  #hash(name: string, key: string): string {
    const { secret } = this.#deps;
    return createHmac('sha256', secret).update(`rate-limits\n${name}\n${key}`).digest('hex').slice(0, 32);
  }

  async #clean(): Promise<void> {
    const now = performance.now();
    if (now - this.#cleanedAt < CLEAN_MS || this.#peers.count === 1) return;
    this.#cleanedAt = now;
    await deleteUnused(this.#deps.control, { idle_seconds: 60 }).catch((error: unknown) =>
      this.#deps.log.debug({ err: error }, 'unused rate limits were not deleted; trying again'),
    );
  }
}

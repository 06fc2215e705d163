import { Counter, Histogram } from 'prom-client';
import type { Deps, Worker } from '../shared/deps.ts';
import { GroupCommit } from '../shared/group-commit.ts';
import { publicId, uuidTime } from '../shared/ids.ts';
import type { DeliveryStatus } from './contract.ts';
import { signingSecrets } from './endpoint.ts';
import { Lane } from './lane.ts';
import { claimDeliveries, type EndpointRow, endAbandoned, releaseDeliveries } from './queries.ts';
import { type Attempt, recordOutcomes } from './record-outcomes.ts';
import { readRetryAfter, retryDelay } from './schedule.ts';
import { type Secrets, signedHeaders } from './secret.ts';
import type { Outcome, Sender } from './send.ts';

/** A delivery that is this process's to attempt, for the time of its lease. */
export interface Ready {
  accountId: string;
  endpointId: string;
  /** UUID. */
  messageId: string;
  body: string;
  endpoint: Pick<EndpointRow, 'url' | 'secret' | 'previous_secret' | 'previous_secret_until'>;
  /** Attempts made so far, and those since it was last queued. */
  attempts: number;
  tries: number;
  /** By this process's own clock that never jumps. */
  claimedAt: number;
}

export interface DelivererOptions {
  /** How long a delivery stays a silent process's. It is longer than waiting here and an attempt together. */
  leaseSeconds: number;
  pollMs: number;
  random: () => number;
}

const DEFAULTS: DelivererOptions = { leaseSeconds: 45, pollMs: 500, random: Math.random };

/** What waited here for so long is given back rather than begun. */
const WAIT_MS = 20_000;
const MAX_IN_FLIGHT = 1_000;
const MAX_WAITING = 5_000;
/** Endpoints that one claim looks at. */
const HEADS = 200;
const SWEEP_MS = 5_000;
const SWEPT_AT_ONCE = 1_000;
/** A service that stops lets attempts end for so long. */
const STOP_MS = 4_000;
const NOBODY = '00000000-0000-0000-0000-000000000000';

const USER_AGENT = 'Headwater-Webhooks/1';

/**
 * Attempts deliveries, beside those of any number of other processes: those that this process has just written, and those
 * that it claims. Each endpoint has a lane of its own, with room for so many at once as it deserves.
 */
export class Deliverer implements Worker {
  readonly #deps: Deps;
  readonly #sender: Sender;
  readonly #secrets: Secrets;
  readonly #options: DelivererOptions;
  readonly #lanes = new Map<string, Lane<Ready>>();
  /** Lanes that could begin more, were not so much in flight everywhere. */
  readonly #starved = new Set<Lane<Ready>>();
  readonly #outcomes: GroupCommit<Attempt, undefined>;
  readonly #attempting = new Set<Promise<void>>();
  readonly #attempted: Counter<'result'>;
  readonly #delays: Histogram;
  #isStopping = false;
  #isCutOff = false;
  #inFlight = 0;
  #waiting = 0;
  #after: [string, string] = [NOBODY, NOBODY];
  #timers: NodeJS.Timeout[] = [];
  #claiming: Promise<void> | undefined;
  #again = false;
  #sweeping: Promise<void> | undefined;

  constructor(deps: Deps, sender: Sender, secrets: Secrets, options: Partial<DelivererOptions> = {}) {
    this.#deps = deps;
    this.#sender = sender;
    this.#secrets = secrets;
    this.#options = { ...DEFAULTS, ...options };
    // Nobody waits for an outcome: it is written with as many others as come within a moment.
    const batching = { maxBatch: 500, maxConcurrent: 2, maxWaiting: Number.POSITIVE_INFINITY, lingerMs: 20 };
    this.#outcomes = new GroupCommit((attempts) => recordOutcomes(deps, attempts), batching);
    const { metrics } = deps;
    metrics.gauge('headwater_webhook_attempts_in_flight', 'Attempts under way', () => this.#inFlight);
    metrics.gauge('headwater_webhook_deliveries_waiting', 'Claimed deliveries that wait here', () => this.#waiting);
    this.#attempted = new Counter({
      name: 'headwater_webhook_attempts_total',
      help: 'Attempts that were made, by what the delivery is after it',
      labelNames: ['result'],
      registers: [metrics.registry],
    });
    this.#delays = new Histogram({
      name: 'headwater_webhook_first_attempt_seconds',
      help: 'From the making of a payload to its first attempt at an endpoint',
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60],
      registers: [metrics.registry],
    });
  }

  get leaseSeconds(): number {
    return this.#options.leaseSeconds;
  }

  start(): void {
    this.#timers = [
      setInterval(() => this.claimSoon(), this.#options.pollMs),
      setInterval(() => this.#sweep(), SWEEP_MS),
    ];
    this.claimSoon();
    this.#sweep();
  }

  /** Lets attempts end, for a while, and gives the rest back, so that another process or the next start goes on at once. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all([this.#claiming, this.#sweeping]);
    await this.#release([...this.#lanes.values()].flatMap((lane) => lane.empty()));
    const cutOff = setTimeout(() => {
      this.#isCutOff = true;
      this.#sender.close();
    }, STOP_MS);
    await Promise.all(this.#attempting);
    clearTimeout(cutOff);
    this.#sender.close();
  }

  /** Whether this process will take a delivery that it is about to write; if so it is to be offered, or `unreserve`d. */
  reserve(endpointId: string): boolean {
    const lane = this.#laneOf(endpointId);
    if (this.#isStopping || this.#timers.length === 0 || this.#waiting >= MAX_WAITING || lane.room <= 0) {
      lane.hasMore = true;
      return false;
    }
    lane.reserved++;
    return true;
  }

  unreserve(endpointId: string): void {
    this.#laneOf(endpointId).reserved--;
  }

  /** Takes over a delivery that was reserved. */
  offer(ready: Ready): void {
    const lane = this.#laneOf(ready.endpointId);
    lane.reserved--;
    this.#add(lane, ready);
    this.#pump(lane);
  }

  /** Claims what is due, now or as soon as the claim under way is done. */
  claimSoon(): void {
    this.#again = true;
    this.#claiming ??= this.#claim()
      .catch((error) => this.#deps.log.warn({ err: error }, 'the queue of webhooks was not reached'))
      .finally(() => {
        this.#claiming = undefined;
      });
  }

  async #claim(): Promise<void> {
    while (this.#again && !this.#isStopping && this.#waiting < MAX_WAITING) {
      this.#again = false;
      const lanes = [...this.#lanes].filter(([, lane]) => lane.room !== Lane.FIRST_ROOM);
      const rooms = new Map(lanes.map(([id, lane]) => [id, Math.max(0, lane.room)]));
      const claimedAt = performance.now();
      const rows = await claimDeliveries(
        this.#deps.db,
        ...this.#after,
        HEADS,
        [...rooms.keys()],
        [...rooms.values()],
        Lane.FIRST_ROOM,
        new Date(this.#deps.clock()),
        this.leaseSeconds,
      );
      const byEndpoint = Map.groupBy(rows, (row) => row.endpoint_id);
      for (const [endpointId, claimed] of byEndpoint) {
        const lane = this.#laneOf(endpointId);
        const found = claimed.filter((row) => row.message_id !== null);
        lane.hasMore = found.length > 0 && found.length >= (rooms.get(endpointId) ?? Lane.FIRST_ROOM);
        for (const row of found) {
          this.#add(lane, {
            accountId: row.account_id,
            endpointId,
            messageId: row.message_id ?? '',
            body: row.body,
            endpoint: row,
            attempts: row.attempts,
            tries: row.tries,
            claimedAt,
          });
        }
        this.#pump(lane);
      }
      const last = rows.at(-1);
      const isPage = byEndpoint.size === HEADS && last !== undefined;
      this.#after = isPage ? [last.account_id, last.endpoint_id] : [NOBODY, NOBODY];
      if (isPage) this.#again = true;
    }
  }

  #laneOf(endpointId: string): Lane<Ready> {
    let lane = this.#lanes.get(endpointId);
    if (lane === undefined) {
      lane = new Lane();
      this.#lanes.set(endpointId, lane);
    }
    return lane;
  }

  #add(lane: Lane<Ready>, ready: Ready): void {
    lane.waiting.push(ready);
    this.#waiting++;
  }

  /** Begins what the lane has room for. */
  #pump(lane: Lane<Ready>): void {
    const late: Ready[] = [];
    while (lane.mayBegin && !this.#isStopping) {
      if (this.#inFlight >= MAX_IN_FLIGHT) {
        this.#starved.add(lane);
        break;
      }
      const ready = lane.waiting.shift() as Ready;
      this.#waiting--;
      if (performance.now() - ready.claimedAt > WAIT_MS) late.push(ready);
      else this.#begin(lane, ready);
    }
    if (late.length > 0) void this.#release(late);
    if (lane.hasMore && lane.waiting.length < lane.limit) this.claimSoon();
  }

  #begin(lane: Lane<Ready>, ready: Ready): void {
    lane.inFlight++;
    this.#inFlight++;
    const attempt = this.#attempt(lane, ready)
      .catch((error) => this.#deps.log.error({ err: error }, 'the outcome of a webhook was not written down'))
      .finally(() => this.#attempting.delete(attempt));
    this.#attempting.add(attempt);
  }

  async #attempt(lane: Lane<Ready>, ready: Ready): Promise<void> {
    const at = this.#deps.clock();
    if (ready.attempts === 0) this.#delays.observe(Math.max(0, at - uuidTime(ready.messageId)) / 1000);
    const outcome = await this.#post(ready, at);
    lane.inFlight--;
    this.#inFlight--;
    const isCutOff = this.#isCutOff && outcome.error !== null;
    if (!isCutOff) lane.learn(outcome.error === null);
    this.#pump(lane);
    const [starved] = this.#starved;
    if (starved) {
      this.#starved.delete(starved);
      this.#pump(starved);
    }
    if (isCutOff) return this.#release([ready]);
    await this.#outcomes.submit(this.#conclude(ready, outcome, at));
  }

  async #post(ready: Ready, at: number): Promise<Outcome> {
    try {
      const secrets = signingSecrets(this.#secrets, ready.endpoint, at);
      const signed = signedHeaders(publicId('msg', ready.messageId), at, ready.body, secrets);
      const headers = { 'content-type': 'application/json', 'user-agent': USER_AGENT, ...signed };
      return await this.#sender.send(new URL(ready.endpoint.url), headers, ready.body);
    } catch (error) {
      // A secret of another instance, say: a failure like any other, so that it holds up nothing.
      this.#deps.log.error(
        { err: error, webhook: publicId('whk', ready.endpointId) },
        'a webhook could not be attempted',
      );
      return { status: null, error: 'internal_error', answer: null, ms: 0, retryAfter: undefined };
    }
  }

  #conclude(ready: Ready, outcome: Outcome, at: number): Attempt {
    const { accountId, endpointId, messageId, attempts, tries } = ready;
    const { status, error, answer, ms, retryAfter } = outcome;
    const now = this.#deps.clock();
    const isGone = status === 410;
    let result: DeliveryStatus = 'delivered';
    let nextAt: number | null = null;
    if (error !== null) {
      const delay = isGone ? undefined : retryDelay(tries + 1, readRetryAfter(retryAfter, now), this.#options.random());
      result = delay === undefined ? 'failed' : 'pending';
      if (delay !== undefined) nextAt = now + delay;
    }
    this.#attempted.labels(result).inc();
    const number = attempts + 1;
    return { accountId, endpointId, messageId, number, at, status, error, answer, ms, result, nextAt, isGone };
  }

  /** What is not given back now is free when its lease ends. */
  async #release(list: readonly Ready[]): Promise<void> {
    if (list.length === 0) return;
    await releaseDeliveries(
      this.#deps.db,
      list.map(({ accountId }) => accountId),
      list.map(({ endpointId }) => endpointId),
      list.map(({ messageId }) => messageId),
    ).catch((error) => this.#deps.log.warn({ err: error }, 'webhooks were not given back'));
  }

  /** Ends what is queued for endpoints that were disabled or deleted. */
  #sweep(): void {
    const sweepAll = async () => {
      let after: [string, string] = [NOBODY, NOBODY];
      while (!this.#isStopping) {
        const rows = await endAbandoned(this.#deps.db, ...after, HEADS, SWEPT_AT_ONCE);
        const last = rows.at(-1);
        if (rows.some(({ count }) => count === SWEPT_AT_ONCE)) continue;
        if (last === undefined || rows.length < HEADS) return;
        after = [last.account_id, last.endpoint_id];
      }
    };
    this.#sweeping ??= sweepAll()
      .catch((error) => this.#deps.log.warn({ err: error }, 'the queue of webhooks was not swept'))
      .finally(() => {
        this.#sweeping = undefined;
      });
  }
}

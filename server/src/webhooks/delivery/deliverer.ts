import type { Counter, Histogram } from 'prom-client';
import type { Deps, Worker } from '../../shared/deps.ts';
import { GroupCommit } from '../../shared/group-commit.ts';
import { FIRST_ID, publicId, uuidTime } from '../../shared/ids.ts';
import { parseRetryAfter, retryDelay } from '../../shared/outbound/retry-schedule.ts';
import type { Outcome, Sender } from '../../shared/outbound/sender.ts';
import { SecretUnreadable } from '../../shared/secrets/vault.ts';
import { isoTime } from '../../shared/time.ts';
import { type WorkerLoop, workerLoop } from '../../shared/worker-loop.ts';
import type { DeliveryStatus } from '../contract.ts';
import { findEndpoint } from '../endpoints/queries.ts';
import { signedHeaders, type WebhookSecrets } from '../endpoints/secrets.ts';
import type { TestEndpoint } from '../history/arrivals.ts';
import { storedAsRead } from './as-maker-reads.ts';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';
import {
  claimDeliveries,
  failAbandonedDeliveries,
  findBody,
  type QueuedDelivery,
  releaseDeliveries,
} from './queries.ts';
import { type Attempt, recordAttempts } from './record-attempts.ts';
import { Scheduler } from './scheduler.ts';

/** A delivery leased by this process. */
interface LeasedDelivery extends QueuedDelivery {
  /** By `performance.now()`. */
  claimedAt: number;
}

interface DelivererOptions {
  /** Longer than queueing here and an attempt together. */
  leaseSeconds: number;
  pollMs: number;
  random: () => number;
}

const DEFAULTS: DelivererOptions = { leaseSeconds: 45, pollMs: 500, random: Math.random };

/** A delivery queued here for this long is released rather than attempted. */
const MAX_QUEUED_MS = 20_000;
/**
 * Larger payloads (entries have up to a megabyte) are not queued in memory, but read for the attempt, at most so many at a
 * time. Others wait until their lease ends.
 */
export const MAX_INLINE_BYTES = 32_768;
const MAX_LARGE_IN_FLIGHT = 64;
/** Endpoints visited by one claim. */
const ENDPOINTS_PER_CLAIM = 200;
const SWEEP_MS = 5_000;
const SWEEP_BATCH = 1_000;
/** How long attempts may continue while the service stops. */
const STOP_TIMEOUT_MS = 4_000;
/** Each takes some 50 µs. */
const STARTS_PER_TURN = 16;
const START = { after_account: FIRST_ID, after_endpoint: FIRST_ID };

const USER_AGENT = 'Headwater-Webhooks/1';

/**
 * Attempts deliveries: those that this process has just written, and those that it claims from the queue. Any number of
 * processes do this at the same time.
 */
export class Deliverer implements Worker {
  readonly leaseSeconds: number;
  readonly #deps: Deps;
  readonly #sender: Sender;
  readonly #secrets: WebhookSecrets;
  readonly #testEndpoint: TestEndpoint | undefined;
  readonly #random: () => number;
  readonly #scheduler: Scheduler<LeasedDelivery>;
  readonly #outcomes: GroupCommit<Attempt, undefined>;
  readonly #attempting = new Set<Promise<unknown>>();
  readonly #attempted: Counter<'result'>;
  readonly #delays: Histogram;
  readonly #claimLoop: WorkerLoop;
  readonly #sweepLoop: WorkerLoop;
  #isStarted = false;
  #isAborted = false;
  #largeInFlight = 0;
  #cursor = START;

  /** @param testEndpoint what is sent there does not leave the service */
  constructor(
    deps: Deps,
    sender: Sender,
    secrets: WebhookSecrets,
    options: Partial<DelivererOptions> = {},
    testEndpoint?: TestEndpoint,
  ) {
    const { leaseSeconds, pollMs, random } = { ...DEFAULTS, ...options };
    const { metrics, log } = deps;
    this.leaseSeconds = leaseSeconds;
    this.#deps = deps;
    this.#sender = sender;
    this.#secrets = secrets;
    this.#testEndpoint = testEndpoint;
    this.#random = random;
    // No request waits for an outcome, so batches can be large.
    const batching = { maxBatch: 500, maxConcurrent: 2, maxQueued: Number.POSITIVE_INFINITY, lingerMs: 20 };
    this.#outcomes = new GroupCommit((attempts) => recordAttempts(deps, attempts), batching);
    this.#claimLoop = workerLoop({
      name: 'claim webhook deliveries',
      log,
      everyMs: pollMs,
      runAtStart: true,
      run: () => this.#claim(),
    });
    this.#sweepLoop = workerLoop({
      name: 'end abandoned webhook deliveries',
      log,
      everyMs: SWEEP_MS,
      runAtStart: true,
      run: (signal) => this.#sweep(signal),
    });
    const scheduler = new Scheduler<LeasedDelivery>(
      { attempt: (delivery) => this.#attempt(delivery), onLow: () => this.#claimLoop.wake() },
      STARTS_PER_TURN,
    );
    this.#scheduler = scheduler;
    metrics.gauge('headwater_webhook_attempts_in_flight', 'Attempts in progress', () => scheduler.inFlight);
    metrics.gauge('headwater_webhook_deliveries_waiting', 'Claimed, not yet attempted', () => scheduler.queued);
    this.#attempted = metrics.counter(
      'headwater_webhook_attempts_total',
      'Attempts by the resulting status of the delivery',
      ['result'],
    );
    this.#delays = metrics.histogram(
      'headwater_webhook_first_attempt_seconds',
      'From the creation of a payload to its first attempt at an endpoint',
      [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60],
    );
  }

  start(): void {
    this.#isStarted = true;
    this.#claimLoop.start();
    this.#sweepLoop.start();
  }

  /** Lets attempts finish for a few seconds, and releases the rest for other processes or the next start. */
  async stop(): Promise<void> {
    const queued = this.#scheduler.stop();
    await Promise.all([this.#claimLoop.stop(), this.#sweepLoop.stop()]);
    // The claim that was in progress may have added some.
    await this.#release([...queued, ...this.#scheduler.stop()]);
    const abort = setTimeout(() => {
      this.#isAborted = true;
      this.#sender.close();
    }, STOP_TIMEOUT_MS);
    while (this.#attempting.size > 0 || this.#scheduler.inFlight > 0) await Promise.all(this.#attempting);
    clearTimeout(abort);
    this.#sender.close();
  }

  /** Whether this process takes a delivery that is about to be written. If so, `enqueue` or `cancel` must follow. */
  reserve(accountId: string, endpointId: string): boolean {
    return this.#isStarted && this.#scheduler.reserve(accountId, endpointId);
  }

  cancel(delivery: { account_id: string; endpoint_id: string }): void {
    this.#scheduler.cancel(delivery);
  }

  /** Claims what is due now. */
  wake(): void {
    this.#claimLoop.wake();
  }

  /** Takes a delivery that was reserved. */
  enqueue(delivery: LeasedDelivery): void {
    this.#scheduler.addReserved(delivery);
  }

  /** Claims one page of the queue. Returns whether to claim the next page at once. */
  async #claim(): Promise<boolean> {
    if (this.#scheduler.isFull) return false;
    const initial = ConcurrencyLimiter.INITIAL_CAPACITY;
    const capacities = this.#scheduler.capacities();
    const capacityOf = new Map(capacities.map(({ endpoint_id, capacity }) => [endpoint_id, capacity]));
    const claimedAt = performance.now();
    const visited = await claimDeliveries(this.#deps.db, {
      ...this.#cursor,
      heads: ENDPOINTS_PER_CLAIM,
      capacities,
      default_capacity: initial,
      max_inline_bytes: MAX_INLINE_BYTES,
      now: new Date(this.#deps.clock()),
      lease_seconds: this.leaseSeconds,
    });
    const byEndpoint = Map.groupBy(visited, (row) => row.endpoint_id);
    for (const [endpointId, rows] of byEndpoint) {
      const claimed = rows.flatMap((row) => (row.message_id === null ? [] : { ...row, claimedAt }));
      const hasMore = claimed.length > 0 && claimed.length >= (capacityOf.get(endpointId) ?? initial);
      this.#scheduler.add(rows[0]?.account_id ?? '', endpointId, claimed, hasMore);
    }
    const last = visited.at(-1);
    const isFullPage = byEndpoint.size === ENDPOINTS_PER_CLAIM && last !== undefined;
    this.#cursor = isFullPage ? { after_account: last.account_id, after_endpoint: last.endpoint_id } : START;
    return isFullPage;
  }

  /** Attempts a delivery, and records the outcome without making the scheduler wait for it. */
  async #attempt(delivery: LeasedDelivery): Promise<boolean | undefined> {
    if (performance.now() - delivery.claimedAt > MAX_QUEUED_MS) {
      this.#track(this.#release([delivery]));
      return undefined;
    }
    const isLarge = delivery.body === null;
    if (isLarge && this.#largeInFlight >= MAX_LARGE_IN_FLIGHT) return undefined;
    const at = this.#deps.clock();
    if (delivery.attempts === 0) this.#delays.observe(Math.max(0, at - uuidTime(delivery.message_id)) / 1000);
    this.#largeInFlight += Number(isLarge);
    const outcome = await this.#track(this.#send(delivery, at));
    this.#largeInFlight -= Number(isLarge);
    const isSuccess = outcome.error === null;
    if (this.#isAborted && !isSuccess) {
      this.#track(this.#release([delivery]));
      return undefined;
    }
    const recorded = this.#outcomes.submit(this.#attemptOf(delivery, outcome, at));
    // The next one of the resource is due.
    if (delivery.resource_id !== null)
      void recorded.then(
        () => this.wake(),
        () => {},
      );
    this.#track(recorded.catch((error) => this.#deps.log.error({ err: error }, 'recording a webhook attempt failed')));
    return isSuccess;
  }

  /** Makes `stop` wait for this. */
  #track<T>(work: Promise<T>): Promise<T> {
    this.#attempting.add(work);
    void work.finally(() => this.#attempting.delete(work));
    return work;
  }

  async #send({ account_id, message_id, endpoint_id, url, ...delivery }: LeasedDelivery, at: number): Promise<Outcome> {
    const { db } = this.#deps;
    try {
      const body = delivery.body ?? (await findBody(db, { account_id, message_id }))[0]?.body;
      if (body === undefined) throw new Error('the payload was deleted');
      // What is sent again may be more than its maker may read by now.
      const [endpoint] = delivery.attempts > 0 ? await findEndpoint(db, { account_id, id: endpoint_id }) : [];
      const read = await storedAsRead(this.#deps, db, endpoint, body);
      if (read === undefined)
        return { status: null, error: 'access_ended', response: null, ms: 0, retryAfter: undefined };
      const signer = { account_id, id: endpoint_id, ...delivery };
      const signed = await signedHeaders(db, this.#secrets, signer, publicId('msg', message_id), read, at);
      const headers = { 'content-type': 'application/json', 'user-agent': USER_AGENT, ...signed };
      if (this.#testEndpoint?.isOwn(url)) return await this.#testEndpoint.deliver(url, headers, read);
      return await this.#sender.send(new URL(url), headers, read);
    } catch (error) {
      // For example, a secret whose master key was lost.
      const webhook = publicId('whk', endpoint_id);
      this.#deps.log.error({ err: error, webhook }, 'a webhook attempt failed before it was sent');
      const reason = error instanceof SecretUnreadable ? 'secret_unreadable' : 'internal_error';
      return { status: null, error: reason, response: null, ms: 0, retryAfter: undefined };
    }
  }

  /** An attempt and what follows from its outcome: 410 and the last retry end the delivery. */
  #attemptOf(delivery: LeasedDelivery, { retryAfter, ...outcome }: Outcome, at: number): Attempt {
    const { account_id, endpoint_id, message_id, resource_id, attempts, tries } = delivery;
    const now = this.#deps.clock();
    let result: DeliveryStatus = 'delivered';
    let next_at: string | null = null;
    if (outcome.error !== null) {
      const retryAfterMs = parseRetryAfter(retryAfter, now);
      const delay = outcome.status === 410 ? undefined : retryDelay(tries + 1, retryAfterMs, this.#random());
      result = delay === undefined ? 'failed' : 'pending';
      next_at = delay === undefined ? null : isoTime(now + delay);
    }
    this.#attempted.labels(result).inc();
    const key = { account_id, endpoint_id, message_id, resource_id };
    return { ...key, number: attempts + 1, at: isoTime(at), ...outcome, result, next_at };
  }

  /** If this fails, their leases end by themselves. */
  async #release(deliveries: readonly LeasedDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    await releaseDeliveries(this.#deps.db, { deliveries }).catch((error) =>
      this.#deps.log.warn({ err: error }, 'releasing webhook deliveries failed'),
    );
  }

  /** Fails what is queued for endpoints that were disabled or deleted. */
  async #sweep(signal: AbortSignal): Promise<void> {
    this.#scheduler.prune();
    let cursor = START;
    while (!signal.aborted) {
      const page = { ...cursor, heads: ENDPOINTS_PER_CLAIM, limit: SWEEP_BATCH };
      const rows = await failAbandonedDeliveries(this.#deps.db, page);
      const last = rows.at(-1);
      if (rows.some(({ count }) => count === SWEEP_BATCH)) continue;
      if (last === undefined || rows.length < ENDPOINTS_PER_CLAIM) return;
      cursor = { after_account: last.account_id, after_endpoint: last.endpoint_id };
    }
  }
}

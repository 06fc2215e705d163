import { setTimeout as sleep } from 'node:timers/promises';
import type { Histogram } from 'prom-client';
import type { Deps, Worker } from '../../shared/deps.ts';
import { FIRST_ID, newUuid } from '../../shared/ids.ts';
import { type OutboxConsumer, type OutboxRow, takeOutbox } from '../../shared/outbox.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import type { Pressure } from '../../shared/pressure.ts';
import { takingTurns } from '../../shared/turns.ts';
import { type WorkerLoop, workerLoop } from '../../shared/worker-loop.ts';
import { type EndpointRow, findActiveEndpoints } from '../endpoints/queries.ts';
import type { Partitions } from '../partitions.ts';
import { acquireErasureLockShared } from '../personal-data.ts';
import { buildPayloads } from '../topics/payloads.ts';
import { TOPICS } from '../topics/topic.ts';
import { Allowance } from './allowance.ts';
import { MakersView } from './as-maker-reads.ts';
import { type Deliverer, MAX_INLINE_BYTES } from './deliverer.ts';
import { inLockOrder, lockOrder, queueInOrder } from './order.ts';
import { hasOutbox } from './queries.ts';
import { selectionKey, selectPayload, wants } from './select-payload.ts';
import { createDelivery, createMessage, type Message, type NewDelivery, writeMessages } from './write-messages.ts';

const POLL_MS = 100;
/** One transaction takes this many changes and bytes of this many accounts. */
const ACCOUNTS = 8;
const CHANGES = 500;
const BYTES = 8 * 1_048_576;
/**
 * While requests are queueing for commits, fan-out creates this many deliveries a second, about an eighth of the work, in small
 * steps. A step makes up for time that the one before it took.
 */
const DELIVERIES_PER_SECOND_UNDER_PRESSURE = 1_050;
const DELIVERIES_UNDER_PRESSURE = 105;
/** Between two transactions that create none: larger ones cost less. */
const LINGER_MS = 250;
const PAUSE_AFTER_ERROR_MS = 1_000;

interface PlannedDelivery extends NewDelivery {
  message: Message;
  endpoint: EndpointRow;
}

/**
 * Moves changes from the outbox to the endpoints and other consumers that subscribe to them: removes outbox rows and writes payloads and
 * deliveries in one transaction, so that each payload has one id and none is lost if the process dies. Any number of
 * processes do this at the same time.
 */
export class FanOut implements Worker {
  readonly #deps: Deps;
  readonly #deliverer: Deliverer;
  readonly #partitions: Partitions;
  readonly #consumers: readonly OutboxConsumer[];
  readonly #delays: Histogram;
  readonly #pressure: Pressure;
  readonly #loop: WorkerLoop;
  #pausedUntil = 0;
  /** Deliveries of each change in the latest transaction, or in an earlier one that had far more. */
  #deliveriesPerChange = 1;
  readonly #allowance = new Allowance(DELIVERIES_PER_SECOND_UNDER_PRESSURE, CHANGES);
  /** The next transaction starts after this account. */
  #after = FIRST_ID;
  /** After an error, this many transactions take a single account, so that a faulty one only blocks itself. */
  #singleAccountRuns = 0;

  /** @param consumers who else needs the changes */
  constructor(
    deps: Deps,
    pressure: Pressure,
    deliverer: Deliverer,
    partitions: Partitions,
    consumers: readonly OutboxConsumer[] = [],
  ) {
    this.#deps = deps;
    this.#consumers = consumers;
    this.#deliverer = deliverer;
    this.#partitions = partitions;
    this.#pressure = pressure;
    this.#loop = workerLoop({
      name: 'fan out webhooks',
      log: deps.log,
      everyMs: POLL_MS,
      run: (signal) => this.#run(signal),
    });
    this.#delays = deps.metrics.histogram(
      'headwater_outbox_delay_seconds',
      'From a change to the creation of its payloads',
      [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60],
    );
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** Runs one transaction. Returns whether to run the next one at once. */
  async #run(signal: AbortSignal): Promise<boolean> {
    const { db, log } = this.#deps;
    if (performance.now() < this.#pausedUntil) return false;
    try {
      if ((await hasOutbox(db)).length === 0) return false;
      const isHigh = this.#pressure.isHigh;
      if (!isHigh) return (await this.#fanOut()).hasMore;
      const { hasMore, deliveries } = await this.#fanOut(this.#allowance.left());
      this.#allowance.take(deliveries);
      const pause = deliveries === 0 ? LINGER_MS : this.#allowance.timeUntil(DELIVERIES_UNDER_PRESSURE);
      await sleep(pause, undefined, { signal });
      return hasMore;
    } catch (error) {
      if (signal.aborted) return false;
      this.#singleAccountRuns = 2 * ACCOUNTS;
      this.#pausedUntil = performance.now() + PAUSE_AFTER_ERROR_MS;
      log.error({ err: error }, 'webhook fan-out failed; retrying');
      return false;
    }
  }

  /**
   * Returns whether the outbox may contain more, and how many deliveries were created.
   * @param few about how many deliveries to create, under pressure
   */
  async #fanOut(few?: number): Promise<{ hasMore: boolean; deliveries: number }> {
    const { db, clock } = this.#deps;
    await this.#partitions.ensureFor(newUuid(clock()));
    const accounts = this.#singleAccountRuns > 0 || few !== undefined ? 1 : ACCOUNTS;
    this.#singleAccountRuns = Math.max(0, this.#singleAccountRuns - 1);
    const after = this.#after;
    const wanted = few === undefined ? CHANGES : Math.floor(few / this.#deliveriesPerChange);
    const changes = Math.max(1, Math.min(wanted, CHANGES));
    let planned: PlannedDelivery[] = [];
    const cancelReservations = () => {
      for (const delivery of planned) if (delivery.is_own) this.#deliverer.cancel(delivery);
      planned = [];
    };
    let claimedAt = 0;
    let rows: OutboxRow[];
    try {
      rows = await db.transaction(async (tx) => {
        // The transaction may be retried.
        cancelReservations();
        claimedAt = performance.now();
        await acquireErasureLockShared(tx);
        const taken = await takeOutbox(tx, { after, accounts, changes, bytes: BYTES });
        // Set before planning, so that an account which cannot be planned does not block the next one.
        this.#after =
          taken
            .map((row) => row.account_id)
            .sort()
            .at(-1) ?? FIRST_ID;
        for (const consume of this.#consumers) await consume(tx, taken);
        planned = await this.#plan(tx, taken);
        const messages = [...new Set(planned.map(({ message }) => message))];
        const { leaseSeconds: lease_seconds } = this.#deliverer;
        const now = new Date(clock());
        // If a crash of the database loses the transaction, it runs again: nobody was sent anything.
        if (planned.length === 0) await tx.query('set local synchronous_commit = off');
        else await writeMessages(tx, { messages, deliveries: planned, now, lease_seconds });
        const ordered = planned.filter(isOrdered);
        if (ordered.length > 0) {
          await lockOrder(tx, { endpoints: inLockOrder(ordered) });
          await queueInOrder(tx, { deliveries: ordered, now });
        }
        return taken;
      });
    } catch (error) {
      cancelReservations();
      throw error;
    }
    const taken = rows.reduce((sum, { resources }) => sum + resources.length, 0);
    if (taken > 0) this.#deliveriesPerChange = Math.max(planned.length / taken, this.#deliveriesPerChange / 2);
    if (planned.some(isOrdered)) this.#deliverer.wake();
    const now = clock();
    for (const { at } of rows) this.#delays.observe(Math.max(0, now - at.getTime()) / 1000);
    for (const { message, endpoint, account_id, endpoint_id, message_id, is_own } of planned) {
      if (!is_own) continue;
      const { url, secret, previous_secret, previous_secret_until } = endpoint;
      const signer = { url, secret, previous_secret, previous_secret_until };
      const body = message.body.length <= MAX_INLINE_BYTES ? message.body : null;
      const delivery = { account_id, endpoint_id, message_id, resource_id: null, body, attempts: 0, tries: 0 };
      this.#deliverer.enqueue({ ...delivery, ...signer, claimedAt });
    }
    // The last page may end with rows left in earlier accounts.
    return { hasMore: rows.length > 0 || after !== FIRST_ID, deliveries: planned.length };
  }

  async #plan(tx: Tx, rows: readonly OutboxRow[]): Promise<PlannedDelivery[]> {
    const accounts = [...new Set(rows.map((row) => row.account_id))];
    if (accounts.length === 0) return [];
    const endpoints = Map.groupBy(await findActiveEndpoints(tx, { accounts }), (endpoint) => endpoint.account_id);
    const subscribersOf = (account: string, topic: string) =>
      (endpoints.get(account) ?? []).filter(({ events }) => events === null || events.includes(topic));
    // Some topics are for other consumers only, and a subscriber may have been deleted since the change.
    const isTopic = ({ topic }: OutboxRow) => (TOPICS as readonly string[]).includes(topic);
    const subscribed = rows.filter((row) => isTopic(row) && subscribersOf(row.account_id, row.topic).length > 0);
    const now = this.#deps.clock();
    const makers = new MakersView(this.#deps, tx);
    const planned: PlannedDelivery[] = [];
    // Filters of many endpoints over long texts take long.
    const pause = takingTurns();
    for (const payload of await buildPayloads(this.#deps, tx, subscribed)) {
      const messages = new Map<string, Message>();
      for (const endpoint of subscribersOf(payload.accountId, payload.type)) {
        await pause();
        const read = endpoint.role_id === null ? payload : await makers.read(endpoint, payload);
        if (!read || !wants(endpoint, read)) continue;
        const selection = `${selectionKey(endpoint)}${endpoint.maker_id ?? ''}`;
        const message = messages.get(selection) ?? createMessage(selectPayload(read, endpoint), now);
        messages.set(selection, message);
        const isOrdered = endpoint.ordering === 'resource' && message.resource_id !== null;
        const isOwn = !isOrdered && this.#deliverer.reserve(endpoint.account_id, endpoint.id);
        planned.push({ ...createDelivery(message, endpoint.id, isOwn, isOrdered), message, endpoint });
      }
    }
    return planned;
  }
}

const isOrdered = ({ resource_id }: NewDelivery) => resource_id !== null;

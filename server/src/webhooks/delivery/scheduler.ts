import { ConcurrencyLimiter } from './concurrency-limiter.ts';

/** Attempts in progress and deliveries queued: in this process, and of one account. */
const MAX_IN_FLIGHT = 1_000;
const MAX_IN_FLIGHT_PER_ACCOUNT = MAX_IN_FLIGHT / 2;
const MAX_QUEUED = 5_000;
const MAX_QUEUED_PER_ACCOUNT = MAX_QUEUED / 2;

/** An endpoint without deliveries for this long starts again with a new limit. */
const IDLE_MS = 600_000;

interface Scheduled {
  account_id: string;
  endpoint_id: string;
}

interface Endpoint<Item> {
  id: string;
  account: Account<Item>;
  queue: Item[];
  limiter: ConcurrencyLimiter;
  /** Whether the database seems to have more due deliveries than were claimed. */
  hasMore: boolean;
  /** By `performance.now()`. */
  usedAt: number;
}

interface Account<Item> {
  id: string;
  queued: number;
  inFlight: number;
  /** Endpoints that could start an attempt. */
  ready: Set<Endpoint<Item>>;
}

interface SchedulerHandlers<Item> {
  /** Makes an attempt. Resolves to whether it succeeded; undefined says nothing about the endpoint. */
  attempt(item: Item): Promise<boolean | undefined>;
  /** Called when an endpoint runs low while the database has more for it. */
  onLow(): void;
}

/**
 * Decides in which order queued deliveries are attempted. Endpoints have a concurrency limit, accounts at most half of the
 * process, and free slots go to accounts, and to the endpoints of an account, in turn.
 */
export class Scheduler<Item extends Scheduled> {
  readonly #handlers: SchedulerHandlers<Item>;
  readonly #endpoints = new Map<string, Endpoint<Item>>();
  readonly #accounts = new Map<string, Account<Item>>();
  /** Accounts with a ready endpoint and a free slot, the next one first. */
  readonly #rotation = new Set<Account<Item>>();
  #inFlight = 0;
  #queued = 0;
  #isStopped = false;
  readonly #startsPerTurn: number;
  /** Attempts that may still start in this turn of the event loop. */
  #startsLeft: number;
  #isDispatchScheduled = false;

  /** @param startsPerTurn attempts that start in one turn of the event loop, so that requests to the service need not wait for all of them */
  constructor(handlers: SchedulerHandlers<Item>, startsPerTurn = Number.POSITIVE_INFINITY) {
    this.#handlers = handlers;
    this.#startsPerTurn = startsPerTurn;
    this.#startsLeft = startsPerTurn;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get queued(): number {
    return this.#queued;
  }

  get isFull(): boolean {
    return this.#queued >= MAX_QUEUED;
  }

  /** Reserves capacity for a delivery that is about to be written. If it returns true, `add` or `cancel` must follow. */
  reserve(accountId: string, endpointId: string): boolean {
    const endpoint = this.#endpointOf(accountId, endpointId);
    const isRefused = this.#isStopped || this.isFull || this.#capacityOf(endpoint) === 0;
    if (isRefused) endpoint.hasMore = true;
    else endpoint.limiter.reserved++;
    return !isRefused;
  }

  cancel({ account_id, endpoint_id }: Scheduled): void {
    this.#endpointOf(account_id, endpoint_id).limiter.reserved--;
  }

  /** Queues a delivery for which capacity was reserved. */
  addReserved(item: Item): void {
    this.cancel(item);
    this.add(item.account_id, item.endpoint_id, [item], undefined);
  }

  /** Queues deliveries. @param hasMore whether the database has more for this endpoint; undefined: not known */
  add(accountId: string, endpointId: string, items: readonly Item[], hasMore: boolean | undefined): void {
    const endpoint = this.#endpointOf(accountId, endpointId);
    if (hasMore !== undefined) endpoint.hasMore = hasMore;
    endpoint.queue.push(...items);
    this.#count(endpoint, items.length);
    this.#makeReady(endpoint);
    this.#dispatch();
  }

  /** The endpoints whose capacity differs from a new one's. */
  capacities(): { endpoint_id: string; capacity: number }[] {
    const capacities = [];
    for (const endpoint of this.#endpoints.values()) {
      const capacity = this.#capacityOf(endpoint);
      if (capacity !== ConcurrencyLimiter.INITIAL_CAPACITY) capacities.push({ endpoint_id: endpoint.id, capacity });
    }
    return capacities;
  }

  /** Starts no more attempts, and returns what is queued. */
  stop(): Item[] {
    this.#isStopped = true;
    return [...this.#endpoints.values()].flatMap((endpoint) => endpoint.queue.splice(0));
  }

  /** Forgets endpoints that have been idle. */
  prune(now = performance.now()): void {
    for (const { id, limiter, usedAt } of this.#endpoints.values()) {
      if (limiter.isIdle && now - usedAt > IDLE_MS) this.#endpoints.delete(id);
    }
    const used = new Set([...this.#endpoints.values()].map(({ account }) => account));
    for (const account of this.#accounts.values()) if (!used.has(account)) this.#accounts.delete(account.id);
  }

  #capacityOf({ limiter, account }: Endpoint<Item>): number {
    return account.queued >= MAX_QUEUED_PER_ACCOUNT ? 0 : limiter.capacity;
  }

  #count(endpoint: Endpoint<Item>, added: number): void {
    endpoint.usedAt = performance.now();
    endpoint.limiter.queued += added;
    endpoint.account.queued += added;
    this.#queued += added;
  }

  #makeReady(endpoint: Endpoint<Item>): void {
    const { account, limiter } = endpoint;
    if (limiter.canStart) account.ready.add(endpoint);
    if (account.ready.size > 0 && account.inFlight < MAX_IN_FLIGHT_PER_ACCOUNT) this.#rotation.add(account);
  }

  #dispatch(): void {
    while (this.#inFlight < MAX_IN_FLIGHT && !this.#isStopped) {
      const [account] = this.#rotation;
      const [endpoint] = account?.ready ?? [];
      if (!account || !endpoint) return;
      if (this.#startsLeft === 0) {
        this.#dispatchLater();
        return;
      }
      this.#startsLeft--;
      this.#rotation.delete(account);
      account.ready.delete(endpoint);
      const item = endpoint.queue.shift();
      if (item === undefined) continue;
      this.#count(endpoint, -1);
      void this.#run(endpoint, item);
      this.#makeReady(endpoint);
    }
  }

  #dispatchLater(): void {
    if (this.#isDispatchScheduled) return;
    this.#isDispatchScheduled = true;
    setImmediate(() => {
      this.#isDispatchScheduled = false;
      this.#startsLeft = this.#startsPerTurn;
      this.#dispatch();
    });
  }

  async #run(endpoint: Endpoint<Item>, item: Item): Promise<void> {
    const { limiter, account } = endpoint;
    limiter.inFlight++;
    account.inFlight++;
    this.#inFlight++;
    const isSuccess = await this.#handlers.attempt(item);
    limiter.inFlight--;
    account.inFlight--;
    this.#inFlight--;
    if (isSuccess !== undefined) limiter.onResult(isSuccess);
    this.#makeReady(endpoint);
    this.#dispatch();
    if (endpoint.hasMore && limiter.queued < limiter.limit) this.#handlers.onLow();
  }

  #endpointOf(accountId: string, endpointId: string): Endpoint<Item> {
    let endpoint = this.#endpoints.get(endpointId);
    if (endpoint === undefined) {
      let account = this.#accounts.get(accountId);
      account ??= { id: accountId, queued: 0, inFlight: 0, ready: new Set() };
      this.#accounts.set(accountId, account);
      endpoint = { id: endpointId, account, queue: [], limiter: new ConcurrencyLimiter(), hasMore: false, usedAt: 0 };
      this.#endpoints.set(endpointId, endpoint);
    }
    return endpoint;
  }
}

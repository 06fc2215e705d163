import { ApiError } from './errors.ts';
import { isConnectionError, isOutOfResources } from './postgres/database-errors.ts';
import { currentWork, RefusedError, runAs, sharedWork, type Work } from './postgres/work.ts';

/** While a batch runs, another one starts once it would be half as large as the latest one and at least of this size. */
const MIN_CONCURRENT = 16;
/** Or after this time: a batch that waits for a lock does not hold up the others. */
const PATIENCE_MS = 2;

interface Pending<Item, Result> {
  item: Item;
  work: Work | undefined;
  request: { readonly isRefused: boolean } | undefined;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

export interface GroupCommitOptions<Item> {
  /** Items per transaction. */
  maxBatch: number;
  /** Transactions at the same time. */
  maxConcurrent: number;
  /** Items that may be queued; more are refused with 429. */
  maxQueued: number;
  /** Called for each batch; tells of each item in the queue, in order, whether it joins. By default every item does. */
  selector?: () => (item: Item) => boolean;
  /** How long the first item of a batch waits for more, where larger batches matter more than time. */
  lingerMs?: number;
  /** The request of an item; by default the work that submitted it. An item of a refused request is not written. */
  requestOf?: (item: Item) => { readonly isRefused: boolean };
  /** For whom a batch is written; by default for those who submitted its items. */
  workOf?: (items: readonly Item[]) => Work;
  /** Receives the size of each batch. */
  onBatch?: (size: number) => void;
  /** Called when nothing runs or waits any more. */
  onIdle?: () => void;
}

/**
 * Group commit: an item is written at once if nothing else is being written; items that arrive meanwhile share the next
 * transaction. So batches grow with the load, and no item waits for a batch to fill. Each item resolves with its own result after the
 * commit that contains it. A batch that fails is written again in halves, so that only items that cannot be written fail.
 */
export class GroupCommit<Item, Result> {
  readonly #write: (items: Item[]) => Promise<Result[]>;
  readonly #options: GroupCommitOptions<Item>;
  #queue: Pending<Item, Result>[] = [];
  #running = 0;
  #latestSize = 0;
  #isScheduled = false;
  #patience: NodeJS.Timeout | undefined;

  /** @param write commits all items or none, and returns their results in order */
  constructor(write: (items: Item[]) => Promise<Result[]>, options: GroupCommitOptions<Item>) {
    this.#write = write;
    this.#options = options;
  }

  /** Resolves once the item is committed. @throws ApiError 429 `overloaded` */
  submit(item: Item): Promise<Result> {
    if (this.#queue.length >= this.#options.maxQueued) {
      const detail = 'The service is overloaded. Retry after the time in Retry-After.';
      throw new ApiError(429, 'overloaded', detail, { headers: { 'retry-after': '1' } });
    }
    const { requestOf } = this.#options;
    const work = requestOf ? undefined : currentWork();
    const request = requestOf ? requestOf(item) : work;
    if (request?.isRefused) throw new RefusedError();
    return new Promise((resolve, reject) => {
      this.#queue.push({ item, work, request, resolve, reject });
      this.#schedule();
    });
  }

  /** Starts at the end of this turn of the event loop, so that requests that arrived together share a batch. */
  #schedule(): void {
    const { maxConcurrent, maxBatch, lingerMs } = this.#options;
    if (this.#isScheduled || this.#queue.length === 0 || this.#running >= maxConcurrent) return;
    if (lingerMs !== undefined && this.#queue.length < maxBatch) {
      this.#isScheduled = true;
      setTimeout(() => this.#start(), lingerMs);
      return;
    }
    if (this.#running > 0 && this.#queue.length < Math.max(MIN_CONCURRENT, this.#latestSize / 2)) {
      this.#patience ??= setTimeout(() => this.#startAnyway(), PATIENCE_MS);
      return;
    }
    this.#isScheduled = true;
    setImmediate(() => this.#start());
  }

  #startAnyway(): void {
    this.#patience = undefined;
    if (!this.#isScheduled && this.#running < this.#options.maxConcurrent) this.#start();
  }

  #start(): void {
    this.#isScheduled = false;
    void this.#run(this.#take());
  }

  /** The next batch, without items whose requests were refused; empty only if nothing is left. */
  #take(): Pending<Item, Result>[] {
    for (;;) {
      const taken = this.#takeAny();
      const batch = withoutRefused(taken);
      if (batch.length > 0 || taken.length === 0) return batch;
    }
  }

  #takeAny(): Pending<Item, Result>[] {
    const { maxBatch, selector } = this.#options;
    if (selector === undefined) return this.#queue.splice(0, maxBatch);
    const joins = selector();
    const batch: Pending<Item, Result>[] = [];
    this.#queue = this.#queue.filter((pending) => {
      if (batch.length >= maxBatch || !joins(pending.item)) return true;
      batch.push(pending);
      return false;
    });
    return batch;
  }

  async #run(batch: Pending<Item, Result>[]): Promise<void> {
    if (batch.length === 0) {
      if (this.#running === 0 && this.#queue.length === 0) this.#options.onIdle?.();
      return;
    }
    this.#running++;
    this.#latestSize = batch.length;
    this.#options.onBatch?.(batch.length);
    await this.#commit(batch);
    this.#running--;
    if (this.#queue.length > 0) this.#schedule();
    else if (this.#running === 0) this.#options.onIdle?.();
  }

  async #commit(batch: Pending<Item, Result>[]): Promise<void> {
    const items = batch.map(({ item }) => item);
    const work = this.#options.workOf?.(items) ?? sharedWork(batch.map((pending) => pending.work));
    try {
      const results = await runAs(work, () => this.#write(items));
      if (results.length !== batch.length) throw new Error('a batch returned the wrong number of results');
      for (let i = 0; i < batch.length; i++) (batch[i] as Pending<Item, Result>).resolve(results[i] as Result);
    } catch (error) {
      if (error instanceof RefusedError) {
        const others = withoutRefused(batch);
        if (others.length < batch.length) return others.length === 0 ? undefined : this.#commit(others);
      }
      if (batch.length === 1 || concernsAll(error)) {
        for (const { reject } of batch) reject(error);
        return;
      }
      const middle = batch.length >> 1;
      await this.#commit(batch.slice(0, middle));
      await this.#commit(batch.slice(middle));
    }
  }
}

/** Rejects the items of requests that were refused. @returns the others */
function withoutRefused<Item, Result>(batch: Pending<Item, Result>[]): Pending<Item, Result>[] {
  if (!batch.some(({ request }) => request?.isRefused)) return batch;
  return batch.filter(({ request, reject }) => {
    if (request?.isRefused) reject(new RefusedError());
    return !request?.isRefused;
  });
}

/** Whether no part of the batch would fare better: the database is away or full, has no free connection, or nobody waits any more. */
function concernsAll(error: unknown): boolean {
  const isRefused = error instanceof ApiError && ['overloaded', 'request_aborted'].includes(error.code);
  return isRefused || isConnectionError(error) || isOutOfResources(error);
}

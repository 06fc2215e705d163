import { ApiError } from './errors.ts';
import { isConnectionError, isOutOfResources } from './postgres/database.ts';
import { currentWork, runAs, sharedWork, type Work } from './postgres/work.ts';

/** While a batch runs, another one starts once it would be half as large as the latest one and at least of this size. */
const MIN_CONCURRENT = 16;
/** Or after this time: a batch that waits for a lock does not hold up the others. */
const PATIENCE_MS = 2;

interface Pending<Item, Result> {
  item: Item;
  work: Work | undefined;
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
  /** For whom the batches are written; by default for those who submitted the items. */
  work?: Work;
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
    return new Promise((resolve, reject) => {
      this.#queue.push({ item, work: this.#options.work ?? currentWork(), resolve, reject });
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

  #take(): Pending<Item, Result>[] {
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
    if (batch.length === 0) return;
    this.#running++;
    this.#latestSize = batch.length;
    this.#options.onBatch?.(batch.length);
    const work = this.#options.work ?? sharedWork(batch.map((pending) => pending.work));
    await runAs(work, () => this.#commit(batch));
    this.#running--;
    if (this.#queue.length > 0) this.#schedule();
    else if (this.#running === 0) this.#options.onIdle?.();
  }

  async #commit(batch: Pending<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#write(batch.map(({ item }) => item));
      if (results.length !== batch.length) throw new Error('a batch returned the wrong number of results');
      for (let i = 0; i < batch.length; i++) (batch[i] as Pending<Item, Result>).resolve(results[i] as Result);
    } catch (error) {
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

/** Whether no part of the batch would fare better: the database is away or full, has no free connection, or nobody waits any more. */
function concernsAll(error: unknown): boolean {
  const isRefused = error instanceof ApiError && ['overloaded', 'request_aborted'].includes(error.code);
  return isRefused || isConnectionError(error) || isOutOfResources(error);
}

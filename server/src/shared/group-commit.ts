import { ApiError } from './errors.ts';
import { isConnectionError } from './postgres/database.ts';

/** After a batch of this size the next one waits a moment for more items: fewer and larger batches cost less. */
const BUSY = 8;
const LINGER_MS = 1;

interface Pending<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

export interface GroupCommitOptions {
  /** Items per transaction. */
  maxBatch: number;
  /** Transactions at the same time. */
  maxConcurrent: number;
  /** Items that may be queued; more are refused with 429. */
  maxQueued: number;
  /** How long the first item of a batch waits for more. By default a millisecond, and only while batches are large. */
  lingerMs?: number;
  /** Receives the size of each batch. */
  onBatch?: (size: number) => void;
}

/**
 * Group commit: items that arrive during a transaction share the next one. Each item resolves with its own result after the
 * commit that contains it. A batch that fails is written again in halves, so that only items that cannot be written fail.
 */
export class GroupCommit<Item, Result> {
  readonly #write: (items: Item[]) => Promise<Result[]>;
  readonly #options: GroupCommitOptions;
  #queue: Pending<Item, Result>[] = [];
  #running = 0;
  #latestSize = 0;
  #scheduled = false;

  /** @param write commits all items or none, and returns their results in order */
  constructor(write: (items: Item[]) => Promise<Result[]>, options: GroupCommitOptions) {
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
      this.#queue.push({ item, resolve, reject });
      this.#schedule();
    });
  }

  /** Starts at the end of this turn of the event loop, so that requests that arrived together share a batch. */
  #schedule(): void {
    if (this.#scheduled || this.#running >= this.#options.maxConcurrent) return;
    this.#scheduled = true;
    const run = () => {
      this.#scheduled = false;
      void this.#run();
    };
    const { lingerMs = this.#latestSize < BUSY ? 0 : LINGER_MS, maxBatch } = this.#options;
    if (lingerMs === 0 || this.#queue.length >= maxBatch) setImmediate(run);
    else setTimeout(run, lingerMs);
  }

  async #run(): Promise<void> {
    const batch = this.#queue.splice(0, this.#options.maxBatch);
    if (batch.length === 0) return;
    this.#running++;
    this.#latestSize = batch.length;
    this.#options.onBatch?.(batch.length);
    await this.#commit(batch);
    this.#running--;
    if (this.#queue.length > 0) this.#schedule();
  }

  async #commit(batch: Pending<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#write(batch.map(({ item }) => item));
      if (results.length !== batch.length) throw new Error('a batch returned the wrong number of results');
      for (let i = 0; i < batch.length; i++) (batch[i] as Pending<Item, Result>).resolve(results[i] as Result);
    } catch (error) {
      if (batch.length === 1 || isConnectionError(error)) {
        for (const { reject } of batch) reject(error);
        return;
      }
      const middle = batch.length >> 1;
      await this.#commit(batch.slice(0, middle));
      await this.#commit(batch.slice(middle));
    }
  }
}

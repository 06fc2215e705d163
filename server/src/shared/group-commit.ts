import { ApiError } from './errors.ts';
import { isConnectionError } from './postgres/database.ts';

/** From this batch size on, the next batch waits a moment for company: fewer and larger ones cost less. */
const BUSY = 8;
const LINGER_MS = 1;

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

export interface GroupCommitOptions {
  /** Items that one transaction takes at the most. */
  maxBatch: number;
  /** Transactions under way at once. */
  maxConcurrent: number;
  /** Items that may wait; more are refused with 429. */
  maxWaiting: number;
  /** How long the first of a batch waits for company, always; otherwise only while batches are large, for a millisecond. */
  lingerMs?: number;
  /** Told the size of each batch. */
  onBatch?: (size: number) => void;
}

/**
 * Group commit: what arrives while a transaction is under way shares the next one. Each item is answered after the commit
 * that holds it, with its own result. Where a batch fails, it is written again in halves, so that only what cannot be
 * written is refused.
 */
export class GroupCommit<Item, Result> {
  readonly #write: (items: Item[]) => Promise<Result[]>;
  readonly #options: GroupCommitOptions;
  #waiting: Waiting<Item, Result>[] = [];
  #running = 0;
  /** Size of the latest batch. */
  #latest = 0;
  #scheduled = false;

  /** @param write commits all items or none, and returns their results in order */
  constructor(write: (items: Item[]) => Promise<Result[]>, options: GroupCommitOptions) {
    this.#write = write;
    this.#options = options;
  }

  /** Resolves once the item is committed. @throws ApiError 429 `overloaded` */
  submit(item: Item): Promise<Result> {
    if (this.#waiting.length >= this.#options.maxWaiting) {
      const detail = 'More arrives than can be stored: wait as long as Retry-After says.';
      throw new ApiError(429, 'overloaded', detail, { headers: { 'retry-after': '1' } });
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#schedule();
    });
  }

  /** Begins at the end of this turn of the event loop, so that requests which arrived together go together. */
  #schedule(): void {
    if (this.#scheduled || this.#running >= this.#options.maxConcurrent) return;
    this.#scheduled = true;
    const run = () => {
      this.#scheduled = false;
      void this.#run();
    };
    const { lingerMs = this.#latest < BUSY ? 0 : LINGER_MS, maxBatch } = this.#options;
    if (lingerMs === 0 || this.#waiting.length >= maxBatch) setImmediate(run);
    else setTimeout(run, lingerMs);
  }

  async #run(): Promise<void> {
    const batch = this.#waiting.splice(0, this.#options.maxBatch);
    if (batch.length === 0) return;
    this.#running++;
    this.#latest = batch.length;
    this.#options.onBatch?.(batch.length);
    await this.#commit(batch);
    this.#running--;
    if (this.#waiting.length > 0) this.#schedule();
  }

  async #commit(batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#write(batch.map(({ item }) => item));
      if (results.length !== batch.length) throw new Error('a batch was answered with another number of results');
      for (let i = 0; i < batch.length; i++) (batch[i] as Waiting<Item, Result>).resolve(results[i] as Result);
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

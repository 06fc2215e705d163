import { ApiError } from './errors.ts';

interface FairQueueLimits {
  /** Tasks that run at once. */
  slots: number;
  /** Of one key. With fewer than `slots`, one is always left for another key. */
  slotsPerKey: number;
  /** Waiting tasks of one key; beyond that a task is refused with 429. */
  queuedPerKey: number;
  /** What the costs of the running tasks may add up to. A task that costs more runs alone. */
  budget?: number;
}

interface TaskOptions {
  cost?: number;
  /** Removes the task from the queue while it is waiting. */
  signal?: AbortSignal | undefined;
}

interface Task {
  cost: number;
  start(): void;
}

/** Runs tasks with bounded concurrency. Keys (accounts) take turns, so none waits behind another's backlog. */
export class FairQueue {
  readonly #limits: FairQueueLimits;
  readonly #running = new Map<string, number>();
  /** In turn: a key moves to the end when one of its tasks starts, and when one ends. */
  readonly #queues = new Map<string, Task[]>();
  #slotsUsed = 0;
  #costUsed = 0;

  constructor(limits: FairQueueLimits) {
    this.#limits = limits;
  }

  /** Tasks that run or wait. */
  get size(): number {
    return this.#slotsUsed + [...this.#queues.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** @throws ApiError 429 if the key has too many waiting tasks; the signal's reason if it is aborted before the start */
  async run<T>(key: string, { cost = 1, signal }: TaskOptions, work: () => Promise<T>): Promise<T> {
    await this.#enter(key, cost, signal);
    try {
      return await work();
    } finally {
      this.#slotsUsed--;
      this.#costUsed -= cost;
      const running = (this.#running.get(key) ?? 1) - 1;
      if (running === 0) this.#running.delete(key);
      else this.#running.set(key, running);
      const queue = this.#queues.get(key);
      if (queue) this.#moveToEnd(key, queue);
      this.#startTasks();
    }
  }

  #enter(key: string, cost: number, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    const queue = this.#queues.get(key) ?? [];
    if (queue.length >= this.#limits.queuedPerKey) {
      const detail = 'Too many requests of this kind are waiting. Retry after the time in Retry-After.';
      throw new ApiError(429, 'overloaded', detail, { headers: { 'retry-after': '2' } });
    }
    return new Promise((resolve, reject) => {
      const remove = () => {
        queue.splice(queue.indexOf(task), 1);
        if (queue.length === 0) this.#queues.delete(key);
        reject(signal?.reason);
        this.#startTasks();
      };
      const task: Task = {
        cost,
        start: () => {
          signal?.removeEventListener('abort', remove);
          resolve();
        },
      };
      signal?.addEventListener('abort', remove, { once: true });
      queue.push(task);
      this.#queues.set(key, queue);
      this.#startTasks();
    });
  }

  #startTasks(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const { key, queue, task } = next;
      queue.shift();
      this.#moveToEnd(key, queue);
      this.#slotsUsed++;
      this.#costUsed += task.cost;
      this.#running.set(key, (this.#running.get(key) ?? 0) + 1);
      task.start();
    }
  }

  #moveToEnd(key: string, queue: Task[]): void {
    this.#queues.delete(key);
    if (queue.length > 0) this.#queues.set(key, queue);
  }

  #next(): { key: string; queue: Task[]; task: Task } | undefined {
    const { slots, slotsPerKey, budget = Number.POSITIVE_INFINITY } = this.#limits;
    if (this.#slotsUsed >= slots) return undefined;
    for (const [key, queue] of this.#queues) {
      const [task] = queue;
      if (task === undefined || (this.#running.get(key) ?? 0) >= slotsPerKey) continue;
      // An expensive task keeps its turn: cheaper ones do not overtake it for ever.
      const fits = this.#slotsUsed === 0 || this.#costUsed + task.cost <= budget;
      return fits ? { key, queue, task } : undefined;
    }
    return undefined;
  }
}

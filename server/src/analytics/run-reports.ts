import { Worker as Thread } from 'node:worker_threads';
import type { Deps, Worker } from '../shared/deps.ts';
import type { Counted, CountQuery, FunnelQuery, ReportQuery } from './reports.ts';

/** Without a report for so long the thread ends, and gives back what it remembers. */
const IDLE_MS = 10 * 60_000;

interface Waiting {
  resolve(result: never): void;
  reject(error: unknown): void;
}

/** Makes reports in a thread of its own, so that requests are answered meanwhile as if there were none. */
export class ReportsThread implements Worker {
  readonly #db: Deps['db'];
  #thread: Thread | undefined;
  #waiting = new Map<number, Waiting>();
  #next = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(db: Deps['db']) {
    this.#db = db;
  }

  start(): void {}

  async stop(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#thread?.terminate();
  }

  count(query: Omit<CountQuery, 'kind'>): Promise<Counted[]> {
    return this.#ask({ ...query, kind: 'count' });
  }

  funnel(query: Omit<FunnelQuery, 'kind'>): Promise<number[]> {
    return this.#ask({ ...query, kind: 'funnel' });
  }

  #ask<T>(query: ReportQuery): Promise<T> {
    clearTimeout(this.#idle);
    this.#thread ??= this.#begin();
    const thread = this.#thread;
    const id = this.#next++;
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      thread.postMessage({ id, query });
    }).finally(() => {
      if (this.#waiting.size > 0) return;
      clearTimeout(this.#idle);
      this.#idle = setTimeout(() => void this.#thread?.terminate(), IDLE_MS).unref();
    });
  }

  #begin(): Thread {
    const thread = new Thread(new URL('./reports-thread.ts', import.meta.url), {
      workerData: this.#db.connection,
      name: 'reports',
    });
    thread.unref();
    const waiting = this.#waiting;
    thread.on('message', ({ id, result, error }: { id: number; result?: unknown; error?: unknown }) => {
      const asked = waiting.get(id);
      waiting.delete(id);
      if (error === undefined) asked?.resolve(result as never);
      else asked?.reject(error);
    });
    const end = (error: unknown) => {
      if (this.#thread === thread) this.#thread = undefined;
      if (this.#waiting === waiting) this.#waiting = new Map();
      for (const asked of waiting.values()) asked.reject(error);
      waiting.clear();
    };
    thread.once('error', end);
    thread.once('exit', () => end(new Error('the thread of reports ended')));
    return thread;
  }
}

import { Worker as Thread } from 'node:worker_threads';
import type { Deps, Worker } from '../shared/deps.ts';
import { badRequest } from '../shared/errors.ts';
import type { AttributionQuery, AttributionResult, Counted, CountQuery, FunnelQuery, ReportQuery } from './reports.ts';

/** Without a report for so long the thread ends, and gives back what it remembers. */
const IDLE_MS = 10 * 60_000;

interface Asked {
  query: ReportQuery;
  /** Nobody waits for it any more. */
  isGivenUp: IsGivenUp;
  resolve(result: never): void;
  reject(error: unknown): void;
}

export type IsGivenUp = () => boolean;

/**
 * Makes reports in a thread of its own, one after another, so that requests are answered meanwhile as if there were none. What
 * nobody waits for any more when its turn comes is left out: whoever clicks through periods waits for the last one alone.
 */
export class ReportsThread implements Worker {
  readonly #db: Deps['db'];
  #thread: Thread | undefined;
  readonly #queue: Asked[] = [];
  #current: Asked | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(db: Deps['db']) {
    this.#db = db;
  }

  start(): void {}

  async stop(): Promise<void> {
    clearTimeout(this.#idle);
    const thread = this.#release();
    const left = [this.#current, ...this.#queue.splice(0)];
    this.#current = undefined;
    for (const asked of left) asked?.reject(new Error('the service stops'));
    await thread?.terminate();
  }

  /** What it does from now on concerns nobody. */
  #release(): Thread | undefined {
    const thread = this.#thread;
    this.#thread = undefined;
    return thread;
  }

  count(query: Omit<CountQuery, 'kind'>, isGivenUp: IsGivenUp): Promise<Counted[]> {
    return this.#ask({ ...query, kind: 'count' }, isGivenUp);
  }

  funnel(query: Omit<FunnelQuery, 'kind'>, isGivenUp: IsGivenUp): Promise<number[]> {
    return this.#ask({ ...query, kind: 'funnel' }, isGivenUp);
  }

  attribute(query: Omit<AttributionQuery, 'kind'>, isGivenUp: IsGivenUp): Promise<AttributionResult> {
    return this.#ask({ ...query, kind: 'attribution' }, isGivenUp);
  }

  #ask<T>(query: ReportQuery, isGivenUp: IsGivenUp): Promise<T> {
    clearTimeout(this.#idle);
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ query, isGivenUp, resolve, reject });
      if (!this.#current) this.#goOn();
    });
  }

  /** Begins with the next one. */
  #goOn(): void {
    for (;;) {
      const next = this.#queue.shift();
      this.#current = next;
      if (!next) {
        this.#idle = setTimeout(() => void this.#release()?.terminate(), IDLE_MS).unref();
        return;
      }
      if (!next.isGivenUp()) {
        this.#thread ??= this.#begin();
        this.#thread.postMessage(next.query);
        return;
      }
      next.reject(badRequest('request_aborted', 'The request ended before its answer was ready.'));
    }
  }

  #end(settle: (asked: Asked) => void): void {
    const asked = this.#current;
    if (!asked) return;
    settle(asked);
    this.#goOn();
  }

  #begin(): Thread {
    const thread = new Thread(new URL('./reports-thread.ts', import.meta.url), {
      workerData: this.#db.connection,
      name: 'reports',
    });
    thread.unref();
    thread.on('message', ({ result, error }: { result?: unknown; error?: unknown }) => {
      if (this.#thread !== thread) return;
      this.#end((asked) => (error === undefined ? asked.resolve(result as never) : asked.reject(error)));
    });
    const lose = (error: unknown) => {
      if (this.#thread !== thread) return;
      this.#release();
      this.#end((asked) => asked.reject(error));
    };
    thread.once('error', lose);
    thread.once('exit', () => lose(new Error('the thread of reports ended')));
    return thread;
  }
}

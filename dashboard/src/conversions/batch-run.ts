import { isHeadwaterError } from '@headwater/sdk';
import { useSyncExternalStore } from 'react';
import { errorMessage } from '../shared/error-messages.ts';
import type { Outcome, OutcomeType } from './outcomes.ts';

/** Rows per request. */
const BATCH_SIZE = 500;

interface Batches {
  total: number;
  /** The number of leading rows that an earlier run sent. */
  skipped: number;
  /** Sends the rows from `from` (inclusive) to `to` (exclusive). */
  send: (from: number, to: number, signal: AbortSignal) => Promise<Outcome[]>;
  /** Called with the number of rows processed so far. */
  onProgress?: (done: number) => void;
  /** A stop waits for the response of the current batch instead of aborting it. */
  finishesBatch: boolean;
}

/**
 * Sends the rows of a file in order, batch by batch. It can be stopped and resumed, and stops when the outcome of a batch
 * is unknown. When the service rejects a whole batch, each of its rows fails and the following batches are still sent.
 */
export class BatchRun {
  readonly outcomes: Outcome[];
  readonly counts: Partial<Record<OutcomeType, number>> = {};
  isRunning = false;
  /** Why the run stopped before its end. */
  error: unknown;
  readonly #batches: Batches;
  #abort = new AbortController();
  #isStopping = false;
  #version = 0;
  readonly #listeners = new Set<() => void>();

  constructor(batches: Batches) {
    this.#batches = batches;
    this.outcomes = Array.from({ length: batches.skipped }, () => ({ type: 'skipped' }));
    if (batches.skipped > 0) this.counts.skipped = batches.skipped;
  }

  get total(): number {
    return this.#batches.total;
  }

  get done(): number {
    return this.outcomes.length;
  }

  get isFinished(): boolean {
    return this.done === this.total;
  }

  async start(): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    this.#isStopping = false;
    this.#abort = new AbortController();
    this.error = undefined;
    this.#notify();
    while (!this.isFinished && !this.#isStopping) {
      const to = Math.min(this.done + BATCH_SIZE, this.total);
      try {
        this.#record(await this.#batches.send(this.done, to, this.#abort.signal));
      } catch (error) {
        if (this.#abort.signal.aborted) break;
        if (!isHeadwaterError(error) || error.status !== 400) {
          this.error = error;
          break;
        }
        const reason = errorMessage(error).detail;
        this.#record(Array.from({ length: to - this.done }, () => ({ type: 'failed', reason })));
      }
    }
    this.isRunning = false;
    this.#notify();
  }

  stop(): void {
    this.#isStopping = true;
    if (!this.#batches.finishesBatch) this.#abort.abort();
    this.#notify();
  }

  #record(outcomes: Outcome[]): void {
    for (const outcome of outcomes) {
      this.outcomes.push(outcome);
      this.counts[outcome.type] = (this.counts[outcome.type] ?? 0) + 1;
    }
    this.#batches.onProgress?.(this.done);
    this.#notify();
  }

  #notify(): void {
    this.#version++;
    for (const listener of this.#listeners) listener();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly version = (): number => this.#version;
}

const noSubscription = () => () => {};

/** Renders again whenever the run makes progress. */
export function useRun(run: BatchRun | undefined): BatchRun | undefined {
  useSyncExternalStore(run?.subscribe ?? noSubscription, run?.version ?? (() => 0));
  return run;
}

import { isHeadwaterError } from '@headwater/sdk';
import { useSyncExternalStore } from 'react';
import { messageOf } from '../shared/messages.ts';
import type { Kind, Outcome } from './results.ts';

/** As many rows go in one request. */
const BATCH = 500;

interface Batches {
  total: number;
  /** So many rows were sent before, and are left out. */
  skipped: number;
  /** Sends the rows from the one to before the other. */
  send: (from: number, to: number, signal: AbortSignal) => Promise<Outcome[]>;
  /** Called when so many rows in all have been answered. */
  onAnswered?: (done: number) => void;
  /** What was begun is worth waiting for: a stop comes after it was answered. */
  isKept: boolean;
}

/**
 * Sends the rows of a list batch by batch, in their order. It can be stopped, and stops by itself where nobody knows what
 * became of a batch; then it goes on where it stopped. A batch that the service refuses as a whole is told of each of its
 * rows, and the others are sent all the same.
 */
export class BatchRun {
  readonly outcomes: Outcome[];
  readonly counts: Partial<Record<Kind, number>> = {};
  isRunning = false;
  /** Why it stopped by itself. */
  fault: unknown;
  readonly #batches: Batches;
  #abort = new AbortController();
  #isStopping = false;
  #version = 0;
  readonly #listeners = new Set<() => void>();

  constructor(batches: Batches) {
    this.#batches = batches;
    this.outcomes = Array.from({ length: batches.skipped }, () => ({ kind: 'earlier' }));
    if (batches.skipped > 0) this.counts.earlier = batches.skipped;
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
    this.fault = undefined;
    this.#changed();
    while (!this.isFinished && !this.#isStopping) {
      const to = Math.min(this.done + BATCH, this.total);
      try {
        this.#take(await this.#batches.send(this.done, to, this.#abort.signal));
      } catch (error) {
        if (this.#abort.signal.aborted) break;
        if (!isHeadwaterError(error) || error.status !== 400) {
          this.fault = error;
          break;
        }
        const reason = messageOf(error).detail;
        this.#take(Array.from({ length: to - this.done }, () => ({ kind: 'failed', reason })));
      }
    }
    this.isRunning = false;
    this.#changed();
  }

  stop(): void {
    this.#isStopping = true;
    if (!this.#batches.isKept) this.#abort.abort();
    this.#changed();
  }

  #take(outcomes: Outcome[]): void {
    for (const outcome of outcomes) {
      this.outcomes.push(outcome);
      this.counts[outcome.kind] = (this.counts[outcome.kind] ?? 0) + 1;
    }
    this.#batches.onAnswered?.(this.done);
    this.#changed();
  }

  #changed(): void {
    this.#version++;
    for (const listener of this.#listeners) listener();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly version = (): number => this.#version;
}

const nothing = () => () => {};

/** Draws again whenever the run has come further. */
export function useRun(run: BatchRun | undefined): BatchRun | undefined {
  useSyncExternalStore(run?.subscribe ?? nothing, run?.version ?? (() => 0));
  return run;
}

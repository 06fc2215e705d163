import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_PROBE_MS = 25;
const MAX_PROBE_MS = 200;

interface Away {
  since: number;
  error: unknown;
  isOver: Promise<void>;
}

/**
 * Knows when a database that was lost is back. One connection at a time is tried for everything that waits: if each request
 * tried for itself, those of a database that is away would take the processor from all others.
 */
export class Outage {
  readonly #probe: () => Promise<boolean>;
  #away: Away | undefined;
  #isClosed = false;

  /** @param probe whether the database responds, even if only to refuse more connections */
  constructor(probe: () => Promise<boolean>) {
    this.#probe = probe;
  }

  /** The database was lost, as this error says. */
  start(error: unknown): void {
    this.#away ??= { since: performance.now(), error, isOver: this.#watch() };
  }

  /**
   * Waits until the database is back.
   * @param since when the wait began
   * @param failsFast counts the time from the start of the outage instead
   * @throws the error of the outage after `ms`
   */
  async wait(since: number, ms: number, failsFast: boolean): Promise<void> {
    if (!this.#away) return;
    const { since: lostAt, error, isOver } = this.#away;
    const left = (failsFast ? Math.min(lostAt, since) : since) + ms - performance.now();
    if (left <= 0) throw error;
    // Keeps the process alive, which may have nothing else to do, as a command.
    const waiting = new AbortController();
    const isLate = await Promise.race([isOver, sleep(left, 'late', { signal: waiting.signal })]);
    waiting.abort();
    if (isLate) throw error;
  }

  close(): void {
    this.#isClosed = true;
  }

  async #watch(): Promise<void> {
    for (let delay = FIRST_PROBE_MS; ; delay = Math.min(delay * 2, MAX_PROBE_MS)) {
      await sleep(delay, undefined, { ref: false });
      if (this.#isClosed || (await this.#probe())) break;
    }
    this.#away = undefined;
  }
}

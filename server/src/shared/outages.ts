import type { Logger } from './log.ts';
import { MAIN } from './main-cell.ts';
import { isConnectionError } from './postgres/database-errors.ts';
import { MINUTE } from './units.ts';

const PROBE_MS = 1_000;
const REPORT_MS = MINUTE;

interface Away {
  since: number;
  failures: number;
  reportedAt: number;
  timer: NodeJS.Timeout;
}

/**
 * What the log says while the database of a cell is away: one line when it goes, a count of what failed each minute, and one line
 * when it is back, instead of a line for each request and each run of a worker.
 */
export class Outages {
  readonly #log: Logger;
  readonly #isAlive: (cell: string) => Promise<boolean>;
  readonly #away = new Map<string, Away>();

  /** @param isAlive whether the database of a cell responds */
  constructor(log: Logger, isAlive: (cell: string) => Promise<boolean>) {
    this.#log = log;
    this.#isAlive = isAlive;
  }

  /** Takes a failure if it is because the database of the cell is away; otherwise the caller logs it. */
  take(cell: string, error: unknown): boolean {
    if (!isOutage(error)) return false;
    const away = this.#away.get(cell);
    if (away) {
      away.failures++;
      return true;
    }
    const now = performance.now();
    const timer = setInterval(() => void this.#check(cell), PROBE_MS).unref();
    this.#away.set(cell, { since: now, failures: 1, reportedAt: now, timer });
    this.#log.error({ err: error, cell }, 'the database of a cell does not respond');
    return true;
  }

  /** A log that says the cell, unless a line names another one, and leaves out what fails because its database is away. */
  logOf(cell: string): Logger {
    const log = this.#log.child(cell === MAIN ? {} : { cell });
    for (const level of ['warn', 'error'] as const) {
      const write = log[level].bind(log) as (...line: unknown[]) => void;
      log[level] = (...line: unknown[]) => {
        const [first] = line;
        const { err: error, cell: named } = (first ?? {}) as { err?: unknown; cell?: unknown };
        if (error === undefined || !this.take(typeof named === 'string' ? named : cell, error)) write(...line);
      };
    }
    return log;
  }

  close(): void {
    for (const { timer } of this.#away.values()) clearInterval(timer);
    this.#away.clear();
  }

  async #check(cell: string): Promise<void> {
    const away = this.#away.get(cell);
    if (away === undefined) return;
    const isAlive = await this.#isAlive(cell).catch(() => false);
    const now = performance.now();
    const seconds = Math.round((now - away.since) / 1000);
    const { failures } = away;
    if (isAlive && this.#away.delete(cell)) {
      clearInterval(away.timer);
      this.#log.info({ cell, seconds, failures }, 'the database of a cell responds again');
    } else if (now - away.reportedAt >= REPORT_MS) {
      away.reportedAt = now;
      this.#log.warn({ cell, seconds, failures }, 'the database of a cell still does not respond');
    }
  }
}

function isOutage(error: unknown): boolean {
  if (error === null || typeof error !== 'object') return false;
  if ('code' in error && error.code === 'cell_unavailable') return true;
  return isConnectionError(error) || ('cause' in error && error.cause !== undefined && isOutage(error.cause));
}

import type pg from 'pg';
import type { Database } from '../shared/postgres/database.ts';
import { CHANNEL } from './queries.ts';

const RECONNECT_MS = 1_000;

/**
 * Calls `wake` whenever any process has queued, cancelled or given back a job, over a connection of its own that is made
 * again when it is lost. What is missed meanwhile the runner's poll finds.
 */
export class WakeUp {
  readonly #db: Database;
  readonly #wake: () => void;
  #client: pg.Client | undefined;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(db: Database, wake: () => void) {
    this.#db = db;
    this.#wake = wake;
  }

  async open(): Promise<void> {
    try {
      const client = await this.#db.connect('headwater-jobs');
      if (this.#closed) return void (await client.end());
      this.#client = client;
      client.on('notification', this.#wake);
      client.once('end', () => this.#reopen());
      await client.query(`listen ${CHANNEL}`);
      this.#wake();
    } catch {
      this.#reopen();
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    await this.#client?.end().catch(() => {});
  }

  #reopen(): void {
    if (this.#closed) return;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => void this.open(), RECONNECT_MS).unref();
  }
}

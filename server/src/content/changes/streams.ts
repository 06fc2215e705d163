import { Readable } from 'node:stream';
import { ApiError } from '../../shared/errors.ts';
import type { Logger } from '../../shared/log.ts';
import type { Database } from '../../shared/postgres/database.ts';
import { type WorkerLoop, workerLoop } from '../../shared/worker-loop.ts';
import type { PublicChanges } from './contract.ts';
import { currentFeeds, type Following, nextChanges } from './feed.ts';

const POLL_MS = 200;
/** Proxies close connections without traffic. */
const HEARTBEAT_MS = 15_000;
/** Then the client connects again with its last cursor, and its key is verified again. */
const LIFETIME_MS = 120_000;
const RECONNECT_MS = 200;
/** Of a process. */
export const MAX_STREAMS = 1_000;

/** Streams of changes as server-sent events. One poll finds the changes of all accounts that are followed. */
export class ChangeStreams {
  readonly #db: Database;
  readonly #log: Logger;
  readonly #streams = new Map<Readable, Following & { isReading: boolean }>();
  readonly #poll: WorkerLoop;

  constructor(db: Database, log: Logger) {
    this.#db = db;
    this.#log = log;
    this.#poll = workerLoop({ name: 'follow published changes', log, everyMs: POLL_MS, run: () => this.#readFeeds() });
  }

  start(): void {
    this.#poll.start();
  }

  /** Ends all streams; their clients connect to another process. */
  async stop(): Promise<void> {
    this.end();
    await this.#poll.stop();
  }

  end(): void {
    for (const stream of this.#streams.keys()) stream.push(null);
    this.#streams.clear();
  }

  /** @throws ApiError 429 */
  open(following: Following): Readable {
    // As many as are free, so that no account can take all of them.
    const own = [...this.#streams.values()].filter(({ accountId }) => accountId === following.accountId).length;
    if (own >= MAX_STREAMS - this.#streams.size) {
      throw new ApiError(429, 'overloaded', 'Too many clients follow changes. Retry after the time in Retry-After.', {
        headers: { 'retry-after': '5' },
      });
    }
    const stream = new Readable({ read: () => this.#read(stream) });
    const heartbeat = setInterval(() => this.#streams.has(stream) && stream.push(':\n\n'), HEARTBEAT_MS).unref();
    const lifetime = setTimeout(() => this.#end(stream), LIFETIME_MS).unref();
    stream.once('close', () => {
      this.#streams.delete(stream);
      clearInterval(heartbeat);
      clearTimeout(lifetime);
    });
    this.#streams.set(stream, { ...following, isReading: false });
    stream.push(`retry: ${RECONNECT_MS}\n\n`);
    return stream;
  }

  #end(stream: Readable): void {
    if (this.#streams.delete(stream)) stream.push(null);
  }

  async #readFeeds(): Promise<void> {
    const accounts = [...new Set([...this.#streams.values()].map(({ accountId }) => accountId))];
    if (accounts.length === 0) return;
    const feeds = new Map((await currentFeeds(this.#db, accounts)).map((feed) => [feed.account_id, feed.last]));
    for (const [stream, { accountId, after }] of this.#streams) {
      // A reader that is slow asks for more when it has read what it got.
      if ((feeds.get(accountId) ?? 0) > after && stream.readableLength < stream.readableHighWaterMark)
        this.#read(stream);
    }
  }

  #read(stream: Readable): void {
    const following = this.#streams.get(stream);
    if (!following || following.isReading) return;
    following.isReading = true;
    nextChanges(this.#db, following)
      .then(({ page, last, hasMore }) => {
        following.isReading = false;
        if (!this.#streams.has(stream)) return;
        following.after = last;
        const isWanted = page.changes.length === 0 || stream.push(eventsOf(page));
        if (hasMore && isWanted) this.#read(stream);
      })
      .catch((error) => {
        this.#log.warn({ err: error }, 'failed to read published changes');
        this.#end(stream);
      });
  }
}

const eventsOf = ({ changes }: PublicChanges): string =>
  changes.map((change) => `id: ${change.cursor}\nevent: ${change.type}\ndata: ${JSON.stringify(change)}\n\n`).join('');

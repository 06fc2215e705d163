import type { Worker } from '../shared/deps.ts';
import { uuidTime } from '../shared/ids.ts';
import type { Logger } from '../shared/log.ts';
import type { Database } from '../shared/postgres/database.ts';
import {
  advanceBackfill,
  backfillChunk,
  claimBackfill,
  finishBackfill,
  lockCollection,
  replaceFields,
} from './queries.ts';

/** Entries whose rows are written in one transaction; about 50 ms. */
const CHUNK = 5_000;

/** How often it is looked whether another process left something undone. */
const POLL_MS = 10_000;

/**
 * Writes the rows of the index for fields that came to a large collection. Any number of processes may; each field is one
 * process's at a time, and goes on where the last one stopped.
 */
export class FieldIndexer implements Worker {
  readonly #db: Database;
  readonly #log: Logger;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #stopped = false;

  constructor(db: Database, log: Logger) {
    this.#db = db;
    this.#log = log;
  }

  start(): void {
    this.#timer = setInterval(() => this.wake(), POLL_MS);
    this.#timer.unref();
    this.wake();
  }

  /** Begins at once, if it is started and idle. */
  wake(): void {
    if (this.#timer === undefined || this.#running) return;
    this.#running = this.#work().finally(() => {
      this.#running = undefined;
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#running;
  }

  async #work(): Promise<void> {
    try {
      while (!this.#stopped && (await indexSomeEntries(this.#db, CHUNK)));
    } catch (error) {
      this.#log.warn({ err: error }, 'the index of a field is not complete; it will be tried again');
    }
  }
}

/** Writes the rows of the next `chunk` entries of some field. False: there is nothing to do. */
export async function indexSomeEntries(db: Database, chunk: number): Promise<boolean> {
  const done = await db.transaction(async (tx) => {
    const [claimed] = await claimBackfill(tx);
    if (!claimed) return undefined;
    const { account_id, collection_id, field_key, entry_id } = claimed;
    const createdAt = new Date(uuidTime(entry_id));
    const [written] = await backfillChunk(tx, account_id, collection_id, field_key, entry_id, createdAt, chunk);
    const reached = written?.last ?? entry_id;
    await advanceBackfill(tx, account_id, field_key, reached);
    // Entries that came after the field brought their rows along: the end is reached when there are no more for now.
    return { ...claimed, entry_id: reached, isLast: (written?.count ?? 0) < chunk };
  });
  if (done?.isLast) await finish(db, done.account_id, done.collection_id, done.field_key, done.entry_id);
  return done !== undefined;
}

/** In its own transaction: whoever changes a collection locks it first, and then its backfills, and so does this. */
async function finish(
  db: Database,
  accountId: string,
  collectionId: string,
  fieldKey: number,
  reached: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const [row] = await lockCollection(tx, accountId, collectionId);
    const [finished] = await finishBackfill(tx, accountId, fieldKey, reached);
    if (!row || !finished) return;
    const fields = row.fields.map(({ pending, ...field }) =>
      field.key === fieldKey || !pending ? field : { ...field, pending },
    );
    await replaceFields(tx, accountId, collectionId, JSON.stringify(fields));
  });
}

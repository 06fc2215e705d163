import { firstUuidAt, uuidTime } from '../shared/ids.ts';
import type { Database } from '../shared/postgres/database.ts';
import { statement } from '../shared/postgres/database.ts';

const DAY_MS = 24 * 3_600_000;

/** Deliveries are shown and may be replayed for so long. */
export const SHOWN_MS = 30 * DAY_MS;

/** A partition goes when the last replay of what is in it has ended as well. */
const KEPT_MS = SHOWN_MS + 5 * DAY_MS;

const TABLES = ['webhook_messages', 'webhook_deliveries', 'webhook_attempts'] as const;

/** Any number that nobody else locks: processes make and drop partitions one after another. */
const LOCK = 7_205_611_394_118;

/**
 * The partitions of what is pushed: one a day for each table, by the time in the message's id. They are made before they
 * are needed, and dropped, which costs the same however much is in them.
 */
export class Partitions {
  readonly #db: Database;
  readonly #known = new Set<number>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** Makes sure that messages of this id's day, and of the next, can be written. */
  async prepareFor(messageId: string): Promise<void> {
    const day = Math.floor(uuidTime(messageId) / DAY_MS);
    if (!this.#known.has(day)) await this.#make(day);
    // Ahead of midnight, so that nobody waits for it then.
    if (!this.#known.has(day + 1)) await this.#make(day + 1);
  }

  /** Drops the days that nobody is shown any more. */
  async dropOld(now: number): Promise<void> {
    const last = Math.floor((now - KEPT_MS) / DAY_MS);
    for (const { name } of await listPartitions(this.#db)) {
      const day = Number(/_day(\d+)$/.exec(name)?.[1] ?? Number.NaN);
      if (!(day < last)) continue;
      await this.#db.transaction(async (tx) => {
        // It waits for the statements under way, and everybody else for it: not for long.
        await tx.query("set local lock_timeout = '2s'");
        await tx.query(`drop table if exists ${name}`);
      });
      this.#known.delete(day);
    }
    await forgetQueuedBefore(this.#db, firstUuidAt(last * DAY_MS));
  }

  async #make(day: number): Promise<void> {
    const [from, to] = [firstUuidAt(day * DAY_MS), firstUuidAt((day + 1) * DAY_MS)];
    await this.#db.transaction(async (tx) => {
      await tx.query('select pg_advisory_xact_lock($1)', [LOCK]);
      const existing = new Set((await listPartitions(tx)).map(({ name }) => name));
      for (const table of TABLES) {
        const name = `${table}_day${day}`;
        if (existing.has(name)) continue;
        // Attached, since `partition of` would lock out everybody who reads or writes any day.
        await tx.query(`create table ${name} (like ${table} including all)`);
        await tx.query(`alter table ${table} attach partition ${name} for values from ('${from}') to ('${to}')`);
      }
    });
    this.#known.add(day);
  }
}

const listPartitions = statement<{ name: string }>(
  'webhooks.list_partitions',
  `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
   where i.inhparent = any(array['webhook_messages', 'webhook_deliveries', 'webhook_attempts']::regclass[])
   order by c.relname`,
);

const forgetQueuedBefore = statement(
  'webhooks.forget_queued_before',
  'delete from webhook_queue where message_id < $1',
);

import { firstUuidAt, uuidTime } from '../shared/ids.ts';
import type { Database } from '../shared/postgres/database.ts';
import { statement } from '../shared/postgres/statement.ts';
import { DAY } from '../shared/units.ts';

/** For how long deliveries can be read and replayed. */
export const VISIBLE_MS = 30 * DAY;

/** The last replay of a delivery may take 5 days. */
const RETENTION_MS = VISIBLE_MS + 5 * DAY;

const TABLES = ['webhook_messages', 'webhook_deliveries', 'webhook_attempts'] as const;

/** Processes create and drop partitions one after another. The number is arbitrary. */
const LOCK = 7_205_611_394_118;

/**
 * One partition a day of each table, by the time in the message's id. Partitions are created before they are needed;
 * dropping one costs the same however much it contains.
 */
export class Partitions {
  readonly #db: Database;
  readonly #known = new Set<number>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** Creates the partitions of this message's day and, ahead of midnight, of the next day. */
  async ensureFor(messageId: string): Promise<void> {
    const day = Math.floor(uuidTime(messageId) / DAY);
    for (const each of [day, day + 1]) if (!this.#known.has(each)) await this.#create(each);
  }

  /** Drops the partitions of days whose deliveries can no longer be read. */
  async applyRetention(now: number): Promise<void> {
    const oldest = Math.floor((now - RETENTION_MS) / DAY);
    for (const { name } of await listPartitions(this.#db)) {
      const day = Number(/_day(\d+)$/.exec(name)?.[1] ?? Number.NaN);
      if (!(day < oldest)) continue;
      await this.#db.transaction(async (tx) => {
        // Dropping waits for running statements, and new statements wait for it.
        await tx.query("set local lock_timeout = '2s'");
        await tx.query(`drop table if exists ${name}`);
      });
      this.#known.delete(day);
    }
    await deleteQueuedBefore(this.#db, { end: firstUuidAt(oldest * DAY) });
  }

  async #create(day: number): Promise<void> {
    const [from, to] = [firstUuidAt(day * DAY), firstUuidAt((day + 1) * DAY)];
    await this.#db.transaction(async (tx) => {
      await tx.query('select pg_advisory_xact_lock($1)', [LOCK]);
      const existing = new Set((await listPartitions(tx)).map(({ name }) => name));
      for (const table of TABLES) {
        const name = `${table}_day${day}`;
        if (existing.has(name)) continue;
        // `create table … partition of` would lock out everyone who reads or writes any day.
        await tx.query(`create table ${name} (like ${table} including all)`);
        await tx.query(`alter table ${table} attach partition ${name} for values from ('${from}') to ('${to}')`);
      }
    });
    this.#known.add(day);
  }
}

const listPartitions = statement('webhooks.list_partitions', {}).returns<{ name: string }>(
  `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
   where i.inhparent = any(array['webhook_messages', 'webhook_deliveries', 'webhook_attempts']::regclass[])
   order by c.relname`,
);

const deleteQueuedBefore = statement('webhooks.delete_queued_before', { end: 'uuid' }).runs(
  'delete from webhook_queue where message_id < :end',
);

import type { Tx } from './postgres/database.ts';
import { statement } from './postgres/statement.ts';

/** A change of one resource, for subscribers. */
interface OutboxItem {
  /** UUID. */
  resourceId: string;
  /** Number of changes of this resource so far. */
  sequence: number;
  /** The state at this change; undefined if the resource's own rows will still have it later. */
  data?: unknown;
}

/** The topic of subscribers to everything. */
export const EVERY_TOPIC = '*';

/**
 * SQL: whether the account has a subscriber for the topic. It is part of the statement that makes the change, so that
 * changes without subscribers cost nothing and no new subscription is missed.
 * @param account, topic parameters or constants
 */
export function isSubscribed(account: string, topic: string): string {
  return `exists (select from outbox_subscriptions sub
    where sub.account_id = ${account} and sub.topic in ('${EVERY_TOPIC}', ${topic}))`;
}

/**
 * SQL: as `isSubscribed`, for rows of a CTE. On Citus a sub-query cannot refer to their columns.
 * @param account SQL
 * @param topics all topics that the rows may have
 * @param topic that of a row, as SQL, if there are several
 */
export function areSubscribed(account: string, topics: readonly string[], topic?: string): string {
  if (topic === undefined) {
    return `${account} in (select sub.account_id from outbox_subscriptions sub
      where sub.topic in ('${EVERY_TOPIC}', '${topics[0]}'))`;
  }
  const list = topics.map((each) => `'${each}'`).join(', ');
  return `(${account}, ${topic}) in (select sub.account_id, t.topic from outbox_subscriptions sub
    join unnest(array[${list}]) t (topic) on sub.topic in ('${EVERY_TOPIC}', t.topic))`;
}

/** Writes changes to the outbox, in the transaction that makes them, if the topic has a subscriber. */
export async function writeOutbox(
  tx: Tx,
  account_id: string,
  topic: string,
  items: readonly OutboxItem[],
  now: number,
): Promise<void> {
  const hasData = items.some(({ data }) => data !== undefined);
  await insertOutbox(tx, {
    account_id,
    topic,
    resources: items.map(({ resourceId }) => resourceId),
    sequences: items.map(({ sequence }) => sequence),
    data: hasData ? JSON.stringify(items.map(({ data }) => data ?? null)) : null,
    now: new Date(now),
  });
}

const insertOutbox = statement('outbox.insert', {
  account_id: 'uuid',
  topic: 'text',
  resources: 'uuid[]',
  sequences: 'bigint[]',
  data: 'text?',
  now: 'timestamptz',
}).runs(
  `insert into outbox (account_id, topic, resources, sequences, data, at)
   select :account_id, :topic, :resources, :sequences, :data, :now where ${isSubscribed(':account_id', ':topic')}`,
);

/**
 * Replaces the topics of a subscriber; none unsubscribes it.
 * @param is_ordered whether the changes of the account must be taken in order: by one process at a time
 */
export async function subscribe(
  tx: Tx,
  account_id: string,
  subscriber_id: string,
  topics: readonly string[],
  is_ordered = false,
): Promise<void> {
  await deleteSubscriptions(tx, { account_id, subscriber_id });
  if (topics.length > 0) await insertSubscriptions(tx, { account_id, subscriber_id, topics, is_ordered });
}

const SUBSCRIBER = { account_id: 'uuid', subscriber_id: 'uuid' } as const;

const deleteSubscriptions = statement('outbox.delete_subscriptions', SUBSCRIBER).runs(
  'delete from outbox_subscriptions where account_id = :account_id and subscriber_id = :subscriber_id',
);

const insertSubscriptions = statement('outbox.insert_subscriptions', {
  ...SUBSCRIBER,
  topics: 'text[]',
  is_ordered: 'boolean',
}).runs(
  `insert into outbox_subscriptions (account_id, subscriber_id, topic, is_ordered)
   select :account_id, :subscriber_id, unnest(:topics), :is_ordered on conflict do nothing`,
);

export interface OutboxRow {
  account_id: string;
  topic: string;
  resources: string[];
  /** 64-bit integers as text. */
  sequences: string[] | null;
  data: unknown[] | null;
  at: Date;
}

interface StoredRow extends Omit<OutboxRow, 'data'> {
  data: string | null;
}

/** Reacts to rows of the outbox in the transaction that removes them; an error keeps them there. It may be called again. */
export type OutboxConsumer = (tx: Tx, rows: readonly OutboxRow[]) => Promise<void>;

/**
 * Removes the oldest rows of some accounts, skipping rows that another process is removing, and accounts with a subscriber in order of which
 * it is removing any. Takes up to `changes` changes and
 * `bytes` bytes of each account, and at least one row. Finds each account with one index probe, so that a long backlog does not delay the others.
 */
export async function takeOutbox(tx: Tx, limits: Parameters<typeof takeRows>[1]): Promise<OutboxRow[]> {
  const taken = await takeRows(tx, limits);
  return taken.map((row) => ({ ...row, data: row.data === null ? null : JSON.parse(row.data) }));
}

const takeRows = statement('outbox.take', {
  after: 'uuid',
  accounts: 'integer',
  changes: 'integer',
  bytes: 'integer',
}).returns<StoredRow>(
  `with recursive waiting as (
     (select account_id from outbox where account_id > :after order by account_id limit 1)
     union all
     select (select o.account_id from outbox o where o.account_id > waiting.account_id order by o.account_id limit 1)
     from waiting where waiting.account_id is not null),
   heads as materialized (
     select account_id from waiting
     where account_id is not null and case
       when (
         select true from outbox_subscriptions s where s.account_id = waiting.account_id and s.is_ordered limit 1)
       then pg_try_advisory_xact_lock(hashtextextended('outbox ' || waiting.account_id, 0))
       else true end
     limit :accounts),
   locked as materialized (
     select o.account_id, o.id, o.size, o.bytes
     from heads
     cross join lateral (
       select account_id, id, cardinality(resources) as size, coalesce(octet_length(data), 0) as bytes from outbox
       where account_id = heads.account_id order by id limit least(200, :changes) for update skip locked) o),
   counted as (
     select account_id, id, sum(size) over earlier - size as before, sum(bytes) over earlier - bytes as bytes_before
     from locked window earlier as (partition by account_id order by id))
   delete from outbox using counted
   where outbox.account_id = counted.account_id and outbox.id = counted.id and counted.before < :changes
     and counted.bytes_before < :bytes
   returning outbox.account_id, outbox.topic, outbox.resources, outbox.sequences, outbox.data, outbox.at`,
);

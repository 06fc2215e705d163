import { statement, type Tx } from './postgres/database.ts';

/** A change of one thing, to be pushed to whoever subscribed. */
export interface OutboxItem {
  /** UUID. */
  resourceId: string;
  /** Counts the changes of this resource. */
  sequence: number;
  /** What was true at this change; undefined where the resource's own rows go on telling it. */
  data?: unknown;
}

/**
 * SQL: whether anybody of the account subscribed to the topic. Part of the statement that makes a change, so that what
 * nobody reads costs nothing and no subscription is missed.
 * @param account, topic expressions of SQL
 */
export function isSubscribed(account: string, topic: string): string {
  return `exists (select from outbox_subscriptions sub
    where sub.account_id = ${account} and sub.topic in ('*', ${topic}))`;
}

/** Writes what is to be pushed, in the transaction of the change; where nobody subscribed to the topic, nothing. */
export async function writeOutbox(
  tx: Tx,
  accountId: string,
  topic: string,
  items: readonly OutboxItem[],
  now: number,
): Promise<void> {
  const hasData = items.some(({ data }) => data !== undefined);
  await insertOutbox(
    tx,
    accountId,
    topic,
    items.map(({ resourceId }) => resourceId),
    items.map(({ sequence }) => sequence),
    hasData ? JSON.stringify(items.map(({ data }) => data ?? null)) : null,
    new Date(now),
  );
}

const insertOutbox = statement(
  'outbox.insert',
  `insert into outbox (account_id, topic, resources, sequences, data, at)
   select $1::uuid, $2::text, $3::uuid[], $4::bigint[], $5::json, $6::timestamptz
   where ${isSubscribed('$1::uuid', '$2::text')}`,
);

/** What is pushed to a subscriber to `*`, beside the topics themselves. */
export const EVERY_TOPIC = '*';

/** A subscriber reads these topics from now on, and no other. None: it reads nothing any more. */
export async function subscribe(
  tx: Tx,
  accountId: string,
  subscriberId: string,
  topics: readonly string[],
): Promise<void> {
  await unsubscribeAll(tx, accountId, subscriberId);
  if (topics.length > 0) await subscribeTo(tx, accountId, subscriberId, topics);
}

const unsubscribeAll = statement(
  'outbox.unsubscribe_all',
  'delete from outbox_subscriptions where account_id = $1 and subscriber_id = $2',
);

const subscribeTo = statement(
  'outbox.subscribe_to',
  `insert into outbox_subscriptions (account_id, subscriber_id, topic) select $1, $2, unnest($3::text[])
   on conflict do nothing`,
);

export interface OutboxRow {
  account_id: string;
  topic: string;
  resources: string[];
  /** Integers of 64 bits, as text. */
  sequences: string[] | null;
  data: unknown[] | null;
  at: Date;
}

/**
 * Takes the oldest rows of some accounts out of the outbox, for good if the transaction commits; rows that another process
 * takes are passed over. Accounts are found by one step through the index each, so that one that has much there holds up
 * no other.
 * $1 after which account, $2 accounts at most, $3 changes of an account at most (but for a row that holds more)
 */
export const takeOutbox = statement<OutboxRow>(
  'outbox.take',
  `with recursive waiting as (
     (select account_id from outbox where account_id > $1 order by account_id limit 1)
     union all
     select (select o.account_id from outbox o where o.account_id > waiting.account_id order by o.account_id limit 1)
     from waiting where waiting.account_id is not null),
   heads as (select account_id from waiting where account_id is not null limit $2),
   locked as materialized (
     select o.account_id, o.id, o.size
     from heads
     cross join lateral (
       select account_id, id, cardinality(resources) as size from outbox
       where account_id = heads.account_id order by id limit 200 for update skip locked) o),
   counted as (
     select account_id, id, sum(size) over (partition by account_id order by id) - size as before from locked)
   delete from outbox using counted
   where outbox.account_id = counted.account_id and outbox.id = counted.id and counted.before < $3
   returning outbox.account_id, outbox.topic, outbox.resources, outbox.sequences, outbox.data, outbox.at`,
);

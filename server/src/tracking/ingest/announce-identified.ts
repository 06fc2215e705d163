import { SESSION_IDENTIFIED } from '../hooks.ts';

/**
 * SQL that writes to the outbox which sessions were identified, for accounts with a subscriber to that, at `:now`.
 * @param rows SQL: what follows `from`, with a condition: rows with `account_id` and `number`
 */
export const announceIdentified = (rows: string): string =>
  `insert into outbox (account_id, topic, resources, data, at)
     select account_id, '${SESSION_IDENTIFIED}', array[account_id], json_agg(number)::text, :now
     from ${rows} and account_id in (
       select sub.account_id from outbox_subscriptions sub where sub.topic = '${SESSION_IDENTIFIED}')
     group by account_id`;

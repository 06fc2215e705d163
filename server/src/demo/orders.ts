import { CLICK_ID_NAMES } from '../shared/click-ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { plannedStatement } from '../shared/postgres/statement.ts';
import { CHANNELS, COUNTRIES, STEPS } from './shop.ts';
import { digestOf, uuidAt } from './sql.ts';

/**
 * Writes the conversions of `demo_sessions`: orders that the shop's back end reported, some adjusted since, with renewals a
 * month later to reach the number; and unmatched reports.
 */
export async function writeOrders(
  tx: Tx,
  accountId: string,
  size: { sessions: number; conversions: number },
  now: number,
): Promise<void> {
  await draftOrders(tx, {
    now: new Date(now),
    currencies: COUNTRIES.map(([, currency]) => currency),
    click_names: CHANNELS.map((channel) => channel[3]),
    limit: size.conversions,
  });
  await writeConversions(tx, { account_id: accountId });
  await writeReports(tx, { account_id: accountId });
  await writeAdjustments(tx, { account_id: accountId, now: new Date(now) });
  await writeUnmatched(tx, {
    account_id: accountId,
    now: new Date(now),
    session_count: size.sessions,
    names: ['gclid', 'gclid', 'fbclid', 'sessionHash', CLICK_ID_NAMES[7] ?? 'gclid'],
  });
  await tx.query('drop table demo_sessions, demo_orders');
}

const draftOrders = plannedStatement({
  now: 'timestamptz',
  currencies: 'text[]',
  click_names: 'text[]',
  limit: 'integer',
}).runs(
  `create temp table demo_orders as
   select b.*, ${uuidAt('b.received_at')} as id,
     case when b.name is null then jsonb_build_object('sessionHash', b.hash) else jsonb_build_object(b.name, b.click) end
       as identifier,
     case when b.name is null then ${digestOf("E'hash\\n' || b.hash")} else ${digestOf("b.name || E'\\n' || b.click")} end
       as digest,
     case when random() < 0.08 and b.received_at + interval '9 days' < :now then 0
       when random() < 0.04 then round(b.value / 2, 2) end as adjusted
   from (
     select s.number, s.hash, s.click, event, at, at + random() * interval '2 hours' as received_at,
       (:currencies)[s.country] as currency, round((29 + 90 * random() * random())::numeric, 2) as value,
       event || '-' || s.number as event_id,
       case when random() < 0.7 then (:click_names)[s.channel] end as name
     from demo_sessions s
     cross join lateral (
       values ('purchase', date_trunc('milliseconds', s.started_at + interval '7 minutes')),
         ('renewal', date_trunc('milliseconds', s.started_at + interval '30 days 7 minutes'))) o (event, at)
     where s.depth = ${STEPS.length} and at < :now - interval '2 hours'
     order by event, random() limit :limit) b
   order by b.received_at`,
);

const writeConversions = plannedStatement({ account_id: 'uuid' }).runs(
  `insert into conversions (account_id, id, event_id, sent_event, value, currency, sent_created_on, received_at, origin,
     identifier, identifier_digest, session_number, extra, updated_at)
   select :account_id, id, event_id, event, coalesce(adjusted, value), currency, at, received_at, 'report', identifier, digest,
     number, jsonb_build_object('plan', case when value > 60 then 'yearly' else 'monthly' end), received_at
   from demo_orders order by id`,
);

const writeReports = plannedStatement({ account_id: 'uuid' }).runs(
  `insert into conversion_revisions (account_id, conversion_id, arrival, event, value, currency, created_on, identifier,
     origin, received_at, inserted_xid)
   select :account_id, id, nextval('conversion_arrival_seq'), event, value, currency, at, identifier, 'report', received_at, 0
   from demo_orders order by id`,
);

const writeAdjustments = plannedStatement({ account_id: 'uuid', now: 'timestamptz' }).runs(
  `insert into conversion_revisions (account_id, conversion_id, arrival, value, identifier, origin, received_at, inserted_xid)
   select :account_id, id, nextval('conversion_arrival_seq'), adjusted, identifier, 'report',
     least(received_at + interval '8 days', :now), 0
   from demo_orders where adjusted is not null order by id`,
);

/** Reports of the last days without a session: clicks that were not recorded, and hashes that were truncated. */
const writeUnmatched = plannedStatement({
  account_id: 'uuid',
  now: 'timestamptz',
  session_count: 'integer',
  names: 'text[]',
}).runs(
  `insert into unmatched_conversions (account_id, id, digest, identifier, event_id, sent_event, value, currency,
     sent_created_on, received_at, arrival)
   select :account_id, ${uuidAt('at')}, ${digestOf("type || E'\\n' || value")}, jsonb_build_object(name, value),
     'order-u' || n, 'purchase', round((29 + 60 * random())::numeric, 2), 'EUR', at, at, nextval('conversion_arrival_seq')
   from (
     select n, :now - random() * interval '29 days' as at, name,
       case when name = 'sessionHash' then 'hash' else name end as type,
       case when name = 'sessionHash' then substr(md5(random()::text), 1, 12) else 'Cj0' || md5(random()::text) end as value
     from generate_series(1, greatest(12, :session_count / 400)) n
     cross join lateral (select (:names)[1 + n % cardinality(:names)] as name) k) u
   order by at`,
);

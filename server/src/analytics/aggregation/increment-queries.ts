import { rows, statement } from '../../shared/postgres/statement.ts';
import { sessionTexts } from '../sql-expressions.ts';

// Statements that read the tables of tracking and conversions.

const TEXTS = ['source', 'medium', 'campaign', 'term', 'content', 'landing_page'];
const OF_SESSION = ['clicked_at', 'is_bot', 'is_internal', ...TEXTS];
const OWN = ['known_at', 'sale_at', 'value', 'currency', 'conversions', 'is_refund', 'session_number'];
const COLUMNS = [...OWN, ...OF_SESSION];

/** A quarter of an hour starts on the same day as what happens in it, in every time zone. */
const CLICKED_AT = "date_bin('15 minutes', s.started_at, '2000-01-01Z')";

/**
 * The latest of a member among the rows of a window. Reports take effect in the order of their arrival, whenever they became known, and a
 * running maximum of texts that start with it takes one pass.
 */
const latest = (member: string, type: string) =>
  `substr(max((lpad(arrival::text, 19, '0') || ${member}::text) collate "C") over w, 20)::${type} as ${member}`;

/**
 * Rebuilds the increments of conversions. Each time at which a revision became known has a state, made of the revisions that were known
 * then and not withdrawn; a page's event (arrival 0) does not count beside trusted reports. An increment is the difference to the state
 * before; if the currency or the time of the sale changed, it is two, of which the later number is what the conversion became.
 * A refund is one even if it changes no sum, because the sale became known no earlier.
 *
 * The row of an import became known when it says, or when the conversion happened: what a table of last year contains was not learned today.
 */
export const increments = statement('analytics.aggregate_increments', {
  conversions: rows({ account_id: 'uuid', id: 'uuid' }),
}).runs(
  `with revision as materialized (
     select w.account_id, w.id, r.arrival, r.origin, r.value, r.currency, r.created_on, r.received_at, r.version, r.withdrawn_version,
       coalesce(r.known_at, case when r.import_id is not null then r.created_on end, r.received_at) as known_at
     from (select distinct account_id, id from :conversions as w) w
     cross join lateral (
       select * from conversion_revisions r where r.account_id = w.account_id and r.conversion_id = w.id offset 0) r),
   undo as materialized (select account_id, id, version, received_at from revision where origin = 'undo'),
   report as materialized (
     select r.*, u.received_at as withdrawn_at from revision r
     left join undo u on u.account_id = r.account_id and u.id = r.id and u.version = r.withdrawn_version
     where r.origin <> 'undo'),
   -- Most conversions have one report.
   counted as materialized (select account_id, id, count(*) as revisions from revision group by 1, 2),
   point as materialized (
     select r.account_id, r.id, r.known_at as at, bool_or(r.origin = 'undo') as is_undo
     from revision r join counted c using (account_id, id) where c.revisions > 1 group by 1, 2, 3),
   -- What undo withdraws divides time: until the next one, more becomes known, and nothing less.
   epoch as materialized (
     select account_id, id, starts_at, lead(starts_at, 1, 'infinity') over (partition by account_id, id order by starts_at) as ends_at
     from (
       select account_id, id, '-infinity'::timestamptz as starts_at from counted where revisions > 1
       union
       select account_id, id, received_at from undo) e),
   live as (
     select e.account_id, e.id, e.starts_at, greatest(r.known_at, e.starts_at) as at, null::boolean as is_undo,
       r.arrival, r.value, r.currency, r.created_on, r.received_at
     from epoch e join report r on r.account_id = e.account_id and r.id = e.id and r.known_at < e.ends_at
       and (r.withdrawn_at is null or r.withdrawn_at > e.starts_at)
     union all
     select e.account_id, e.id, e.starts_at, p.at, p.is_undo, null, null, null, null, null
     from epoch e join point p on p.account_id = e.account_id and p.id = e.id and p.at >= e.starts_at and p.at < e.ends_at),
   trusted as (
     select *, coalesce(at >= min(at) filter (where arrival > 0) over (partition by account_id, id, starts_at), false) as is_trusted from live),
   state as (
     select account_id, id, at, is_undo, value, currency, coalesce(created_on, first_received_at) as sale_at,
       coalesce(has_had_value, false) as has_had_value, reports
     from (
       select account_id, id, at, is_undo, ${latest('value', 'numeric')}, ${latest('currency', 'text')},
         ${latest('created_on', 'timestamptz')}, min(received_at) over w as first_received_at,
         bool_or(value <> 0) over w as has_had_value, count(arrival) over w as reports
       from trusted where arrival is null or arrival > 0 or not is_trusted
       window w as (partition by account_id, id, starts_at, is_trusted order by at)) s
     where is_undo is not null
     union all
     select r.account_id, r.id, r.known_at, false, r.value, r.currency, coalesce(r.created_on, r.received_at), r.value <> 0, 1
     from report r join counted c using (account_id, id) where c.revisions = 1),
   step as (
     select account_id, id, at, is_undo, sale_at, currency, coalesce(value, 0) as value,
       case when reports = 0 or value = 0 and has_had_value then 0 else 1 end as conversions, reports,
       coalesce(value = 0 and has_had_value, false) as is_refunded,
       lag(sale_at) over w as old_sale_at, lag(currency) over w as old_currency,
       lag(coalesce(value, 0)) over w as old_value,
       lag(case when reports = 0 or value = 0 and has_had_value then 0 else 1 end) over w as old_conversions,
       lag(reports) over w as old_reports, coalesce(lag(coalesce(value = 0 and has_had_value, false)) over w, false) as was_refunded
     from state window w as (partition by account_id, id order by at)),
   change as (
     select account_id, id, at, is_undo, sale_at, currency, value, conversions, false as is_old,
       is_refunded and (not was_refunded or (sale_at, currency) is distinct from (old_sale_at, old_currency)) as refunds
     from step where reports > 0
     union all
     select account_id, id, at, is_undo, old_sale_at, old_currency, -old_value, -old_conversions, true,
       is_refunded and not was_refunded
     from step where old_reports > 0),
   difference as (
     select account_id, id, at, sale_at, currency, sum(value) as value, sum(conversions)::smallint as conversions,
       sum(value) < 0 and not bool_or(is_undo) and (count(*) > 1 or bool_or(refunds)) or sum(value) = 0 and bool_or(refunds) as is_refund,
       bool_and(is_old) as is_old
     from change group by account_id, id, at, sale_at, currency
     having sum(value) <> 0 or sum(conversions) <> 0 or bool_or(refunds)),
   numbered as (
     select d.*, row_number() over (partition by account_id, id order by at, is_old desc, value, sale_at, currency) as number from difference d),
   of_session as (
     select w.account_id, w.id, c.session_number, s.number as found, ${CLICKED_AT} as clicked_at, s.is_bot, s.is_internal,
       ${sessionTexts('s')}
     from counted w
     join lateral (
       select session_number from conversions c where c.account_id = w.account_id and c.id = w.id offset 0) c on true
     left join lateral (
       select * from sessions s where s.account_id = w.account_id and s.number = c.session_number offset 0) s on true),
   written as (
     insert into analytics_increments as i (account_id, conversion_id, number, ${COLUMNS.join(', ')})
     select n.account_id, n.id, n.number, n.at, n.sale_at, n.value, n.currency, n.conversions, n.is_refund, s.session_number,
       ${OF_SESSION.map((name) => {
         const missing = name.startsWith('is_') ? 'false' : 'null';
         return `case when s.found is not null then s.${name} else coalesce(known.${name}, ${missing}) end`;
       }).join(', ')}
     from numbered n join of_session s on s.account_id = n.account_id and s.id = n.id
     left join lateral (
       select * from analytics_increments k where k.account_id = n.account_id and k.conversion_id = n.id and k.number = 1 offset 0) known on true
     order by n.account_id, n.id, n.number
     on conflict (account_id, conversion_id, number) do update set ${COLUMNS.map((name) => `${name} = excluded.${name}`).join(', ')}
     where (${COLUMNS.map((name) => `i.${name}`).join(', ')}) is distinct from (${COLUMNS.map((name) => `excluded.${name}`).join(', ')}))
   delete from analytics_increments i using (
     select account_id, id, count(n.number) as increments
     from counted left join numbered n using (account_id, id) group by 1, 2) w
   where i.account_id = w.account_id and i.conversion_id = w.id and i.number > w.increments`,
);

/** Copies the dimensions of sessions into their increments, if they changed. */
export const incrementsOfSessions = statement('analytics.aggregate_increments_of_sessions', {
  sessions: rows({ account_id: 'uuid', number: 'bigint' }),
}).runs(
  `update analytics_increments i set ${OF_SESSION.map((name) => `${name} = s.${name}`).join(', ')}
   from (
     select s.account_id, s.number, ${CLICKED_AT} as clicked_at, s.is_bot, s.is_internal, ${sessionTexts('s')}
     from :sessions as w join sessions s on s.account_id = w.account_id and s.number = w.number) s
   where i.account_id = s.account_id and i.session_number = s.number
     and (${OF_SESSION.map((name) => `i.${name}`).join(', ')}) is distinct from (${OF_SESSION.map((name) => `s.${name}`).join(', ')})`,
);

/** The conversions of an account after an id, in order. */
export const findConversionsAfter = statement('analytics.find_conversions_after', {
  account_id: 'uuid',
  after: 'uuid',
  limit: 'integer',
}).returns<{ account_id: string; id: string }>(
  `select account_id, id from conversions where account_id = :account_id and id > :after order by id limit :limit`,
);

/** Those of more than so many revisions, which are not all counted. */
export const findMuchRestated = statement('analytics.find_much_restated', {
  conversions: rows({ account_id: 'uuid', id: 'uuid' }),
  many: 'integer',
}).returns<{ account_id: string; id: string }>(
  `select w.account_id, w.id from :conversions as w
   cross join lateral (
     select count(*) as n from (
       select from conversion_revisions r where r.account_id = w.account_id and r.conversion_id = w.id limit :many + 1) r offset 0) r
   where r.n > :many`,
);

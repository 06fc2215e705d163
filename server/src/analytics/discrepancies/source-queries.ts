import { statement } from '../../shared/postgres/statement.ts';

// Reads the tables of conversions and destinations.

/** Conversions of a period at a destination, by what became of them. */
export interface DiscrepancyRow {
  destination_id: string;
  name: string;
  platform: string;
  source: string | null;
  campaign: string | null;
  /** `sent`, `changed` (it has another value), or that of the delivery, `queued` or `unqueued`. */
  status: string;
  reason: string | null;
  currency: string | null;
  sent_currency: string | null;
  /** Since 1970. */
  sale_day: number;
  conversions: number;
  sent_conversions: number;
  /** Times 10,000. */
  units: number;
  sent_units: number;
  /** Whether a change is queued. */
  is_queued: boolean;
  /** Whether it waits for its time. */
  waits: boolean;
}

const ACCEPTED = "('sent', 'adjusted', 'retracted')";

/**
 * What each destination has of the conversions of a period, and what they are worth: now, or from the increments and attempts until a time.
 * A first attempt that was accepted is in `sent` alone.
 */
export const findDiscrepancies = statement('analytics.find_discrepancies', {
  account_id: 'uuid',
  from: 'timestamptz',
  to: 'timestamptz',
  known_at: 'timestamptz?',
  now: 'timestamptz',
  time_zone: 'text',
}).returns<DiscrepancyRow>(
  `with worth as materialized (
     select conversion_id as id, sale_at, currency, sum(value) as value, sum(conversions) as conversions,
       max(source) as source, max(campaign) as campaign
     from analytics_increments i
     where account_id = :account_id and sale_at >= :from and sale_at < :to
       and known_at <= coalesce(:known_at, 'infinity'::timestamptz)
     group by conversion_id, sale_at, currency
     having sum(conversions) > 0 or sum(value) <> 0 or bool_or(is_refund) and not exists (
       select from analytics_increments o where o.account_id = :account_id and o.conversion_id = i.conversion_id
         and o.number > max(i.number) and o.known_at <= coalesce(:known_at, 'infinity'::timestamptz))),
   fate as (
     select d.id as destination_id, d.name, d.platform, w.*, e.status, e.reason, e.has, e.value as sent_value, e.currency as sent_currency,
       q.conversion_id is not null as is_queued,
       coalesce(q.tries = 0 and q.due_at > :now, false) as waits
     from destinations d
     cross join worth w
     left join lateral (
       select d2.status, d2.reason, d2.sent is not null and d2.status <> 'retracted' as has,
         (d2.sent ->> 'value')::numeric as value, d2.sent ->> 'currency' as currency
       from destination_deliveries d2
       where :known_at is null and d2.account_id = :account_id and d2.destination_id = d.id and d2.conversion_id = w.id
       union all
       select t.last ->> 'status', t.last ->> 'reason', coalesce(t.got ->> 'action' <> 'retract', false), (t.got ->> 'value')::numeric,
         t.got ->> 'currency'
       from (
         select
           (array_agg(a order by n desc))[1] as last,
           (array_agg(a order by n desc) filter (where a ->> 'status' in ${ACCEPTED}))[1] as got
         from destination_deliveries d2
         cross join lateral jsonb_array_elements(
           case when d2.attempts = '[]' and d2.sent is not null
             then jsonb_build_array(d2.sent || jsonb_build_object('at', d2.sent -> 'sentAt', 'status', 'sent', 'action', 'send'))
             else d2.attempts end) with ordinality as t (a, n)
         where :known_at is not null and d2.account_id = :account_id and d2.destination_id = d.id and d2.conversion_id = w.id
           and (a ->> 'at')::timestamptz <= :known_at) t
       where t.last is not null) e on true
     left join destination_queue q on :known_at is null and q.account_id = :account_id and q.destination_id = d.id and q.conversion_id = w.id
     where d.account_id = :account_id and d.platform <> 'cdn'),
   named as (
     select f.*, case
         when status is null then case when is_queued then 'queued' else 'unqueued' end
         when status in ${ACCEPTED} then case when value is distinct from coalesce(sent_value, 0) or currency is distinct from sent_currency
           then 'changed' else 'sent' end
         else status end as fate
     from fate f)
   select destination_id, name, platform, source, campaign, fate as status, reason, currency, sent_currency,
     (sale_at at time zone :time_zone)::date - '1970-01-01'::date as sale_day,
     count(*) filter (where conversions > 0)::int as conversions,
     count(*) filter (where has)::int as sent_conversions,
     round(coalesce(sum(value), 0) * 10000)::bigint as units,
     round(coalesce(sum(sent_value) filter (where has), 0) * 10000)::bigint as sent_units,
     is_queued, waits
   from named
   group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, is_queued, waits`,
);

import { statement } from '../../shared/postgres/statement.ts';
import { HALF_LIFE_S, type Model } from '../engine/index.ts';
import { pageOf, textOf } from '../sql-expressions.ts';
import { KEY_COLUMNS, type KeyColumn, listOf, quarterOf } from './key-columns.ts';
import { type IncrementsRow, PACKED } from './queries.ts';

// Statements that read the tables of tracking.

/** The models that share a conversion among several clicks. `last` is the click that it was matched to. */
type SharingModel = Exclude<Model, 'last'>;

/** Of the sessions before a conversion the latest ones count. */
const MAX_TOUCHES = 100;

/** What the first `k` of `n` clicks earned, as a part of 1. The last one completes it, so that parts of an amount add up to it. */
const EARNED: Record<SharingModel, string> = {
  first: '1',
  linear: 'k::float8 / n',
  position: 'case when n = 2 then 0.5 else 0.4 + (k - 1) * 0.2 / (n - 2) end',
  timeDecay: 'sum(weight) over clicks / sum(weight) over (partition by conversion_id)',
};

const TOUCH = `s.number, s.started_at, s.is_bot, s.is_internal, s.source, s.medium, s.campaign, s.term, s.content, s.landing_url`;

const creditBy = (model: SharingModel, column: KeyColumn) =>
  statement(`analytics.credit_increments_of_${model}_by_${column}`, {
    account_id: 'uuid',
    // On a quarter of an hour.
    from: 'timestamptz',
    to: 'timestamptz',
    known_at: 'timestamptz',
    unpaid: 'text[]',
    currency: 'text?',
    window: 'interval',
  }).returns<IncrementsRow>(
    `with increment as materialized (
       select *, first_value(sale_at) over (partition by conversion_id order by number) as sold_at from analytics_increments
       where account_id = :account_id and (clicked_at >= :from or sale_at >= :from) and clicked_at < :to and known_at <= :known_at
         and not is_bot and not is_internal),
     sold as materialized (select distinct conversion_id, sold_at, session_number from increment),
     touch as (
       select c.conversion_id, c.sold_at, t.*
       from sold c
       join sessions m on m.account_id = :account_id and m.number = c.session_number
       cross join lateral (
         select ${TOUCH} from sessions s
         where s.account_id = :account_id and s.visitor_id = m.visitor_id and not s.is_bot and not s.is_internal
           and s.started_at >= c.sold_at - :window and s.started_at <= greatest(c.sold_at, m.started_at)
         union
         select ${TOUCH} from lead_sessions l
         join sessions s on s.account_id = l.account_id and s.number = l.session_number and s.lead_id = l.lead_id
         where l.account_id = :account_id and l.lead_id = m.lead_id and not s.is_bot and not s.is_internal
           and l.started_at >= c.sold_at - :window and l.started_at <= greatest(c.sold_at, m.started_at)
         order by started_at desc, number desc limit ${MAX_TOUCHES}) t),
     ordered as (
       select *, row_number() over (partition by conversion_id order by started_at, number) as k,
         count(*) over (partition by conversion_id) as n,
         2 ^ -(extract(epoch from greatest(sold_at - started_at, '0') -
           min(greatest(sold_at - started_at, '0')) over (partition by conversion_id))::float8 / ${HALF_LIFE_S}) as weight
       from touch),
     earning as (
       select *, case when k = n then 1 else (${EARNED[model]})::float8 end as earned
       from ordered window clicks as (partition by conversion_id order by k)),
     share as materialized (
       select *, lag(earned, 1, 0::float8) over (partition by conversion_id order by k) as before from earning),
     credited as (
       select i.known_at, i.sale_at, i.conversions, i.is_refund, i.currency,
         date_bin('15 minutes', s.started_at, '2000-01-01Z') as clicked_at, s.medium, ${textOf('s.source')} as source,
         ${textOf('s.campaign')} as campaign, ${textOf('s.term')} as term, ${textOf('s.content')} as content,
         ${textOf(pageOf('s.landing_url'))} as landing_page, s.earned - s.before as part,
         round(i.value * 10000 * s.earned::numeric) - round(i.value * 10000 * s.before::numeric) as units
       from increment i join share s on s.conversion_id = i.conversion_id
       where s.earned > s.before and s.started_at >= :from
       union all
       -- What remains of erased persons, and of clicks that were earlier, is the click that was matched.
       select known_at, sale_at, conversions, is_refund, currency, clicked_at, medium, source, campaign, term, content, landing_page,
         1, round(value * 10000)
       from increment i
       where clicked_at >= :from and not exists (select from share s where s.conversion_id = i.conversion_id))
     select source, ${column} as key, currency, ${listOf(PACKED)} as packed, ${listOf('units::bigint')} as units,
       case when currency is distinct from :currency then ${listOf(quarterOf('sale_at'))} end as sales, ${listOf('part')} as parts
     from credited
     where source is not null and not coalesce(medium = any(:unpaid), false)
     group by source, ${column === 'source' ? '' : `${column}, `}currency`,
  );

const byColumn = (model: SharingModel) =>
  Object.fromEntries(KEY_COLUMNS.map((column) => [column, creditBy(model, column)])) as Record<
    KeyColumn,
    ReturnType<typeof creditBy>
  >;

/** As `findIncrements`, each shared among the clicks of its visitor and lead within a window before the sale. */
export const creditIncrements: Record<SharingModel, ReturnType<typeof byColumn>> = {
  first: byColumn('first'),
  linear: byColumn('linear'),
  position: byColumn('position'),
  timeDecay: byColumn('timeDecay'),
};

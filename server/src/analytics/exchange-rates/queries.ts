import { rows, statement } from '../../shared/postgres/statement.ts';

/** Adds rates that differ from those known. */
export const putExchangeRates = statement('analytics.put_exchange_rates', {
  account_id: 'uuid',
  rates: rows({ day: 'text', base: 'text', currency: 'text', rate: 'numeric' }),
  now: 'timestamptz',
}).returns<{ written: number }>(
  `with written as (
     insert into exchange_rates as e (account_id, base, currency, day, known_at, rate)
     select :account_id, w.base, w.currency, w.day::date, :now, w.rate
     from :rates as w
     left join lateral (
       select rate from exchange_rates k
       where k.account_id = :account_id and k.base = w.base and k.currency = w.currency and k.day = w.day::date
       order by known_at desc limit 1) known on true
     where known.rate is distinct from w.rate
     order by w.base, w.currency, w.day
     on conflict (account_id, base, currency, day, known_at) do update set rate = excluded.rate
     returning 1)
   select count(*)::int as written from written`,
);

export interface ExchangeRateRow {
  day: string;
  base: string;
  currency: string;
  rate: string;
  known_at: Date;
}

/** The latest days first, of each the rate that is known last. */
export const listExchangeRates = statement('analytics.list_exchange_rates', {
  account_id: 'uuid',
  from: 'text?',
  to: 'text?',
  // The last row of the previous page.
  after_day: 'text?',
  after_base: 'text',
  after_currency: 'text',
  limit: 'integer',
}).returns<ExchangeRateRow>(
  `select * from (
     select distinct on (day, base, currency) day::text, base, currency, trim_scale(rate)::text as rate, known_at
     from exchange_rates
     where account_id = :account_id
       and day >= coalesce(:from::date, '-infinity') and day < coalesce(:to::date, 'infinity')
       and (day, base, currency) < (coalesce(:after_day::date, 'infinity'), :after_base, :after_currency)
     order by day desc, base desc, currency desc, known_at desc) r
   order by day desc, base desc, currency desc limit :limit`,
);

/** The rates of a period that were known at a time. */
export const findExchangeRates = statement('analytics.find_exchange_rates', {
  account_id: 'uuid',
  from: 'text',
  to: 'text',
  known_at: 'timestamptz',
}).returns<{ base: string; currency: string; day: string; rate: number }>(
  `select distinct on (base, currency, day) base, currency, day::text, rate::float8 as rate from exchange_rates
   where account_id = :account_id and day >= :from::date and day < :to::date and known_at <= :known_at
   order by base, currency, day, known_at desc`,
);

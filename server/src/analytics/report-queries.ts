import { statement, type Tx } from '../shared/postgres/database.ts';
import { DIMENSIONS, type Dimension, type Filters, type Include, MANIFOLD, type Period } from './dimensions.ts';

/**
 * When it is a local time in the zone `$2`. Where clocks are set back it comes twice: the first time, which PostgreSQL does not
 * take. Zones change by half an hour, one or two.
 */
const first = (local: string) =>
  `(select coalesce(min(at) filter (where at at time zone $2 = ${local}), min(at) filter (where earlier = 0))
    from unnest(array[0, 30, 60, 120]) earlier
    cross join lateral (select ${local} at time zone $2 - earlier * interval '1 minute' as at) t)`;

/** Days or times ($1), `$3` earlier by the calendar of the zone `$2`. */
const localTimes = statement<{ at: Date }>(
  'analytics.find_local_times',
  `select ${first('local')} as at
   from unnest($1::text[]) with ordinality a (text, n)
   cross join lateral (
     select case when length(text) = 10 then text::timestamp else text::timestamptz at time zone $2 end - $3::interval as local) l
   order by n`,
);
export const findLocalTimes = (tx: Tx, times: string[], timeZone: string, earlier = '0 days') =>
  localTimes(tx, times, timeZone, earlier);

/**
 * When hours, days, weeks or months of a zone begin, from one before `$1` on, $4 of them. Hours follow one another in real time,
 * so that none is lost or counted twice where clocks are changed. $2 zone, $3 interval
 */
export const findStarts = statement<{ at: Date }>(
  'analytics.find_starts',
  `select case when $3 = 'hour' then (date_trunc($3, local) at time zone $2) + n * interval '1 hour'
     else ${first('begin')} end as at
   from (select $1::timestamptz at time zone $2 as local) t, generate_series(-1, $4::int - 2) n
   cross join lateral (select date_trunc($3, local) + n * ('1 ' || case when $3 = 'hour' then 'day' else $3 end)::interval as begin) b
   order by n`,
);

const QUOTED: Record<Dimension, string> = {
  ...Object.fromEntries(DIMENSIONS.map((name) => [name, `"${name}"`])),
} as never;

/** What is counted of `analytics_conversions` and `analytics_leads`: $1 account, $2 from, $3 to, and a parameter for each filter. */
function counted(filters: Filters, include: Include): { where: string; values: unknown[] } {
  const conditions = ['account_id = $1 and at >= $2 and at < $3'];
  if (!include.bots) conditions.push('not is_bot');
  if (!include.internal) conditions.push('not is_internal');
  const values: unknown[] = [];
  for (const [name, wanted] of Object.entries(filters)) {
    const column = QUOTED[name as Dimension];
    const list = `$${4 + values.push(wanted.filter((value) => value !== null)) - 1}::text[]`;
    const isNone = MANIFOLD.includes(name) ? `${column} = '{}'` : `${column} is null`;
    const isOne = MANIFOLD.includes(name) ? `${column} && ${list}` : `${column} = any(${list})`;
    conditions.push(wanted.includes(null) ? `(${isOne} or ${isNone})` : isOne);
  }
  return { where: conditions.join(' and '), values };
}

export interface Selection {
  accountId: string;
  period: Period;
  filters: Filters;
  include: Include;
}

/** Leads, or conversions of one currency. */
interface OutcomeRow {
  is_lead: boolean;
  count: number;
  currency: string | null;
  revenue: string | null;
}

/** Of a part of the line, from 0. */
export interface PartRow extends OutcomeRow {
  part: number;
}

/** Of those with a value of a dimension. */
export interface ValueRow extends OutcomeRow {
  dimension: Dimension;
  value: string | null;
}

/** Counts leads and conversions. @param groups the sets of columns to group by, besides the currency */
async function count<Row extends OutcomeRow>(
  tx: Tx,
  { accountId, period, filters, include }: Selection,
  of: { columns: (parameter: string) => string; from: string; groups: string[] },
  parameters: unknown[] = [],
): Promise<Row[]> {
  const { where, values } = counted(filters, include);
  const columns = of.columns(`$${4 + values.length}`);
  const { from, groups } = of;
  const { rows } = await tx.query<Row>(
    `select ${columns}, true as is_lead, count(*), null::text as currency, null::text as revenue
     from analytics_leads ${from} where ${where} group by grouping sets (${groups.map((each) => `(${each})`)})
     union all
     select ${columns}, false, count(*), currency, sum(value)::text from analytics_conversions ${from} where ${where}
     group by grouping sets (${groups.map((each) => `(${each}, currency)`)})`,
    [accountId, new Date(period.from), new Date(period.to), ...values, ...parameters],
  );
  return rows;
}

/** Leads, conversions and revenue of the parts of a line. @param starts where they begin, in milliseconds */
export const countParts = (tx: Tx, selection: Selection, starts: number[]): Promise<PartRow[]> =>
  count(
    tx,
    selection,
    { columns: (times) => `width_bucket(at, ${times}::timestamptz[]) - 1 as part`, from: '', groups: ['1'] },
    [starts.map((start) => new Date(start))],
  );

/** Leads, conversions and revenue by the values of dimensions: those with one value in one walk, each other in one of its own. */
export async function countValues(tx: Tx, selection: Selection, dimensions: readonly Dimension[]): Promise<ValueRow[]> {
  const single = dimensions.filter((name) => !MANIFOLD.includes(name));
  const walks = dimensions.flatMap((name) => {
    if (!MANIFOLD.includes(name)) return [];
    const values = `case when ${QUOTED[name]} = '{}' then '{null}'::text[] else ${QUOTED[name]} end`;
    const from = `cross join unnest(${values}) v (one)`;
    return [{ columns: () => `'${name}' as dimension, one as value`, from, groups: ['one'] }];
  });
  if (single.length > 0) {
    const chosen = (what: (name: Dimension) => string) =>
      `case ${single.map((name) => `when grouping(${QUOTED[name]}) = 0 then ${what(name)}`).join(' ')} end`;
    const columns = `${chosen((name) => `'${name}'`)} as dimension, ${chosen((name) => QUOTED[name])} as value`;
    walks.push({ columns: () => columns, from: '', groups: single.map((name) => QUOTED[name]) });
  }
  return (await Promise.all(walks.map((walk) => count<ValueRow>(tx, selection, walk)))).flat();
}

/** Events without a session by name or funnel; `event` and `funnel` may be filtered. Whole quarters of an hour. */
export async function countLooseEvents(
  tx: Tx,
  { accountId, period, filters, include }: Selection,
  by: 'event' | 'funnel',
): Promise<{ value: string | null; events: number }[]> {
  const isOut = Object.entries(filters).some(
    ([name, values]) => name !== 'event' && name !== 'funnel' && !values.includes(null),
  );
  if (isOut) return [];
  const wanted = (name: 'event' | 'funnel') => filters[name]?.map((value) => value ?? '') ?? null;
  const { rows } = await tx.query<{ value: string | null; events: number }>(
    `select nullif(${by}, '') as value, sum(events)::bigint as events from analytics_loose_events
     where account_id = $1 and at >= $2 and at < $3 and ($4 or not is_bot) and ($5 or not is_internal)
       and ($6::text[] is null or event = any($6)) and ($7::text[] is null or funnel = any($7))
     group by 1`,
    [
      accountId,
      new Date(period.from),
      new Date(period.to),
      include.bots,
      include.internal,
      wanted('event'),
      wanted('funnel'),
    ],
  );
  return rows;
}

import pg from 'pg';
import type { Tx } from '../../shared/postgres/database.ts';
import { DynamicParameters, statement } from '../../shared/postgres/statement.ts';
import { channelSql } from '../channel-rules/rule-sql.ts';
import {
  acceptNone,
  acceptsNone,
  acceptsValue,
  type Condition,
  type Dimension,
  type Filters,
  type Include,
  isMultiValued,
  isNegated,
  type Period,
  SINGLE_VALUED,
} from '../dimensions.ts';
import { type ConversionView, conversionsFrom } from './conversions-from.ts';

/** The column of a value, or of the key of a list of values in `analytics_lists`; 0 is the empty list. */
const columnOf = (name: Dimension): string =>
  isMultiValued(name) ? `${name}_list` : name === 'channel' ? 'own_channel' : SINGLE_VALUED[name];

/** Leads and conversions with `own_channel`. */
const tablesOf = (selection: Selection, format: Format) => ({
  leads: `(select *, ${channelSql(selection.accountId, selection.channels, format)} as own_channel from analytics_leads) l`,
  conversions: conversionsFrom(selection, format),
});

export interface Selection extends ConversionView {
  period: Period;
  filters: Filters;
  include: Include;
}

/** Formats a value for a statement: as a parameter, or as a literal for COPY, which takes no parameters. */
type Format = DynamicParameters['add'];

export const formatLiteral: Format = (type, value) => {
  const literals = [value]
    .flat()
    .map((each) => pg.escapeLiteral(each instanceof Date ? each.toISOString() : `${each}`));
  return `${Array.isArray(value) ? `array[${literals}]` : literals[0]}::${type}`;
};

/** The rows that a selection covers by a time. */
export function whereClause(
  { accountId, period, filters, include }: Pick<Selection, 'accountId' | 'period' | 'filters' | 'include'>,
  time: string,
  format: Format,
): string {
  const conditions = [
    `account_id = ${format('uuid', accountId)} and ${time} >= ${format('timestamptz', new Date(period.from))}
       and ${time} < ${format('timestamptz', new Date(period.to))}`,
  ];
  if (!include.bots) conditions.push('not is_bot');
  if (!include.internal) conditions.push('not is_internal');
  for (const [name, each] of Object.entries(filters)) {
    for (const condition of each) conditions.push(conditionSql(accountId, name as Dimension, condition, format));
  }
  return conditions.join(' and ');
}

function conditionSql(accountId: string, name: Dimension, { operator, values }: Condition, format: Format): string {
  const column = columnOf(name);
  const list = format(
    'text[]',
    values.filter((value) => value !== null),
  );
  const isText = operator === 'contains' || operator === 'containsNot';
  const includes = (value: string) =>
    `exists (select from unnest(${list}) as t (part) where position(lower(part collate "C") in lower(${value} collate "C")) > 0)`;
  // The lists that match are found once: they are far fewer than the rows.
  const matches = isMultiValued(name)
    ? `${column} in (select key from analytics_lists where account_id = ${format('uuid', accountId)} and ${
        isText ? `exists (select from unnest(list) as e (value) where ${includes('e.value')})` : `list && ${list}`
      })`
    : `coalesce(${isText ? includes(column) : `${column} = any(${list})`}, false)`;
  const isNone = isMultiValued(name) ? `${column} = 0` : `${column} is null`;
  const either = !isText && values.includes(null) ? `(${matches} or ${isNone})` : matches;
  return isNegated(operator) ? `not ${either}` : either;
}

/** Leads, the conversions of one currency, or the sessions that started in the period and converted. */
export interface OutcomeRow {
  type: 'leads' | 'conversions' | 'converting';
  count: number;
  refunds: number;
  /** The currency, and for amounts to convert the day of the sale after a space. */
  sold_in: string | null;
  revenue: string | null;
}

/** `interval`: its index; null: the total. */
type IntervalRow = OutcomeRow & { interval: number | null };

type ValueRow = OutcomeRow & { dimension: Dimension; value: string | null };

/** How outcomes are grouped, besides by currency: columns, and the sets of them to group by; no set: all rows are one group. */
interface Grouping {
  columns: string;
  sets: string[][];
}

/** Outcomes in groups. @param whereBy the condition by the time of leads and conversions, or by the start of sessions */
function outcomesSql(
  { columns, sets }: Grouping,
  { leads, conversions }: ReturnType<typeof tablesOf>,
  whereBy: (time: 'at' | 'session_started_at') => string,
): string {
  const select = columns === '' ? 'select' : `select ${columns},`;
  const groupBy = (...more: string[]) => {
    const each = (sets.length === 0 ? [[]] : sets).map((set) => [...set, ...more]);
    if (each.length === 1) return each[0]?.length === 0 ? '' : `group by ${each[0]}`;
    return `group by grouping sets (${each.map((set) => `(${set})`)})`;
  };
  const ofSession = [...new Set(sets.flat())];
  // All conversions of a session have its values, so one of them stands for it.
  return `${select} 'leads' as type, count(*), 0::bigint as refunds, null::text as sold_in, null::numeric as revenue
     from ${leads} where ${whereBy('at')} ${groupBy()}
     union all
     ${select} 'conversions', count(*) filter (where not is_refunded), count(*) filter (where is_refunded), sold_in, sum(value)
     from ${conversions} where ${whereBy('at')} ${groupBy('sold_in')}
     union all
     ${select} 'converting', count(*), 0, null, null
     from (
       select distinct on (session_started_at, session_number) ${['session_number', ...ofSession]} from ${conversions}
       where ${whereBy('session_started_at')} and not is_refunded
       order by session_started_at, session_number) s ${groupBy()}`;
}

/**
 * Outcomes by interval and in total. Each interval is a range of the index: that takes half the time of assigning an interval to
 * each row. Nothing belongs to two intervals, a session neither, which starts in one.
 * @param starts of the intervals, in milliseconds; the first is that of the period
 */
export async function countByInterval(tx: Tx, selection: Selection, starts: number[]): Promise<IntervalRow[]> {
  const parameters = new DynamicParameters();
  const format = parameters.add.bind(parameters);
  const dates = [...starts, selection.period.to].map((start) => new Date(start));
  const [from, to] = [
    parameters.add('timestamptz[]', dates.slice(0, -1)),
    parameters.add('timestamptz[]', dates.slice(1)),
  ];
  const counts = outcomesSql(
    { columns: '', sets: [] },
    tablesOf(selection, format),
    (time) => `${whereClause(selection, time, format)} and ${time} >= i.starts_at and ${time} < i.ends_at`,
  );
  const { rows } = await tx.query<IntervalRow>(
    `with counted as materialized (
       select number - 1 as interval, o.*
       from unnest(${from}, ${to}) with ordinality as i (starts_at, ends_at, number) cross join lateral (${counts}) o
       where count > 0 or refunds > 0)
     select interval, type, count, refunds, sold_in, revenue::text from counted
     union all
     select null, type, sum(count)::bigint, sum(refunds)::bigint, sold_in, sum(revenue)::text from counted group by type, sold_in`,
    parameters.values,
  );
  return rows;
}

/** Outcomes by the values of dimensions: one scan for all with a single value, one for each other. */
export async function countByValue(
  tx: Tx,
  selection: Selection,
  dimensions: readonly Dimension[],
): Promise<ValueRow[]> {
  const single = dimensions.filter((name) => !isMultiValued(name));
  const statements = dimensions.filter(isMultiValued).map((name) => byElement(name, selection));
  if (single.length > 0) statements.push(bySingleValue(single, selection));
  const results = await Promise.all(statements.map(({ text, values }) => tx.query<ValueRow>(text, values)));
  return results.flatMap(({ rows }) => rows);
}

function bySingleValue(names: readonly Dimension[], selection: Selection) {
  const parameters = new DynamicParameters();
  const columnsOf = names.map(columnOf);
  const ofGroup = (value: (name: Dimension) => string) =>
    `case ${names.map((name) => `when grouping(${columnOf(name)}) = 0 then ${value(name)}`).join(' ')} end`;
  const columns = `${ofGroup((name) => `'${name}'`)} as dimension, ${ofGroup(columnOf)} as value`;
  const format = parameters.add.bind(parameters);
  const counts = outcomesSql(
    { columns, sets: columnsOf.map((column) => [column]) },
    tablesOf(selection, format),
    (time) => whereClause(selection, time, format),
  );
  return {
    text: `select dimension, value, type, count, refunds, sold_in, revenue::text from (${counts}) o`,
    values: parameters.values,
  };
}

/** Grouped by the whole list first, of which there are few: only the groups have to be taken apart. */
function byElement(name: Dimension, selection: Selection) {
  const parameters = new DynamicParameters();
  const format = parameters.add.bind(parameters);
  const counts = outcomesSql(
    { columns: `${columnOf(name)} as key`, sets: [[columnOf(name)]] },
    tablesOf(selection, format),
    (time) => whereClause(selection, time, format),
  );
  return {
    text: `select '${name}' as dimension, element as value, type, sum(count)::bigint as count,
       sum(refunds)::bigint as refunds, sold_in, sum(revenue)::text as revenue
     from (${counts}) o
     left join analytics_lists l on l.account_id = ${format('uuid', selection.accountId)} and l.key = o.key
     cross join unnest(coalesce(l.list, '{null}')) v (element)
     group by element, type, sold_in`,
    values: parameters.values,
  };
}

const findSessionlessEvents = statement('analytics.find_sessionless_events', {
  account_id: 'uuid',
  from: 'timestamptz',
  to: 'timestamptz',
  bots: 'boolean',
  internal: 'boolean',
}).returns<{ event: string; funnel: string | null; events: number }>(
  `select event, nullif(funnel, '') as funnel, sum(events)::bigint as events from analytics_sessionless_events
   where account_id = :account_id and at >= :from and at < :to and (:bots or not is_bot)
     and (:internal or not is_internal)
   group by 1, 2`,
);

/** Events without a session by event or funnel. They have no value of any other dimension. */
export async function countSessionlessEvents(
  tx: Tx,
  { accountId, period, filters, include }: Selection,
  by: 'event' | 'funnel',
): Promise<Map<string | null, number>> {
  const { event: eventConditions = [], funnel: funnelConditions = [], ...others } = filters;
  const counts = new Map<string | null, number>();
  if (!acceptNone(others)) return counts;
  const accepts = (conditions: Condition[], value: string | null) =>
    conditions.every((each) => (value === null ? acceptsNone(each) : acceptsValue(each, value)));
  const range = { from: new Date(period.from), to: new Date(period.to) };
  for (const row of await findSessionlessEvents(tx, { account_id: accountId, ...range, ...include })) {
    if (!accepts(eventConditions, row.event) || !accepts(funnelConditions, row.funnel)) continue;
    counts.set(row[by], (counts.get(row[by]) ?? 0) + row.events);
  }
  return counts;
}

import pg from 'pg';
import type { Tx } from '../../shared/postgres/database.ts';
import { DynamicParameters, statement } from '../../shared/postgres/statement.ts';
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

const columnOf = (name: Dimension): string => (isMultiValued(name) ? name : SINGLE_VALUED[name]);

export interface Selection {
  accountId: string;
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
export function whereClause({ accountId, period, filters, include }: Selection, time: string, format: Format): string {
  const conditions = [
    `account_id = ${format('uuid', accountId)} and ${time} >= ${format('timestamptz', new Date(period.from))}
       and ${time} < ${format('timestamptz', new Date(period.to))}`,
  ];
  if (!include.bots) conditions.push('not is_bot');
  if (!include.internal) conditions.push('not is_internal');
  for (const [name, each] of Object.entries(filters)) {
    for (const condition of each) conditions.push(conditionSql(name as Dimension, condition, format));
  }
  return conditions.join(' and ');
}

function conditionSql(name: Dimension, { operator, values }: Condition, format: Format): string {
  const column = columnOf(name);
  const list = format(
    'text[]',
    values.filter((value) => value !== null),
  );
  const isText = operator === 'contains' || operator === 'containsNot';
  const includes = (value: string) =>
    `exists (select from unnest(${list}) as t (part) where position(lower(part collate "C") in lower(${value} collate "C")) > 0)`;
  const matches = isMultiValued(name)
    ? isText
      ? `exists (select from unnest(${column}) as e (value) where ${includes('e.value')})`
      : `${column} && ${list}`
    : `coalesce(${isText ? includes(column) : `${column} = any(${list})`}, false)`;
  const isNone = isMultiValued(name) ? `${column} = '{}'` : `${column} is null`;
  const either = !isText && values.includes(null) ? `(${matches} or ${isNone})` : matches;
  return isNegated(operator) ? `not ${either}` : either;
}

/** Leads, the conversions of one currency, or the sessions that started in the period and converted. */
export interface OutcomeRow {
  type: 'leads' | 'conversions' | 'converting';
  count: number;
  refunds: number;
  currency: string | null;
  revenue: string | null;
}

/** `interval`: its index; null: the total. */
export type IntervalRow = OutcomeRow & { interval: number | null };

export type ValueRow = OutcomeRow & { dimension: Dimension; value: string | null };

/** How outcomes are grouped, besides by currency. */
interface Grouping {
  columns(time: string): string;
  /** Follows the table. */
  join?: string;
  /** The sets of columns to group by. */
  sets: string[][];
}

async function countOutcomes<Row extends OutcomeRow>(
  tx: Tx,
  selection: Selection,
  groupingOf: (parameters: DynamicParameters) => Grouping,
): Promise<Row[]> {
  const parameters = new DynamicParameters();
  const { columns, join = '', sets } = groupingOf(parameters);
  const format = parameters.add.bind(parameters);
  const where = whereClause(selection, 'at', format);
  const groupBy = (...more: string[]) => `group by grouping sets (${sets.map((each) => `(${[...each, ...more]})`)})`;
  const { rows } = await tx.query<Row>(
    `select ${columns('at')}, 'leads' as type, count(*), 0::bigint as refunds, null::text as currency,
       null::text as revenue
     from analytics_leads ${join} where ${where} ${groupBy()}
     union all
     select ${columns('at')}, 'conversions', count(*) filter (where not is_refunded), count(*) filter (where is_refunded),
       currency, sum(value)::text
     from analytics_conversions ${join} where ${where} ${groupBy('currency')}
     union all
     select ${columns('session_started_at')}, 'converting', count(distinct session_number), 0, null, null
     from analytics_conversions ${join}
     where ${whereClause(selection, 'session_started_at', format)} and not is_refunded ${groupBy()}`,
    parameters.values,
  );
  return rows;
}

/** Outcomes by interval and in total. @param starts of the intervals, in milliseconds */
export function countByInterval(tx: Tx, selection: Selection, starts: number[]): Promise<IntervalRow[]> {
  return countOutcomes(tx, selection, (parameters) => {
    const dates = starts.map((start) => new Date(start));
    const times = parameters.add('timestamptz[]', dates);
    return { columns: (time) => `width_bucket(${time}, ${times}) - 1 as interval`, sets: [['1'], []] };
  });
}

/** Outcomes by the values of dimensions: one scan for all with a single value, one for each other. */
export async function countByValue(
  tx: Tx,
  selection: Selection,
  dimensions: readonly Dimension[],
): Promise<ValueRow[]> {
  const groupings: Grouping[] = [];
  for (const name of dimensions) {
    if (!isMultiValued(name)) continue;
    const values = `case when ${columnOf(name)} = '{}' then '{null}'::text[] else ${columnOf(name)} end`;
    const join = `cross join unnest(${values}) v (element)`;
    groupings.push({ columns: () => `'${name}' as dimension, element as value`, join, sets: [['element']] });
  }
  const single = dimensions.filter((name) => !isMultiValued(name));
  if (single.length > 0) {
    const ofGroup = (value: (name: Dimension) => string) =>
      `case ${single.map((name) => `when grouping(${columnOf(name)}) = 0 then ${value(name)}`).join(' ')} end`;
    const columns = `${ofGroup((name) => `'${name}'`)} as dimension, ${ofGroup((name) => columnOf(name))} as value`;
    groupings.push({ columns: () => columns, sets: single.map((name) => [columnOf(name)]) });
  }
  const results = await Promise.all(
    groupings.map((grouping) => countOutcomes<ValueRow>(tx, selection, () => grouping)),
  );
  return results.flat();
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

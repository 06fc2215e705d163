import pg from 'pg';
import type { Tx } from '../../shared/postgres/database.ts';
import { DynamicParameters, statement } from '../../shared/postgres/statement.ts';
import { type Dimension, type Filters, type Include, MULTI_VALUED, type Period } from '../dimensions.ts';

const COLUMNS: Record<Dimension, string> = {
  source: 'source',
  medium: 'medium',
  campaign: 'campaign',
  landingPage: 'landing_page',
  country: 'country',
  device: 'device',
  platform: 'platform',
  page: 'page',
  event: 'event',
  funnel: 'funnel',
};

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
  for (const [name, values] of Object.entries(filters)) {
    const column = COLUMNS[name as Dimension];
    const isMulti = MULTI_VALUED.includes(name);
    const texts = values.filter((value) => value !== null);
    const list = format('text[]', texts);
    const matches = isMulti ? `${column} && ${list}` : `${column} = any(${list})`;
    const isNone = isMulti ? `${column} = '{}'` : `${column} is null`;
    conditions.push(values.includes(null) ? `(${matches} or ${isNone})` : matches);
  }
  return conditions.join(' and ');
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
    if (!MULTI_VALUED.includes(name)) continue;
    const values = `case when ${COLUMNS[name]} = '{}' then '{null}'::text[] else ${COLUMNS[name]} end`;
    const join = `cross join unnest(${values}) v (element)`;
    groupings.push({ columns: () => `'${name}' as dimension, element as value`, join, sets: [['element']] });
  }
  const single = dimensions.filter((name) => !MULTI_VALUED.includes(name));
  if (single.length > 0) {
    const ofGroup = (value: (name: Dimension) => string) =>
      `case ${single.map((name) => `when grouping(${COLUMNS[name]}) = 0 then ${value(name)}`).join(' ')} end`;
    const columns = `${ofGroup((name) => `'${name}'`)} as dimension, ${ofGroup((name) => COLUMNS[name])} as value`;
    groupings.push({ columns: () => columns, sets: single.map((name) => [COLUMNS[name]]) });
  }
  const results = await Promise.all(
    groupings.map((grouping) => countOutcomes<ValueRow>(tx, selection, () => grouping)),
  );
  return results.flat();
}

const SESSIONLESS = {
  account_id: 'uuid',
  from: 'timestamptz',
  to: 'timestamptz',
  bots: 'boolean',
  internal: 'boolean',
  events: 'text[]?',
  funnels: 'text[]?',
} as const;

const countSessionless = (column: 'event' | 'funnel') =>
  statement(`analytics.count_sessionless_by_${column}`, SESSIONLESS).returns<{ value: string | null; events: number }>(
    `select nullif(${column}, '') as value, sum(events)::bigint as events from analytics_sessionless_events
     where account_id = :account_id and at >= :from and at < :to and (:bots or not is_bot)
       and (:internal or not is_internal) and (:events is null or event = any(:events))
       and (:funnels is null or funnel = any(:funnels))
     group by 1`,
  );
const COUNT_SESSIONLESS = { event: countSessionless('event'), funnel: countSessionless('funnel') };

/** Events without a session by event or funnel. They have no value of any other dimension. */
export async function countSessionlessEvents(
  tx: Tx,
  { accountId, period, filters, include }: Selection,
  by: 'event' | 'funnel',
): Promise<{ value: string | null; events: number }[]> {
  const { event, funnel, ...others } = filters;
  if (Object.values(others).some((values) => !values.includes(null))) return [];
  const texts = (values: (string | null)[] | undefined) => values?.map((value) => value ?? '') ?? null;
  return COUNT_SESSIONLESS[by](tx, {
    account_id: accountId,
    from: new Date(period.from),
    to: new Date(period.to),
    ...include,
    events: texts(event),
    funnels: texts(funnel),
  });
}

import { FIRST_ID } from '../../shared/ids.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { type ParametersOf, statement } from '../../shared/postgres/statement.ts';
import { type Model, SHARES } from '../engine/index.ts';
import { pageOf, textOf } from '../sql-expressions.ts';
import { KEY_COLUMNS, type KeyColumn, listOf, quarterOf } from './key-columns.ts';
import { type Increments, KNOWN, numbersOf, packIncrement } from './queries.ts';

// Statements that read the tables of tracking.

/** The models that share a conversion among several clicks. `last` is the click that it was matched to. */
type SharingModel = Exclude<Model, 'last'>;

/** Of the sessions before a conversion, of its visitor and lead together, the latest ones count. */
const MAX_TOUCHES = 100;
const QUARTER_MS = 900_000;

/** Increments are read in pages of so many, several pages at once as long as their conversions have no more than so many touches. */
const PAGE_SIZE = 500;
const MAX_PAGES = 64;
const MAX_READ = PAGE_SIZE * 2 * MAX_TOUCHES;
const MAX_INTEGER = 2 ** 31 - 1;

/** After so many, credits are passed on. */
const MAX_CREDITS = 25_000;

const VALUES: Record<KeyColumn, string> = {
  source: 's.source',
  campaign: 's.campaign',
  term: 's.term',
  content: 's.content',
  landing_page: pageOf('s.landing_url'),
};

/** Touches of a source and key, or increments of a source, key and currency. Lists are numbers in order, separated by commas. */
interface CreditsRow {
  /** Null: no ad led to them. */
  source: string | null;
  key: string | null;
  currency: string | null;
  /** The position of each one's conversion. */
  conversions: string;
  /** Of touches: when each session started, in milliseconds since 1970. Of increments: see `packIncrement`. */
  times: string;
  /** Of touches: the number of each session. Of increments: the values times 10,000. */
  numbers: string;
  /** Of touches: how many milliseconds before the sale each session started, if asked for. Of increments: as in `IncrementsRow`. */
  sales: string | null;
  /** Of increments: quarters of an hour from the first one to the click that was matched, or -1. Null: these are touches. */
  clicks: string | null;
}

const RANGE = {
  account_id: 'uuid',
  // On a quarter of an hour.
  from: 'timestamptz',
  to: 'timestamptz',
  known_at: 'timestamptz',
} as const;

const PARAMETERS = {
  ...RANGE,
  unpaid: 'text[]',
  currency: 'text?',
  window: 'interval',
  has_ages: 'boolean',
  // Of conversions.
  after: 'uuid',
  up_to: 'uuid',
  most: 'integer',
} as const;

const IS_COUNTED = `account_id = :account_id and (clicked_at >= :from or sale_at >= :from) and clicked_at < :to and known_at <= :known_at
  and not is_bot and not is_internal`;

/** The last conversion of each page of increments. */
const findPageEnds = statement('analytics.find_pages_of_increments', { ...RANGE, size: 'integer' }).returns<{
  id: string;
}>(
  `select conversion_id as id
   from (
     select conversion_id, row_number() over (order by conversion_id) as n, count(*) over () as last
     from analytics_increments where ${IS_COUNTED}) i
   where n % :size = 0 or n = last
   order by n`,
);

const paidSource = (medium: string, source: string) =>
  `case when not coalesce(${medium} = any(:unpaid), false) then ${source} end`;

/** What was known of a conversion comes with the sessions that led to it, so that both are of one moment. Sharing them in SQL takes twice as long. */
const findCreditsBy = (column: KeyColumn) => {
  const session = `s.number, s.started_at, s.source, s.medium, ${VALUES[column]} as key`;
  const isBefore = (time: string) => `${time} >= i.sale_at - :window and ${time} <= greatest(i.sale_at, m.started_at)`;
  return statement(`analytics.find_credits_by_${column}`, PARAMETERS).returns<CreditsRow>(
    `with increment as materialized (
       select dense_rank() over (order by conversion_id) as conversion,
         row_number() over (partition by conversion_id order by number) = 1 as is_first,
         session_number, known_at, sale_at, value, currency, conversions, is_refund, clicked_at,
         ${paidSource('medium', 'source')} as source, ${column} as key
       from analytics_increments
       where ${IS_COUNTED} and conversion_id > :after and conversion_id <= :up_to),
     touch as (
       select i.conversion, i.sale_at, s.number, s.started_at, ${paidSource('s.medium', textOf('s.source'))} as source, ${textOf('s.key')} as key
       from increment i
       join sessions m on m.account_id = :account_id and m.number = i.session_number
       cross join lateral (
         -- Each is read as far as it can count, in the order of an index: a visitor may have thousands of sessions.
         (select ${session} from sessions s
          where s.account_id = :account_id and s.visitor_id = m.visitor_id and not s.is_bot and not s.is_internal
            and ${isBefore('s.started_at')}
          order by s.started_at desc, s.number desc limit ${MAX_TOUCHES})
         union all
         (select ${session} from lead_sessions l
          join sessions s on s.account_id = l.account_id and s.number = l.session_number and s.lead_id = l.lead_id
          where l.account_id = :account_id and l.lead_id = m.lead_id and not s.is_bot and not s.is_internal
            and ${isBefore('l.started_at')}
          order by l.started_at desc, l.session_number desc limit ${MAX_TOUCHES})) s
       where i.is_first
       limit :most)
     select source, key, null as currency, ${listOf('conversion')} as conversions,
       ${listOf("(date_part('epoch', started_at) * 1000)::bigint")} as times, ${listOf('number')} as numbers,
       case when :has_ages then ${listOf("(date_part('epoch', sale_at - started_at) * 1000)::bigint")} end as sales, null as clicks
     from touch group by source, key
     union all
     select source, key, currency, ${listOf('conversion')},
       ${listOf(KNOWN)},
       ${listOf('(value * 10000)::float8')}, case when currency is distinct from :currency then ${listOf(quarterOf('sale_at'))} end,
       ${listOf(`coalesce(greatest(${quarterOf('clicked_at')} - ${quarterOf(':from::timestamptz')}, -1), -1)`)}
     from increment group by source, key, currency`,
  );
};

const findCredits = Object.fromEntries(KEY_COLUMNS.map((column) => [column, findCreditsBy(column)])) as Record<
  KeyColumn,
  ReturnType<typeof findCreditsBy>
>;

/**
 * As `findIncrements`, each shared among the clicks of its visitor and lead within a window before the sale. In pages, so that a report needs
 * little memory, however many clicks the sales have.
 */
export async function* creditIncrements(
  tx: Tx,
  model: SharingModel,
  column: KeyColumn,
  parameters: Omit<ParametersOf<typeof PARAMETERS>, 'from' | 'has_ages' | 'after' | 'up_to' | 'most'> & { from: Date },
  abandoned: AbortSignal,
): AsyncGenerator<Increments[], void, undefined> {
  const from = parameters.from.getTime();
  const ends = await findPageEnds(tx, { ...parameters, size: PAGE_SIZE });
  let [at, pages, after] = [0, 2, FIRST_ID];
  const lastOf = () => Math.min(at + pages, ends.length) - 1;
  const read = () => {
    const range = { after, up_to: ends[lastOf()]?.id ?? after, most: pages > 1 ? MAX_READ + 1 : MAX_INTEGER };
    const found = findCredits[column](tx, { ...parameters, ...range, has_ages: model === 'timeDecay' });
    // An error is thrown where the rows are awaited, if they still are.
    found.catch(() => {});
    return found;
  };
  let reading = ends.length > 0 ? read() : undefined;
  while (reading) {
    abandoned.throwIfAborted();
    const found = await reading;
    const touches = touchesOf(found, model);
    const touched = touches.parts.length;
    if (touched > MAX_READ && pages > 1) {
      pages = Math.ceil(pages / 2);
      reading = read();
      continue;
    }
    const last = lastOf();
    [at, after] = [last + 1, ends[last]?.id ?? after];
    if (touched < MAX_READ / 2) pages = Math.min(pages * 2, MAX_PAGES);
    // While these are added up.
    reading = at < ends.length ? read() : undefined;
    yield* creditPage(found, touches, from);
  }
}

function* creditPage(
  found: CreditsRow[],
  { firsts, ends, rowOf, startedAt, parts }: Touches,
  from: number,
): Generator<Increments[], void, undefined> {
  const credited = new Map<string, Increments>();
  const creditedTo = ({ source, key }: CreditsRow, currency: string | null, hasSales: boolean) => {
    const id = JSON.stringify([source, key, currency]);
    const row = credited.get(id) ?? {
      ...{ source: source ?? '', key, currency },
      ...{ packed: [], units: [], sales: hasSales ? [] : null, parts: [] },
    };
    credited.set(id, row);
    return row;
  };
  let credits = 0;
  for (const [r, row] of found.entries()) {
    if (row.clicks === null) continue;
    const [conversions, times, values, clicks] = [row.conversions, row.times, row.numbers, row.clicks].map(
      numbersOf,
    ) as [number[], number[], number[], number[]];
    const sales = row.sales === null ? null : numbersOf(row.sales);
    // By the position of the touches' row, because looking up its texts takes longer.
    const rows: Increments[] = [];
    const add = (to: number, i: number, clickQuarter: number, units: number, part: number) => {
      let into = rows[to];
      if (into === undefined) {
        into = creditedTo(found[to] ?? row, row.currency, sales !== null);
        rows[to] = into;
      }
      into.packed.push(packIncrement(clickQuarter, times[i] ?? 0));
      into.units.push(units);
      into.sales?.push(sales?.[i] ?? 0);
      into.parts?.push(part);
      credits++;
    };
    for (const [i, conversion] of conversions.entries()) {
      if (credits >= MAX_CREDITS) {
        yield [...credited.values()];
        credited.clear();
        rows.length = 0;
        credits = 0;
      }
      const [value, first, end] = [values[i] ?? 0, firsts[conversion] ?? 0, ends[conversion] ?? 0];
      // What remains of erased persons, and of clicks that were earlier, is the click that was matched.
      if (first === end && row.source !== null && (clicks[i] ?? -1) >= 0)
        add(r, i, clicks[i] ?? 0, roundUnits(value), 1);
      let [earned, before] = [0, 0];
      for (let touch = first; touch < end; touch++) {
        const part = parts[touch] ?? 0;
        if (part === 0) continue;
        earned += part;
        // The last one completes it, so that parts of an amount add up to it.
        const until = roundUnits(touch === end - 1 ? value : value * earned);
        const [of, started] = [rowOf[touch] ?? 0, startedAt[touch] ?? 0];
        if (started >= from && found[of]?.source != null)
          add(of, i, Math.floor((started - from) / QUARTER_MS), until - before, part);
        before = until;
      }
    }
  }
  yield [...credited.values()];
}

/** The touches of the conversions of a page, in order of the conversions and of time. */
interface Touches {
  /** By the position of a conversion, the position of its first touch, and that after its last one. */
  firsts: Uint32Array;
  ends: Uint32Array;
  /** The position of their row. */
  rowOf: Uint32Array;
  startedAt: Float64Array;
  /** What each earned, as a part of 1. */
  parts: Float64Array;
}

function touchesOf(rows: readonly CreditsRow[], model: SharingModel): Touches {
  const lists = rows.map(({ clicks, conversions }) => (clicks === null ? numbersOf(conversions) : []));
  const firsts = new Uint32Array(2 + lists.reduce((max, list) => list.reduce((a, b) => Math.max(a, b), max), 0));
  for (const list of lists) for (const conversion of list) firsts[conversion + 1] = (firsts[conversion + 1] ?? 0) + 1;
  for (let i = 1; i < firsts.length; i++) firsts[i] = (firsts[i] ?? 0) + (firsts[i - 1] ?? 0);
  const size = firsts.at(-1) ?? 0;
  const [ends, rowOf] = [firsts.slice(), new Uint32Array(size)];
  const [startedAt, numbers, ages, parts] = [0, 0, 0, 0].map(() => new Float64Array(size)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const columns = [rowOf, startedAt, numbers, ages];
  for (const [r, list] of lists.entries()) {
    const row = rows[r];
    if (!row || list.length === 0) continue;
    const [times, ofSessions, before] = [row.times, row.numbers, row.sales ?? ''].map(numbersOf);
    for (const [i, conversion] of list.entries()) {
      // Few touches are of the same conversion, so each is put in its place among them.
      const [time, number, first, end] = [
        ...[times?.[i] ?? 0, ofSessions?.[i] ?? 0, firsts[conversion] ?? 0],
        ends[conversion] ?? 0,
      ] as [number, number, number, number];
      let at = end;
      while (at > first && compare(startedAt[at - 1] ?? 0, numbers[at - 1] ?? 0, time, number) > 0) at--;
      // A session of the visitor that is also one of the lead is one touch.
      if (at > first && numbers[at - 1] === number) continue;
      if (at < end) for (const column of columns) column.copyWithin(at + 1, at, end);
      ends[conversion] = end + 1;
      rowOf[at] = r;
      startedAt[at] = time;
      numbers[at] = number;
      ages[at] = (before?.[i] ?? 0) / 1_000;
    }
  }
  for (const [conversion, end] of ends.entries()) {
    const first = Math.max(firsts[conversion] ?? 0, end - MAX_TOUCHES);
    firsts[conversion] = first;
    if (end - first === 1) parts[first] = 1;
    else if (end > first) parts.set(SHARES[model](Array.from(ages.subarray(first, end))), first);
  }
  return { firsts, ends, rowOf, startedAt, parts };
}

const compare = (startedAt: number, number: number, otherStartedAt: number, otherNumber: number) =>
  startedAt - otherStartedAt || number - otherNumber;

/** Halves are rounded away from zero, so that a refund takes what the sale brought. */
const roundUnits = (units: number) => Math.sign(units) * Math.round(Math.abs(units));

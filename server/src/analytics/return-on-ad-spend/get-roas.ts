import { readCurrency } from '../../shared/currency.ts';
import { type Fault, refuse } from '../../shared/errors.ts';
import { isDate, isoTime } from '../../shared/time.ts';
import { takingTurns } from '../../shared/turns.ts';
import { DAY, MINUTE } from '../../shared/units.ts';
import { AdNames, type Level } from '../ad-costs/ad-names.ts';
import { findProgress } from '../aggregation/queries.ts';
import type { Dimension, Filters } from '../dimensions.ts';
import { readDatedRates } from '../exchange-rates/dated-rates.ts';
import type { ReportContext } from '../reports/context.ts';
import { parseKnownOn } from '../reports/parse-query.ts';
import { type Interval, intervalStarts, parsePeriod, serializePeriod } from '../reports/periods.ts';
import { Converter, noTotals, noteRate, roundCounts, serializeTotals, type Totals, toAmount } from './amounts.ts';
import { Calendar } from './calendar.ts';
import {
  addIncrement,
  amountUntil,
  developmentsOf,
  expect,
  isTooYoung,
  type Now,
  type Revenue,
  repeatForecasts,
} from './cohorts.ts';
import type { Roas, RoasKey, RoasQuery } from './contract.ts';
import { creditIncrements } from './credited-increments.ts';
import { COLUMNS, type EntriesOfPaths, replacesByEntries } from './keys.ts';
import {
  type CostsRow,
  findCosts,
  findIncrements,
  findSourcesOfCosts,
  type Increments,
  incrementsOf,
  numbersOf,
  unpackIncrement,
} from './queries.ts';
import { countPaidSessions, type PaidSessionsRow, type SessionKeyColumn } from './source-queries.ts';

/** Media of sessions that no ad led to. Others count, because ads do not always say theirs. */
export const UNPAID = ['organic', 'referral', 'email', 'ai-assistant'];

const QUARTER_MS = 900_000;
const MAX_ROWS = 1_000;
const NONE: Totals[] = [];
/** Before a sale, in which clicks share it. */
const WINDOW = '30 days';
const WHOLE = [['', 1]] as const;
/** Days of clicks of full age that factors are estimated from. */
const HISTORY = 180;

interface Row {
  source: string;
  name: string | null;
  totals: Totals;
  revenue: Revenue;
}

/** What ads returned by the day of the click, and what is still to come. */
export async function getRoas(context: ReportContext, query: RoasQuery, entriesOfPaths: EntriesOfPaths): Promise<Roas> {
  const { db, clock, accountId, settings, abandoned } = context;
  const { by = 'source', interval = 'week', model = 'last', level = 0.8, curves = false } = query;
  const { timeZone } = settings;
  const { period, days, knownOn, horizon, currency: requested } = parseRoas(query, timeZone, clock());
  const zoned = Temporal.Instant.fromEpochMilliseconds(knownOn).toZonedDateTimeISO(timeZone);
  const startOfToday = zoned.startOfDay().epochMilliseconds;
  const now: Now = { day: dayOf(zoned.toPlainDate().toString()), over: Math.min(1, (knownOn - startOfToday) / DAY) };
  const [fromDay, toDay] = [dayOf(days.from), dayOf(days.to)];
  const knownAt = new Date(knownOn);
  const account = { account_id: accountId, known_at: knownAt };
  const firstDay = Math.min(fromDay, now.day - horizon - HISTORY);
  const clicks = {
    from: new Date(Temporal.PlainDate.from(dateOf(firstDay)).toZonedDateTime(timeZone).epochMilliseconds),
    to: new Date(knownOn + DAY),
  };
  const wantedIn = (currency: string | null) => ({ ...account, ...clicks, unpaid: UNPAID, currency });
  const findAll = (currency: string | null) => findIncrements[COLUMNS[by]](db, wantedIn(currency));
  const chosen = requested ?? settings.currency;
  const [[progress], names, rates, costs, found, sessions] = await Promise.all([
    findProgress(db),
    AdNames.read(db, accountId, NAMED[by]),
    readDatedRates(db, accountId, [firstDay, Math.max(now.day, toDay) + 1], knownAt, settings),
    findCosts(db, { ...account, ...days }),
    model === 'last' && chosen !== null ? findAll(chosen) : undefined,
    findSourcesOfCosts(db, account).then(async (sources) => {
      const names = sources.map(({ source }) => source);
      const range = { from: period.from, to: Math.min(period.to, knownOn + 1) };
      return { names, ...(await countSessions(context, by, interval, range, names)) };
    }),
  ]);
  const currency = chosen ?? mainCurrency(costs);
  joinByName(names, by, { costs, sessions });
  const replaceKeys = by === 'entry' ? replacesByEntries(accountId, entriesOfPaths) : undefined;
  await replaceKeys?.(sessions.byCampaign);

  const converter = new Converter(rates, currency);
  const firstQuarter = Math.floor(clicks.from.getTime() / QUARTER_MS);
  const calendar = new Calendar(timeZone, firstQuarter);
  const isInPeriod = (day: number) => day >= fromDay && day < toDay;
  const starts = intervalStarts(period, interval, timeZone);
  const startDays = starts.map((start) =>
    dayOf(Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO(timeZone).toPlainDate().toString()),
  );
  const cohorts = starts.map(() => noTotals());
  const cohortsByDay = Array.from({ length: toDay - fromDay }, (_, i) =>
    startDays.findLastIndex((each) => each <= fromDay + i),
  );
  const cohortOf = (day: number, of = cohorts) => of[cohortsByDay[day - fromDay] ?? -1] ?? noTotals();
  const total = noTotals();
  const curveCohorts = starts.map(() => noTotals());
  const asked = query.curveSource?.toLowerCase();
  const isCurved = ({ source, name }: Pick<Row, 'source' | 'name'>) =>
    source === asked && (name ?? '').toLowerCase() === (query.curveKey ?? '').toLowerCase();
  const totalsOf = (row: Row, day: number) => [
    ...[row.totals, cohortOf(day), total],
    ...(isCurved(row) ? [cohortOf(day, curveCohorts)] : []),
  ];
  const rows = new Map<string, Row>();
  const rowOf = (source: string, key: string, name: string | null) => {
    // Faster than JSON, and as unambiguous.
    const id = `${source.length} ${source}${key}`;
    const row = rows.get(id) ?? { source, name: name || null, totals: noTotals(), revenue: new Map() };
    row.name ??= name || null;
    rows.set(id, row);
    return row;
  };
  /** By day, then by age. */
  const sums = new Map<number, number[]>();
  const paidSources = new Set(sessions.names);
  const pause = takingTurns();
  const addAll = async (increments: Increments[]) => {
    nameKeys(names, by, increments);
    await replaceKeys?.(increments);
    for (const each of increments) await addRow(each);
  };
  const addRow = async ({ source: sourceName, key, currency: of, packed, units, sales, parts }: Increments) => {
    const source = sourceName.toLowerCase();
    if (!paidSources.has(source)) return;
    const row = rowOf(source, (key ?? '').toLowerCase(), key);
    for (const [i, each] of packed.entries()) {
      const turn = pause();
      if (turn) await turn;
      const { clickQuarter, quartersUntilKnown, conversions, isRefund } = unpackIncrement(each);
      const quarter = firstQuarter + clickQuarter;
      const day = calendar.dayOf(quarter);
      const age = calendar.dayOf(quarter + quartersUntilKnown) - day;
      const included = isInPeriod(day) ? totalsOf(row, day) : NONE;
      const saleDay = sales ? calendar.dayOf(sales[i] ?? 0) : day;
      const rate = converter.rate(of, saleDay);
      const converted = rate && (units[i] ?? 0) * rate.rate;
      const part = parts ? (parts[i] ?? 0) : 1;
      for (const each of included) {
        each.conversions += conversions * part;
        noteRate(each, rate);
        if (converted === undefined) continue;
        each.revenue += converted;
        if (isRefund) each.refunded -= converted;
      }
      if (converted === undefined) continue;
      addIncrement(row.revenue, day, age, toAmount(converted));
      const ofDay = sums.get(day) ?? [];
      sums.set(day, ofDay);
      ofDay[age] = (ofDay[age] ?? 0) + toAmount(converted);
    }
  };
  if (model === 'last') await addAll((found ?? (await findAll(currency))).map(incrementsOf));
  else {
    const wanted = { ...wantedIn(currency), window: WINDOW };
    for await (const page of creditIncrements(db, model, COLUMNS[by], wanted, abandoned)) await addAll(page);
  }

  const all: Revenue = new Map(
    [...sums].map(([day, ofDay]) => [day, ofDay.flatMap((amount, age) => [[age, amount] as [number, number]])]),
  );

  const sharesOf = sessionShares(sessions.byCampaign);
  for (const { source: sourceName, campaign, ad_group, ad, currency: of, ...lists } of costs) {
    const source = sourceName.toLowerCase();
    const name = { source: sourceName, campaign, adGroup: ad_group, ad, landingPage: '', entry: '' }[by];
    const direct = by === 'campaign' || name !== '' ? rowOf(source, name.toLowerCase(), name) : undefined;
    const [units, clicks, impressions] = [
      numbersOf(lists.units),
      numbersOf(lists.clicks),
      numbersOf(lists.impressions),
    ];
    for (const [i, day] of numbersOf(lists.days).entries()) {
      const rate = converter.rate(of, day);
      const converted = (units[i] ?? 0) * (rate?.rate ?? 0);
      const shares = direct ? WHOLE : sharesOf(source, campaign.toLowerCase(), day);
      for (const [key, share] of shares) {
        for (const each of totalsOf(direct ?? rowOf(source, key.toLowerCase(), key), day)) {
          noteRate(each, rate);
          each.cost += share * converted;
          each.clicks += share * (clicks[i] ?? 0);
          each.impressions += share * (impressions[i] ?? 0);
        }
      }
    }
  }
  const byKey = [
    ...sessions.byKey,
    ...sessions.byCampaign.map((row) => ({ ...row, sessions: row.counts.reduce((a, b) => a + b, 0) })),
  ];
  for (const { source, key, sessions: count } of byKey) {
    rowOf(source, (key ?? '').toLowerCase(), key).totals.sessions += count;
    total.sessions += count;
  }
  for (const { day, sessions: count } of sessions.byDay) cohortOf(day).sessions += count;

  // What was answered once is answered again, whichever order PostgreSQL finds rows in.
  const keyed = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  roundCounts(keyed.map(({ totals }) => totals));
  const developments = developmentsOf(keyed, horizon, now, by === 'source');
  const tooYoung = isTooYoung(developments);
  const listed = keyed
    .map((row, i) => ({ ...row, development: developments.keys[i] }))
    .filter(
      ({ totals: { cost, clicks, impressions, sessions, revenue, conversions } }) =>
        cost + clicks + impressions + sessions + conversions > 0 || revenue !== 0,
    )
    .sort(
      (a, b) =>
        // Sums differ by the order of their parts.
        Math.round(b.totals.cost) - Math.round(a.totals.cost) ||
        Math.round(b.totals.revenue) - Math.round(a.totals.revenue) ||
        ((a.name ?? '') < (b.name ?? '') ? -1 : 1),
    );
  const curved = listed.find(isCurved);
  const expectAll = (isIncluded: (day: number) => boolean) =>
    tooYoung ? undefined : expect(developments.account, all, isIncluded, now, level);
  const { account: ofAccount, ages, pooledFrom } = developments;
  const known = tooYoung ? 0 : ages;
  return {
    ...serializePeriod(period),
    ...{ by, interval, model, horizon: `${horizon}d` },
    asKnownOn: isoTime(knownOn),
    asOf: isoTime(progress?.recorded_at ?? 0),
    status: tooYoung ? 'tooYoung' : 'ready',
    total: serializeTotals(total, currency, expectAll(isInPeriod)),
    rows: listed.slice(0, MAX_ROWS).map(({ source, name, totals, revenue, development }) => ({
      key: name,
      source,
      ...serializeTotals(
        totals,
        currency,
        tooYoung || !development ? undefined : expect(development, revenue, isInPeriod, now, level),
      ),
    })),
    more: listed.length > MAX_ROWS,
    cohorts: cohorts.map((totals, i) => {
      const [first = 0, end = toDay] = [startDays[i], startDays[i + 1]];
      const isInCohort = (day: number) => day >= first && day < end;
      return {
        start: isoTime(starts[i] ?? 0),
        ...{ key: null, source: null },
        ...serializeTotals(totals, currency, expectAll(isInCohort)),
        ...(curves && { byAge: curveOf(all, first, end, Math.min(horizon, now.day - end)) }),
      };
    }),
    ...(curved && {
      curve: {
        ...{ key: curved.name, source: curved.source },
        expected: expectedShares((curved.development ?? ofAccount).factors, known),
        cohorts: starts.map((start, i) => {
          const [first = 0, end = toDay] = [startDays[i], startDays[i + 1]];
          const isInCohort = (day: number) => day >= first && day < end;
          const expected = tooYoung
            ? undefined
            : expect(curved.development ?? ofAccount, curved.revenue, isInCohort, now, level);
          const { sessions: _, ...amounts } = serializeTotals(curveCohorts[i] ?? noTotals(), currency, expected);
          const byAge = curveOf(curved.revenue, first, end, Math.min(horizon, now.day - end));
          return { start: isoTime(start), key: curved.name, source: curved.source, ...amounts, byAge };
        }),
      },
    }),
    development: {
      ages: Array.from({ length: known }, (_, age) => age),
      factors: [...ofAccount.factors.slice(0, Math.max(0, known - 1))].map(round),
      expected: expectedShares(ofAccount.factors, known),
      pooledFrom,
    },
    coverage: { level, ...(tooYoung ? { observed: null, cohorts: 0 } : repeatForecasts(all, horizon, now, level)) },
  };
}

/** Whose names each kind of row joins by. */
const NAMED = {
  source: [],
  campaign: ['campaign'],
  adGroup: ['ad_group', 'campaign'],
  ad: ['ad', 'campaign'],
  landingPage: ['campaign'],
  entry: ['campaign'],
} as const satisfies Record<RoasKey, readonly Level[]>;

/** Gives the rows of one campaign, ad group or ad one name. */
function nameKeys(names: AdNames, by: RoasKey, rows: { source: string; key: string | null }[]): void {
  const level = by === 'adGroup' ? 'ad_group' : by === 'campaign' || by === 'ad' ? by : undefined;
  if (level) for (const row of rows) row.key = names.nameOf(row.source, level, row.key);
}

/** Likewise for sessions and costs. */
function joinByName(names: AdNames, by: RoasKey, { costs, sessions }: { costs: CostsRow[]; sessions: Sessions }): void {
  nameKeys(names, by, sessions.byKey);
  nameKeys(names, by, sessions.byCampaign);
  for (const row of sessions.byCampaign)
    row.campaign = names.nameOf(row.source, 'campaign', row.campaign).toLowerCase();
  for (const row of costs) {
    for (const each of NAMED[by]) row[each] = names.nameOf(row.source, each, row[each]);
  }
}

function parseRoas(query: RoasQuery, timeZone: string, now: number) {
  const faults: Fault[] = [];
  const horizon = Number(/^(\d{1,3})d$/.exec(query.horizon ?? '90d')?.[1]);
  if (!(horizon >= 3 && horizon <= 365)) {
    faults.push({ pointer: '?horizon', code: 'not_allowed', detail: '`horizon` must be from 3d to 365d.' });
  }
  const currency = query.currency === undefined ? undefined : readCurrency(query.currency);
  if (query.currency !== undefined && currency === undefined) {
    faults.push({
      pointer: '?currency',
      code: 'currency_invalid',
      detail: '`currency` must be an ISO 4217 code, such as EUR.',
    });
  }
  if (query.curveKey !== undefined && query.curveSource === undefined) {
    faults.push({ pointer: '?curveSource', code: 'required', detail: '`curveKey` needs `curveSource`.' });
  }
  const knownOn = parseKnownOn(query.asKnownOn, timeZone, now, faults);
  const period = parsePeriod({ from: query.from, to: query.to, timeZone }, '?', faults);
  const dateAt = (name: 'from' | 'to') => {
    const date = Temporal.Instant.fromEpochMilliseconds(period[name]).toZonedDateTimeISO(timeZone).toPlainDate();
    const start = date.toZonedDateTime(timeZone).epochMilliseconds;
    if (!isDate(query[name]) && start !== period[name]) {
      const detail = `Costs are known by day: \`${name}\` must be a day, such as 2026-11-20, or the time at which one starts in ${timeZone}.`;
      faults.push({ pointer: `?${name}`, code: 'timestamp_invalid', detail });
    }
    return isDate(query[name]) ? query[name] : date.toString();
  };
  const days = { from: dateAt('from'), to: dateAt('to') };
  refuse(faults);
  return { period, days, knownOn, horizon, currency };
}

interface Sessions {
  byKey: { source: string; key: string | null; sessions: number }[];
  byDay: { day: number; sessions: number }[];
  /** By campaign, if cost is shared by sessions. */
  byCampaign: PaidSessions[];
}

/** Sessions of a source, campaign and key, in lower case but for the key. */
interface PaidSessions extends Pick<PaidSessionsRow, 'source' | 'campaign' | 'key'> {
  days: number[];
  counts: number[];
}

/** Counts the sessions that ads led to. */
async function countSessions(
  { db, runner, accountId, settings, abandoned }: ReportContext,
  by: RoasKey,
  interval: Interval,
  period: { from: number; to: number },
  sources: string[],
): Promise<Sessions> {
  const none = { byKey: [], byDay: [], byCampaign: [] };
  if (sources.length === 0 || period.from >= period.to) return none;
  const { timeZone } = settings;
  if (by !== 'source' && by !== 'campaign') {
    const range = { from: new Date(period.from), to: new Date(period.to) };
    const query = { account_id: accountId, ...range, unpaid: UNPAID, time_zone: timeZone };
    const found = await countPaidSessions[COLUMNS[by] as SessionKeyColumn](db, query);
    const byCampaign = found
      .map(({ source, campaign, key, days, sessions }) => ({
        ...{ source: source.toLowerCase(), campaign: campaign.toLowerCase(), key },
        ...{ days: numbersOf(days), counts: numbersOf(sessions) },
      }))
      .filter(({ source }) => sources.includes(source));
    const byDay = byCampaign.flatMap(({ days, counts }) => days.map((day, i) => ({ day, sessions: counts[i] ?? 0 })));
    return { byKey: [], byDay, byCampaign };
  }
  const include = { bots: false, internal: false };
  const isPaid: Filters = { medium: [{ operator: 'isNot', values: UNPAID }] };
  // Segments count by the minute.
  const whole = { from: period.from, to: Math.ceil(period.to / MINUTE) * MINUTE };
  const breakdown = async (dimension: Dimension, filters: Filters) => {
    const request = {
      accountId,
      filters,
      periods: [whole],
      by: [dimension],
      limit: MAX_ROWS,
      exchange: { ...settings, rates: [] },
      include,
      isOfSessions: true,
    };
    const found = await runner.run('breakdown', { ...request, order: 'sessions' }, abandoned);
    return found[dimension]?.rows ?? [];
  };
  const variants = (await breakdown('source', isPaid)).filter(({ value }) =>
    sources.includes(value?.toLowerCase() ?? ''),
  );
  if (variants.length === 0) return none;
  const of = (values: (string | null)[]): Filters => ({ ...isPaid, source: [{ operator: 'is', values }] });
  const starts = intervalStarts(whole, interval, timeZone);
  const [counted, ...byCampaign] = await Promise.all([
    runner.run(
      'count',
      { accountId, filters: of(variants.map(({ value }) => value)), include, plans: [{ period: whole, starts }] },
      abandoned,
    ),
    ...(by === 'campaign' ? variants : []).map(async ({ value: source }) =>
      (await breakdown('campaign', of([source]))).map(({ value, sessions }) => ({
        source: source?.toLowerCase() ?? '',
        key: value,
        sessions,
      })),
    ),
  ]);
  return {
    byKey:
      by === 'campaign'
        ? byCampaign.flat()
        : variants.map(({ value, sessions }) => ({ source: value?.toLowerCase() ?? '', key: value, sessions })),
    byDay: starts.map((start, i) => ({
      day: dayOf(Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO(timeZone).toPlainDate().toString()),
      sessions: counted[0]?.intervals[i]?.sessions ?? 0,
    })),
    byCampaign: [],
  };
}

/**
 * Shares the cost of a campaign by the sessions of its day: a landing page costs what the clicks on it cost. Without a session of the day, the
 * cost stays in the row without a key, so that no cost is lost.
 */
function sessionShares(
  rows: readonly PaidSessions[],
): (source: string, campaign: string, day: number) => (readonly [key: string, share: number])[] {
  const idOf = (source: string, campaign: string) => `${source.length} ${source}${campaign}`;
  /** By source and campaign, day, and key. */
  const counts = new Map<string, Map<number, Map<string, number>>>();
  const add = (group: string, { key, days, counts: ofDays }: PaidSessions) => {
    const ofGroup = counts.get(group) ?? new Map<number, Map<string, number>>();
    counts.set(group, ofGroup);
    for (const [i, day] of days.entries()) {
      const ofDay = ofGroup.get(day) ?? new Map<string, number>();
      ofGroup.set(day, ofDay);
      ofDay.set(key ?? '', (ofDay.get(key ?? '') ?? 0) + (ofDays[i] ?? 0));
    }
  };
  for (const row of rows) {
    add(idOf(row.source, row.campaign), row);
    if (row.campaign !== '') add(idOf(row.source, ''), row);
  }
  return (source, campaign, day) => {
    const found = [...(counts.get(idOf(source, campaign))?.get(day) ?? [['', 1] as const])];
    const sum = found.reduce((all, [, sessions]) => all + sessions, 0);
    return found.map(([key, sessions]) => [key, sessions / sum] as const);
  };
}

/** The currency of most costs. */
function mainCurrency(costs: readonly CostsRow[]): string | null {
  const sizes = new Map<string, number>();
  for (const { currency, days } of costs) sizes.set(currency, (sizes.get(currency) ?? 0) + days.length);
  return [...sizes].sort(([, a], [, b]) => b - a)[0]?.[0] ?? null;
}

/** Revenue by age, as far as all days know it. */
function curveOf(revenue: Revenue, first: number, end: number, known: number): number[] {
  return Array.from({ length: Math.max(0, known + 1) }, (_, age) => {
    let sum = 0;
    for (let day = first; day < end; day++) sum += amountUntil(revenue.get(day), age);
    return Math.round(sum * 100) / 100;
  });
}

function expectedShares(factors: Float64Array, ages: number): number[] {
  const shares = new Array<number>(ages).fill(1);
  for (let age = ages - 2; age >= 0; age--) shares[age] = (shares[age + 1] ?? 1) / Math.max(factors[age] ?? 1, 1e-9);
  return shares.map(round);
}

const round = (value: number) => Math.round(value * 1e6) / 1e6;
const dayOf = (date: string) => Date.parse(`${date}T00:00:00Z`) / DAY;
const dateOf = (day: number) => new Date(day * DAY).toISOString().slice(0, 10);

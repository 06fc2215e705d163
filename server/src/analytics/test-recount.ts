import assert from 'node:assert/strict';
import type { Account, TestService } from '../../test/harness.ts';
import { runExport } from '../exports/test-support.ts';
import { CLICK_ID_NAMES } from '../shared/click-ids.ts';
import type { Condition, Dimension, Filters, Include } from './dimensions.ts';

// biome-ignore lint/suspicious/noExplicitAny: rows of exports, of every shape
export type Row = Record<string, any>;

/** The rows of all exports of an account. */
export interface Exports {
  sessions: Row[];
  visits: Row[];
  events: Row[];
  leads: Row[];
  conversions: Row[];
  /** The channel of a session by the rules of the account. */
  channelOf?: (row: Row) => string;
}

type Dataset = Exclude<keyof Exports, 'channelOf'>;

const FIELDS: Partial<Record<Dataset, string[]>> = {
  events: ['eventId', 'event', 'properties', 'sessionId', 'occurredAt', 'isBot', 'isInternal'],
};

export function readExports(service: TestService, as: Account): Promise<Exports> {
  return readExportsBy(async (request) => (await runExport(service, as, request)).file.toString('utf8'));
}

/** @param run creates an export and returns the content of its file */
export async function readExportsBy(
  run: (request: { dataset: Dataset; format: 'ndjson'; fields?: string[] }) => Promise<string>,
): Promise<Exports> {
  const read = async (dataset: Dataset) => {
    const fields = FIELDS[dataset];
    const lines = (await run({ dataset, format: 'ndjson', ...(fields && { fields }) })).split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as Row);
  };
  return {
    sessions: await read('sessions'),
    visits: await read('visits'),
    events: await read('events'),
    leads: await read('leads'),
    conversions: await read('conversions'),
  };
}

export interface Question {
  from: number;
  to: number;
  filters: Filters;
  include: Include;
}

/** Whether a session with these values of a dimension passes all conditions. */
function passes(conditions: readonly Condition[], values: readonly string[]): boolean {
  return conditions.every(({ operator, values: wanted }) => {
    const hits = (value: string) =>
      wanted.some((each) =>
        operator.startsWith('contains') ? value.toLowerCase().includes(String(each).toLowerCase()) : each === value,
      );
    const isHit = values.length === 0 ? operator.startsWith('is') && wanted.includes(null) : values.some(hits);
    return isHit !== (operator === 'isNot' || operator === 'containsNot');
  });
}

/** Recounts a period in the simplest way: decides for each row of the exports whether it counts. */
export function recount(data: Exports, question: Question) {
  const { valuesOf, bySession, among, counted } = readData(data, question);
  const fits = (session: number | null | undefined) =>
    Object.entries(question.filters).every(([name, conditions]) =>
      passes(conditions, valuesOf(session, name as Dimension)),
    );
  const visits = data.visits.filter((row) => among(row.occurredAt) && counted(row) && fits(row.sessionId));
  const sessions = data.sessions.filter((row) => among(row.startedAt) && counted(row) && fits(row.sessionId));
  const ofSession = (number: number | null) => counted(bySession.get(number as number) ?? {}) && fits(number);
  const leads = data.leads.filter((row) => among(row.firstSeenAt) && ofSession(row.firstSessionId));
  const conversions = data.conversions.filter((row) => among(row.createdOn) && ofSession(row.sessionId));
  const converted = new Set(data.conversions.flatMap((row) => (isRefunded(row) ? [] : row.sessionId)));
  const convertingSessions = sessions.filter((row) => converted.has(row.sessionId)).length;
  return {
    ...numbers({ visits, sessions, leads, conversions, bySession }),
    ...engagement(data, sessions, counted),
    convertingSessions,
  };
}

/** How sessions are used, in whole seconds. */
function engagement(data: Exports, sessions: Row[], counted: (row: Row) => boolean) {
  const visitsOf = visitsBySession(data);
  let [bounces, visits, seconds] = [0, 0, 0];
  for (const { sessionId } of sessions) {
    const times = (visitsOf.get(sessionId) ?? [])
      .filter(counted)
      .map((row) => Math.floor(Date.parse(row.occurredAt) / 1_000));
    visits += times.length;
    if (times.length === 1) bounces++;
    if (times.length > 0) seconds += Math.max(...times) - Math.min(...times);
  }
  const ratio = (sum: number) => (sessions.length === 0 ? null : sum / sessions.length);
  return { bounceRate: ratio(bounces), visitsPerSession: ratio(visits), sessionDuration: ratio(seconds) };
}

const visitIndexes = new WeakMap<Row[], Map<string, Row[]>>();

function visitsBySession({ sessions: _, visits }: Exports): Map<string, Row[]> {
  const index = visitIndexes.get(visits) ?? Map.groupBy(visits, (row) => row.sessionId as string);
  visitIndexes.set(visits, index);
  return index;
}

/** Recounts a period for each value of a dimension. */
export function recountBy(data: Exports, question: Question, dimension: Dimension) {
  const { valuesOf, among, counted } = readData(data, question);
  const values = new Set<string | null>([null]);
  for (const row of [...data.sessions, ...data.visits, ...data.events]) {
    for (const value of valuesOf(row.sessionId, dimension)) values.add(value);
  }
  const nameOf = (row: Row) => (dimension === 'event' ? row.event : row.properties.funnel_id) || null;
  const isOfEvents = dimension === 'event' || dimension === 'funnel';
  if (isOfEvents) for (const row of data.events) values.add(nameOf(row));
  // A session counts if it passes every filter and has the value.
  const passing = onlySessions(data, question);
  known.set(passing, known.get(data) ?? indexed(data));
  const rows = [...values].map((value) => {
    const result = recount(passing, { ...question, filters: { [dimension]: [{ operator: 'is', values: [value] }] } });
    if (dimension === 'page') {
      const visits = passing.visits.filter(
        (row) =>
          among(row.occurredAt) && counted(row) && pageOf(row.url) === value && fitsAll(data, question, row.sessionId),
      );
      const visitors = new Set(
        visits.flatMap((row) =>
          row.sessionHash === null ? [] : (bySessionOf(data).get(row.sessionId)?.visitorId ?? []),
        ),
      );
      Object.assign(result, { visits: visits.length, visitors: visitors.size });
    }
    if (!isOfEvents) return { value, ...result };
    const events = data.events.filter((row) => {
      if (!among(row.occurredAt) || !counted(row) || nameOf(row) !== value) return false;
      if (row.sessionId !== null) return fitsAll(data, question, row.sessionId);
      return Object.entries(question.filters).every(([name, conditions]) => {
        const has = name === 'event' ? row.event : name === 'funnel' ? row.properties.funnel_id || null : null;
        return passes(conditions, has === null ? [] : [has]);
      });
    });
    return { value, ...result, events: events.length };
  });
  return rows.filter(
    (row) => row.visits + row.sessions + row.leads + row.conversions + row.refunds + ((row as Row).events ?? 0) > 0,
  );
}

function fitsAll(data: Exports, question: Question, session: number): boolean {
  const { valuesOf } = readData(data, question);
  return Object.entries(question.filters).every(([name, conditions]) =>
    passes(conditions, valuesOf(session, name as Dimension)),
  );
}

function onlySessions(data: Exports, question: Question): Exports {
  const fits = (session: number | null) => fitsAll(data, question, session as number);
  return {
    ...data,
    sessions: data.sessions.filter((row) => fits(row.sessionId)),
    visits: data.visits.filter((row) => fits(row.sessionId)),
    leads: data.leads.filter((row) => fits(row.firstSessionId)),
    conversions: data.conversions.filter((row) => fits(row.sessionId)),
  };
}

const known = new WeakMap<Exports, ReturnType<typeof indexed>>();

function indexed(data: Exports) {
  const dimensions = new Map<number, Record<string, Set<string>>>();
  const of = (session: number) => {
    const found = dimensions.get(session) ?? { page: new Set(), event: new Set(), funnel: new Set() };
    dimensions.set(session, found);
    return found;
  };
  for (const row of data.visits) of(row.sessionId).page?.add(pageOf(row.url));
  for (const row of data.events) {
    if (row.sessionId === null) continue;
    of(row.sessionId).event?.add(row.event);
    if (row.properties.funnel_id) of(row.sessionId).funnel?.add(row.properties.funnel_id);
  }
  return { dimensions, bySession: new Map(data.sessions.map((row) => [row.sessionId as number, row])) };
}

function bySessionOf(data: Exports) {
  const index = known.get(data) ?? indexed(data);
  known.set(data, index);
  return index.bySession;
}

function readData(data: Exports, { from, to, include }: Question) {
  const index = known.get(data) ?? indexed(data);
  known.set(data, index);
  const { dimensions, bySession } = index;
  const valuesOf = (session: number | null | undefined, name: Dimension): string[] => {
    if (session === null || session === undefined) return [];
    const many = dimensions.get(session)?.[name];
    if (name === 'page' || name === 'event' || name === 'funnel') return [...(many ?? [])];
    const row = bySession.get(session);
    if (!row) return [];
    if (name === 'platform') return CLICK_ID_NAMES.filter((kind) => row[kind] !== null && row[kind] !== undefined);
    const value = singleValue(data, row, name);
    return value === null || value === undefined || value === '' ? [] : [value];
  };
  return {
    valuesOf,
    bySession,
    among: (time: string) => Date.parse(time) >= from && Date.parse(time) < to,
    counted: (row: Row) => (include.bots || !row.isBot) && (include.internal || !row.isInternal),
  };
}

function singleValue(data: Exports, row: Row, name: Dimension): string | null | undefined {
  if (name === 'landingPage') return pageOf(row.landingUrl);
  if (name === 'referrer') return row.referrer && pageOf(row.referrer);
  if (name === 'channel') return (data.channelOf ?? channelOf)(row);
  if (name !== 'exitPage') return row[name];
  const visits = visitsBySession(data).get(row.sessionId) ?? [];
  const [last] = [...visits].sort(
    (a, b) => b.occurredAt.localeCompare(a.occurredAt) || (a.visitId < b.visitId ? 1 : -1),
  );
  return last && pageOf(last.url);
}

/** As far as the traffic of the tests has sources and media. */
export function channelOf({ source, medium }: Row): string {
  if (source === null && medium === null) return 'Direct';
  const isSearch = ['google', 'bing'].includes(source);
  const isSocial = source === 'facebook';
  if (medium === 'cpc') return isSearch ? 'Paid Search' : isSocial ? 'Paid Social' : 'Paid Other';
  if (isSocial || medium === 'social') return 'Organic Social';
  if (isSearch || medium === 'organic') return 'Organic Search';
  if (medium?.toLowerCase() === 'email') return 'Email';
  return medium === 'referral' ? 'Referral' : 'Unassigned';
}

/** In tests no conversion has the value 0 from the start. */
const isRefunded = (row: Row) => row.value !== null && Number(row.value) === 0;

interface Counting {
  visits: Row[];
  sessions: Row[];
  leads: Row[];
  conversions: Row[];
  bySession: Map<number, Row>;
}

function numbers({ visits, sessions, leads, conversions, bySession }: Counting) {
  const visitors = new Set(visits.flatMap((row) => bySession.get(row.sessionId)?.visitorId ?? []));
  // In ten thousandths: the tests report at most four decimals.
  const revenue = new Map<string | null, number>();
  for (const { currency, value } of conversions) {
    if (value === null) continue;
    revenue.set(currency, (revenue.get(currency) ?? 0) + Math.round(Number(value) * 10_000));
  }
  return {
    visits: visits.length,
    visitors: visitors.size,
    sessions: sessions.length,
    leads: leads.length,
    conversions: conversions.filter((row) => !isRefunded(row)).length,
    refunds: conversions.filter(isRefunded).length,
    revenue: Object.fromEntries([...revenue].sort(([a], [b]) => String(a).localeCompare(String(b)))),
  };
}

/** Converts numbers of a report to the format of `recount`. */
export function plain({ revenue, conversionRate: _, convertedRevenue: __, ...numbers }: Row) {
  const sums = revenue.map(({ currency, value }: Row) => [currency, Math.round(Number(value) * 10_000)]);
  return {
    ...numbers,
    revenue: Object.fromEntries(sums.sort(([a]: string[], [b]: string[]) => String(a).localeCompare(String(b)))),
  };
}

function pageOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`.replace(/\/+$/, '').slice(0, 512);
}

export function assertSameRows(actual: Row[], expected: Row[], message: string): void {
  const sorted = (rows: Row[]) => rows.map((row) => JSON.stringify(row, Object.keys(row).sort())).sort();
  const order = (row: Row) => ({ ...row, revenue: undefined, sums: JSON.stringify(row.revenue) });
  assert.deepEqual(sorted(actual.map(order)), sorted(expected.map(order)), message);
}

/** The pages and seconds of the sessions that started in a period, by id. */
export function recountSessions(data: Exports, question: Question): Map<number, { pages: number; duration: number }> {
  const { valuesOf, among, counted } = readData(data, question);
  const fits = (session: number) =>
    Object.entries(question.filters).every(([name, conditions]) =>
      passes(conditions, valuesOf(session, name as Dimension)),
    );
  const sessions = data.sessions.filter((row) => among(row.startedAt) && counted(row) && fits(row.sessionId));
  return new Map(
    sessions.map(({ sessionId }) => {
      const seconds = (visitsBySession(data).get(sessionId) ?? []).map((row) =>
        Math.floor(Date.parse(row.occurredAt) / 1_000),
      );
      const duration = seconds.length === 0 ? 0 : Math.max(...seconds) - Math.min(...seconds);
      return [sessionId, { pages: seconds.length, duration }];
    }),
  );
}

import type pg from 'pg';
import { copyRows } from '../../shared/postgres/driver/copy-rows.ts';
import type { Dimension, Filters, Include, Period } from '../dimensions.ts';
import { sharesOf } from './attribution-models.ts';
import { type ConversionView, conversionsFrom } from './conversions-from.ts';
import { excludedFlags } from './count-sessions.ts';
import { type Amount, type Credit, Credits, parseAmount } from './credits.ts';
import { partsOf } from './filter-sessions.ts';
import type { ReportNames } from './names.ts';
import { formatLiteral, whereClause } from './outcome-queries.ts';
import { readSegments } from './scan-segments.ts';
import { secondOf } from './segment.ts';
import type { SegmentCache } from './segment-cache.ts';
import { findLeadsOfSessions, readLeadSessions } from './source-queries.ts';
import { compareTouches, findStarts, findTouches, SessionSet, type Touch } from './touches.ts';

export interface AttributionPlan extends ConversionView {
  period: Period;
  /** Milliseconds before a conversion. */
  window: number;
  by: Dimension;
  filters: Filters;
  include: Include;
}

export interface AttributionCounts {
  conversions: number;
  /** Conversions with at least one session in the window. */
  attributed: number;
  /** By the id of the value. */
  credits: Map<number, Credit[]>;
  names: ReportNames;
}

/** Of the sessions before a conversion the latest ones count. */
const MAX_TOUCHES = 100;

interface Conversion {
  /** In seconds, as segments store it. */
  at: number;
  /** The index of its session, or -1. */
  session: number;
  amount: Amount | null;
  /** Its currency, and the day of its sale after a space if it has to be converted. */
  currency: string | null;
}

/**
 * Shares the conversions of a period among the sessions that led to them: the sessions of the same visitor and of the same
 * lead that started within a window before, to the second.
 */
export async function attributeConversions(
  client: pg.ClientBase,
  cache: SegmentCache,
  plan: AttributionPlan,
): Promise<AttributionCounts> {
  const { period, window } = plan;
  const matched = new SessionSet();
  const conversions = await readConversions(client, plan, matched);
  const { visitors, starts, byVisitor, byLead, names } = await findPaths(client, cache, plan, matched, period.to);
  const credits = new Credits();
  let attributed = 0;
  for (const { at, session, amount, currency } of conversions) {
    if (session < 0 || (visitors[session] ?? -1) < 0) continue;
    const from = at - Math.floor(window / 1_000);
    const to = Math.max(at, starts[session] ?? 0);
    const ofVisitor = latestTouches(byVisitor.get(visitors[session] ?? -1), from, to);
    const ofLead = latestTouches(byLead.get(session), from, to);
    const touches = ofLead.length === 0 ? ofVisitor : mergeTouches(ofVisitor, ofLead);
    if (touches.length === 0) continue;
    attributed++;
    const shares = sharesOf(touches.map(({ start }) => at - start));
    touches.forEach(({ value }, i) => {
      credits.add(value, currency, amount, shares, i);
    });
  }
  return { conversions: conversions.length, attributed, credits: credits.result(), names };
}

interface Paths {
  /** The visitor and the start of each matched session, by index. */
  visitors: Int32Array;
  starts: Int32Array;
  byVisitor: Map<number, Touch[]>;
  /** By index of the matched session. */
  byLead: Map<number, Touch[]>;
  names: ReportNames;
}

/** Finds the sessions, started before `to`, of the visitors and leads of the matched sessions. */
async function findPaths(
  client: pg.ClientBase,
  cache: SegmentCache,
  plan: AttributionPlan,
  matched: SessionSet,
  to: number,
): Promise<Paths> {
  const { accountId, period, window, by, include, channels } = plan;
  const from = period.from - window;
  const request = { accountId, from, to, parts: partsOf(by), segments: matched.segments, channels };
  const found = await readSegments(client, cache, request, async (population) => {
    const { visitors, starts } = await findStarts(population, matched);
    const latest = starts.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
    if (latest >= secondOf(to)) return latest;
    const groups = await findLeadGroups(client, accountId, matched);
    const isVisitor = new Uint8Array(population.maxVisitors);
    for (const visitor of visitors) if (visitor >= 0) isVisitor[visitor] = 1;
    const leadSessions = new SessionSet();
    for (const { sessions } of groups) for (const number of sessions) leadSessions.add(number);
    const excluded = excludedFlags(include);
    const { byVisitor, bySession } = await findTouches(population, isVisitor, leadSessions, by, excluded);
    const byLead = await groupByLead(client, accountId, matched, groups, visitors, bySession);
    return { visitors, starts, byVisitor, byLead, names: population.names };
  });
  if (typeof found !== 'number') return found;
  // A session may start after its conversion; then later sessions of its visitor count as well.
  return findPaths(client, cache, plan, matched, to + (found - secondOf(to) + 1) * 1_000);
}

async function readConversions(
  client: pg.ClientBase,
  plan: AttributionPlan,
  matched: SessionSet,
): Promise<Conversion[]> {
  const conversions: Conversion[] = [];
  const sql = `select at, session_number, value::text, sold_in from ${conversionsFrom(plan, formatLiteral)}
    where ${whereClause(plan, 'at', formatLiteral)} and not is_refunded`;
  await copyRows(client, sql, 4, ({ bytes, starts, lengths }) => {
    const text = (i: number) => {
      const [start = 0, length = -1] = [starts[i], lengths[i]];
      return length < 0 ? null : bytes.toString('utf8', start, start + length);
    };
    const number = (lengths[1] ?? -1) < 0 ? undefined : Number(bytes.readBigInt64BE(starts[1]));
    const value = text(2);
    conversions.push({
      // PostgreSQL sends microseconds since 2000, the epoch of segments.
      at: Math.floor(Number(bytes.readBigInt64BE(starts[0])) / 1_000_000),
      session: number === undefined ? -1 : matched.add(number),
      amount: value === null ? null : parseAmount(value),
      currency: text(3),
    });
  });
  return conversions;
}

/** The latest sessions of a list in order of time. */
function latestTouches(touches: readonly Touch[] = [], from: number, to: number): Touch[] {
  let [low, high] = [0, touches.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((touches[middle]?.start ?? 0) <= to) low = middle + 1;
    else high = middle;
  }
  return touches.slice(Math.max(0, low - MAX_TOUCHES), low).filter(({ start }) => start >= from);
}

function mergeTouches(a: Touch[], b: Touch[]): Touch[] {
  const merged = new Map([...a, ...b].map((touch) => [touch.number, touch]));
  return [...merged.values()].sort(compareTouches).slice(-MAX_TOUCHES);
}

/** A lead that has or had a matched session, and other sessions. */
interface LeadGroup {
  /** Its UUID without dashes. */
  lead: string;
  sessions: number[];
}

async function findLeadGroups(client: pg.ClientBase, accountId: string, matched: SessionSet): Promise<LeadGroup[]> {
  const groups: LeadGroup[] = [];
  await readLeadSessions(client, accountId, (lead, sessions) => {
    if (sessions.length < 2 || !sessions.some((number) => matched.indexOf(number) >= 0)) return;
    groups.push({ lead: lead.toString('hex'), sessions: [...sessions] });
  });
  return groups;
}

/** For matched sessions, by index, the sessions of their lead, if some are of another visitor, in order of time. */
async function groupByLead(
  client: pg.ClientBase,
  accountId: string,
  matched: SessionSet,
  groups: readonly LeadGroup[],
  visitors: Int32Array,
  bySession: ReadonlyMap<number, Touch>,
): Promise<Map<number, Touch[]>> {
  const visitorOf = (number: number) => bySession.get(number)?.visitor ?? visitors[matched.indexOf(number)] ?? -1;
  const mixed = groups.filter(
    ({ sessions }) => new Set(sessions.map(visitorOf).filter((visitor) => visitor >= 0)).size > 1,
  );
  const found = new Map<number, Touch[]>();
  if (mixed.length === 0) return found;
  // A session may have had another lead before.
  const numbers = [...new Set(mixed.flatMap(({ sessions }) => sessions))];
  const rows = await findLeadsOfSessions(client, { account_id: accountId, numbers });
  const leadOf = new Map(rows.map((row) => [row.number, row.lead_id?.replaceAll('-', '')]));
  for (const { lead, sessions } of mixed) {
    const current = sessions.filter((number) => leadOf.get(number) === lead);
    const touches = current.flatMap((number) => bySession.get(number) ?? []).sort(compareTouches);
    for (const number of current) {
      const index = matched.indexOf(number);
      if (index >= 0) found.set(index, touches);
    }
  }
  return found;
}

import pg from 'pg';
import { copyRows } from '../shared/postgres/copy-rows.ts';
import { type Amount, amountOf, type Credit, Credits } from './credits.ts';
import type { Dimension, Include, Period } from './dimensions.ts';
import { findTouches, knowSessions, Numbered, type Touch } from './find-touches.ts';
import { loadSegments, type Names } from './load-segments.ts';
import { sharesOf } from './models.ts';
import { secondOf } from './segment.ts';
import type { SegmentCache } from './segment-cache.ts';
import { findLeadsOf } from './segment-queries.ts';

export interface AttributionAsked {
  accountId: string;
  period: Period;
  /** Milliseconds before a conversion. */
  window: number;
  by: Dimension;
  include: Include;
}

export interface Attributed {
  conversions: number;
  /** Those to which a session led. */
  attributed: number;
  /** By the number of the value. */
  credits: Map<number, Credit[]>;
  names: Names;
}

/** Of a conversion the latest sessions before it. */
const MOST_TOUCHES = 100;

interface Conversion {
  /** As `secondOf` has it. */
  at: number;
  /** The place of its session; -1: none. */
  session: number;
  amount: Amount | null;
  currency: string | null;
}

/**
 * Shares the conversions of a period out among the sessions that led to them: those of their session's visitor and lead, which
 * began within a window before. To the second.
 */
export async function attributeConversions(
  client: pg.Client,
  cache: SegmentCache,
  asked: AttributionAsked,
): Promise<Attributed> {
  const { accountId, period, window, by, include } = asked;
  const own = new Numbered();
  const conversions = await readConversions(client, asked, own);
  const load = (to: number) =>
    loadSegments(client, cache, { accountId, from: period.from - window, to, withEvents: false, also: own.segments });
  let loaded = await load(period.to);
  let { visitors, began } = knowSessions(loaded.segments, own);
  const last = began.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  if (last >= secondOf(period.to)) {
    // A session may begin behind its conversion, and its visitor's others as well.
    loaded = await load(period.to + (last - secondOf(period.to) + 1) * 1_000);
    ({ visitors, began } = knowSessions(loaded.segments, own));
  }

  const others = await readOthersOfLeads(client, accountId, own);
  const isOfOne = new Uint8Array(loaded.visitors);
  for (const visitor of visitors) if (visitor >= 0) isOfOne[visitor] = 1;
  const ofLeads = new Numbered();
  for (const numbers of others.values()) for (const number of numbers) ofLeads.add(number);
  const { ofVisitors, asAsked } = findTouches(loaded.segments, isOfOne, ofLeads, by, include);
  const touchesOf = (place: number) => ofVisitors.get(visitors[place] ?? -1) ?? [];
  const elsewhere = await onOtherDevices(client, accountId, own, others, touchesOf, asAsked);

  const credits = new Credits();
  let attributed = 0;
  for (const { at, session, amount, currency } of conversions) {
    if (session < 0 || (visitors[session] ?? -1) < 0) continue;
    const from = at - Math.floor(window / 1_000);
    const to = Math.max(at, began[session] ?? 0);
    const touches = [...touchesOf(session), ...(elsewhere.get(session) ?? [])]
      .filter((touch) => touch.began >= from && touch.began <= to)
      .sort((a, b) => a.began - b.began || a.number - b.number)
      .slice(-MOST_TOUCHES);
    if (touches.length === 0) continue;
    attributed++;
    const shares = sharesOf(touches.map((touch) => at - touch.began));
    touches.forEach(({ value }, i) => {
      credits.add(value, currency, amount, shares, i);
    });
  }
  return { conversions: conversions.length, attributed, credits: credits.result(), names: loaded.names };
}

async function readConversions(client: pg.Client, asked: AttributionAsked, own: Numbered): Promise<Conversion[]> {
  const { accountId, period, include } = asked;
  const time = (ms: number) => pg.escapeLiteral(new Date(ms).toISOString());
  const conversions: Conversion[] = [];
  // Times come in microseconds since 2000, from when packed sessions count their seconds as well.
  const sql = `select at, session_number, value::text, currency from analytics_conversions
    where account_id = ${pg.escapeLiteral(accountId)} and at >= ${time(period.from)} and at < ${time(period.to)}
      ${include.bots ? '' : 'and not is_bot'} ${include.internal ? '' : 'and not is_internal'}`;
  await copyRows(client, sql, 4, ({ bytes, starts, lengths }) => {
    const text = (i: number) => {
      const [start = 0, length = -1] = [starts[i], lengths[i]];
      return length < 0 ? null : bytes.toString('utf8', start, start + length);
    };
    const number = (lengths[1] ?? -1) < 0 ? undefined : Number(bytes.readBigInt64BE(starts[1]));
    const value = text(2);
    conversions.push({
      at: Math.floor(Number(bytes.readBigInt64BE(starts[0])) / 1_000_000),
      session: number === undefined ? -1 : own.add(number),
      amount: value === null ? null : amountOf(value),
      currency: text(3),
    });
  });
  return conversions;
}

/** For sessions (by place) that share a lead with others, now or once, the numbers of these. */
async function readOthersOfLeads(
  client: pg.Client,
  accountId: string,
  own: Numbered,
): Promise<Map<number, Set<number>>> {
  const others = new Map<number, Set<number>>();
  const lead = Buffer.alloc(16);
  const group: number[] = [];
  const end = () => {
    if (group.length < 2) return;
    for (const number of group) {
      const place = own.placeOf(number);
      if (place < 0) continue;
      const known = others.get(place) ?? new Set();
      for (const other of group) if (other !== number) known.add(other);
      others.set(place, known);
    }
  };
  const sql = `select lead_id, session_number from lead_sessions where account_id = ${pg.escapeLiteral(accountId)} order by lead_id`;
  await copyRows(client, sql, 2, ({ bytes, starts }) => {
    const [at = 0, numberAt = 0] = starts;
    if (lead.compare(bytes, at, at + 16) !== 0) {
      end();
      bytes.copy(lead, 0, at, at + 16);
      group.length = 0;
    }
    group.push(Number(bytes.readBigInt64BE(numberAt)));
  });
  end();
  return others;
}

/** Of sessions (by place) those of the same lead that are not their visitor's anyway. */
async function onOtherDevices(
  client: pg.Client,
  accountId: string,
  own: Numbered,
  others: ReadonlyMap<number, ReadonlySet<number>>,
  touchesOf: (place: number) => Touch[],
  touches: ReadonlyMap<number, Touch>,
): Promise<Map<number, Touch[]>> {
  const found = new Map<number, Touch[]>();
  for (const [place, numbers] of others) {
    const same = new Set(touchesOf(place).map(({ number }) => number));
    const more = [...numbers].flatMap((number) => (same.has(number) ? [] : (touches.get(number) ?? [])));
    if (more.length > 0) found.set(place, more);
  }
  if (found.size === 0) return found;
  // A session may have had another lead before.
  const asked = new Set(
    [...found].flatMap(([place, more]) => [own.numbers[place], ...more.map(({ number }) => number)]),
  );
  const rows = await findLeadsOf(client, accountId, [...asked]);
  const leads = new Map(rows.map((row) => [row.number, row.lead_id]));
  for (const [place, more] of found) {
    const lead = leads.get(own.numbers[place] ?? -1);
    found.set(place, lead ? more.filter(({ number }) => leads.get(number) === lead) : []);
  }
  return found;
}

import type pg from 'pg';
import type { ChannelRule } from '../channel-rules/rule.ts';
import { containsText, type Filters, type Include, type Period } from '../dimensions.ts';
import { type EventValues, readEventValues, sessionsWithEvent } from './event-values.ts';
import { compileFilters, partsOfFilters } from './filter-sessions.ts';
import { readSegments } from './scan-segments.ts';
import type { Part } from './segment.ts';
import type { SegmentCache } from './segment-cache.ts';

export interface PropertiesRequest {
  accountId: string;
  filters: Filters;
  /** The custom channels of the account. */
  channels?: readonly ChannelRule[] | undefined;
  include: Include;
  period: Period;
  event: string;
  /** Whose values are counted; undefined: only names are returned. */
  property: string | undefined;
  /** Only values that contain this text, in any case. */
  contains: string | undefined;
  limit: number;
}

export interface PropertiesResult {
  names: string[];
  rows: { value: string | null; events: number; sessions: number }[];
  more: boolean;
}

/** Sessions whose events tell the names of properties. */
const NAME_SAMPLE = 2_000;

/** The properties of an event, and how often each value of one occurs, in the report thread. */
export async function countProperties(
  client: pg.ClientBase,
  cache: SegmentCache,
  request: PropertiesRequest,
): Promise<PropertiesResult> {
  const { accountId, filters, include, period, event, property, contains, limit } = request;
  const parts: Part[] = ['events', 'event_names', ...partsOfFilters(filters)];
  const sessions: number[] = [];
  const read = { accountId, ...period, parts, channels: request.channels };
  await readSegments(client, cache, read, async ({ names, scan }) => {
    const filter = compileFilters(filters, await names.idsOfFilters(filters));
    const idOf = await names.idsOf([event]);
    await scan((view) => sessionsWithEvent(view, filter(view), new Set([idOf(event)]), sessions));
  });
  const passing = new Set(sessions);
  const isCounted = ({ session, isBot, isInternal }: EventValues) =>
    (include.bots || !isBot) && (include.internal || !isInternal) && passing.has(session);

  const events = new Map<string, number>();
  const sample = sessions.slice(-NAME_SAMPLE);
  await readEventValues(client, { accountId, event, ...period, properties: null }, sample, (each) => {
    if (!isCounted(each)) return;
    for (const name of Object.keys(JSON.parse(each.values[0] ?? '{}'))) events.set(name, (events.get(name) ?? 0) + 1);
  });
  const byCount = [...events].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  const result = { names: byCount.map(([name]) => name), rows: [], more: false };
  if (property === undefined) return result;

  const values = new Map<string | null, { events: number; sessions: Set<number> }>();
  await readEventValues(client, { accountId, event, ...period, properties: [property] }, sessions, (each) => {
    if (!isCounted(each)) return;
    const [value = null] = each.values;
    const known = values.get(value) ?? { events: 0, sessions: new Set() };
    values.set(value, known);
    known.events++;
    known.sessions.add(each.session);
  });
  const found = [...values].filter(
    ([value]) => contains === undefined || (value !== null && containsText(value, contains)),
  );
  const rows = found.map(([value, counts]) => ({ value, events: counts.events, sessions: counts.sessions.size }));
  rows.sort((a, b) => b.events - a.events || ((a.value ?? '') < (b.value ?? '') ? -1 : 1));
  return { ...result, rows: rows.slice(0, limit), more: rows.length > limit };
}

import type pg from 'pg';
import type { ChannelRule } from '../channel-rules/rule.ts';
import type { Filters, Include, Period, SingleValued } from '../dimensions.ts';
import { boundsOf } from './breakdown.ts';
import { countFunnel, partsOfFunnel } from './count-funnel.ts';
import { type PropertyCondition, passesCondition, readEventValues, sessionsWithEvent } from './event-values.ts';
import { compileFilters } from './filter-sessions.ts';
import type { Attempts } from './funnel-attempts.ts';
import type { ReportNames } from './names.ts';
import type { ExtraAction, Population, StepIds } from './plan.ts';
import { readSegments } from './scan-segments.ts';
import { SEGMENT_SIZE } from './segment.ts';
import type { SegmentCache } from './segment-cache.ts';

export type FunnelAction = { event: string; where?: PropertyCondition[] } | { page: string };
/** An action, or one of several. */
export type FunnelStep = FunnelAction | { anyOf: FunnelAction[] };

export interface FunnelRequest {
  accountId: string;
  filters: Filters;
  /** The custom channels of the account. */
  channels?: readonly ChannelRule[] | undefined;
  include: Include;
  /** The period, and the one to compare with. */
  periods: Period[];
  window: number;
  by: 'session' | 'visitor';
  steps: FunnelStep[];
  breakdownBy: SingleValued | undefined;
}

export interface FunnelResult {
  /** Of each period. */
  runs: Omit<Attempts, 'groups'>[];
  /** Of the first period, the largest groups first. */
  groups: { value: string | null; counts: number[] }[];
  moreGroups: boolean;
}

const MAX_GROUPS = 25;

/** Counts a funnel in the report thread. */
export async function computeFunnel(
  client: pg.ClientBase,
  cache: SegmentCache,
  request: FunnelRequest,
): Promise<FunnelResult> {
  const { accountId, filters, periods, window, breakdownBy } = request;
  const bounds = boundsOf(periods);
  const span = { from: bounds.from, to: bounds.to + window };
  const read = { accountId, ...span, parts: partsOfFunnel(filters, breakdownBy), channels: request.channels };
  return readSegments(client, cache, read, async (population) => {
    const { names } = population;
    const actions = request.steps.map((step) => ('anyOf' in step ? step.anyOf : [step]));
    const steps: StepIds[] = [];
    for (const each of actions) steps.push(await stepIds(each, names));
    const extras = await readExtras(client, population, request, span, actions);
    const plans = periods.map((period, i) => ({ ...request, period, breakdownBy: i === 0 ? breakdownBy : undefined }));
    return withGroups(await countFunnel(population, steps, plans, extras), names);
  });
}

async function withGroups(runs: Attempts[], names: ReportNames): Promise<FunnelResult> {
  const groups = [...(runs[0]?.groups ?? [])].sort(([i, a], [j, b]) => (b[0] ?? 0) - (a[0] ?? 0) || i - j);
  const shown = groups.slice(0, MAX_GROUPS);
  const texts = await names.namesOf(shown.map(([id]) => id));
  return {
    runs: runs.map(({ groups: _, ...run }) => run),
    groups: shown.map(([id, counts]) => ({ value: texts.get(id) ?? null, counts })),
    moreGroups: groups.length > shown.length,
  };
}

/** The events that count as a step by their properties. */
async function readExtras(
  client: pg.ClientBase,
  { names, scan }: Population,
  { accountId, filters, include }: FunnelRequest,
  span: Period,
  steps: FunnelAction[][],
): Promise<Map<number, ExtraAction[]>> {
  const extras = new Map<number, ExtraAction[]>();
  const conditional = steps.flatMap((actions, step) =>
    actions.flatMap((action) =>
      'event' in action && action.where?.length ? { step, ...action, where: action.where } : [],
    ),
  );
  if (conditional.length === 0) return extras;
  const filter = compileFilters(filters, await names.idsOfFilters(filters));
  const idOf = await names.idsOf(conditional.map(({ event }) => event));
  const sessions = conditional.map((): number[] => []);
  await scan((view) => {
    const passes = filter(view);
    for (const [i, { event }] of conditional.entries()) {
      sessionsWithEvent(view, passes, new Set([idOf(event)]), sessions[i] ?? []);
    }
  });
  for (const [i, { step, event, where }] of conditional.entries()) {
    const properties = where.map(({ property }) => property);
    const selection = { accountId, event, from: span.from, to: span.to + 1, properties };
    await readEventValues(client, selection, sessions[i] ?? [], ({ session, at, isBot, isInternal, values }) => {
      if ((isBot && !include.bots) || (isInternal && !include.internal)) return;
      if (!where.every((condition, n) => passesCondition(condition, values[n] ?? null))) return;
      const segment = Math.floor(session / SEGMENT_SIZE);
      const known = extras.get(segment) ?? [];
      extras.set(segment, known);
      known.push({ offset: session % SEGMENT_SIZE, at, mask: 1 << step });
    });
  }
  return extras;
}

/** The ids of a step's pages and of its events without conditions. */
async function stepIds(actions: FunnelAction[], names: ReportNames): Promise<StepIds> {
  const events = new Set<number>();
  const pages = new Set<number>();
  for (const action of actions) {
    if ('page' in action) for (const id of await pageIds(action.page, names)) pages.add(id);
    else if (!action.where?.length) events.add((await names.idsOf([action.event]))(action.event));
  }
  return { events, pages };
}

/** A page that starts with `/` matches any host; `*` at the end matches any rest. */
function pageIds(page: string, names: ReportNames): Promise<number[]> {
  const isPrefix = page.endsWith('*');
  const isAnyHost = page.startsWith('/');
  // Pages are stored without a slash at the end.
  const text = isPrefix ? page.slice(0, -1) : page.replace(/\/+$/, '');
  const matches = (name: string) => {
    const path = isAnyHost ? name.slice(name.indexOf('/') < 0 ? name.length : name.indexOf('/')) : name;
    return isPrefix ? path.startsWith(text) || `${path}/` === text : path === text;
  };
  const escaped = text.replace(/[\\%_]/g, '\\$&');
  const pattern = isAnyHost ? `%${escaped}%` : `${escaped.replace(/\/$/, '')}%`;
  return names.idsLike(pattern, matches);
}

import type pg from 'pg';
import type { ChannelRule } from '../channel-rules/rule.ts';
import type { Filters, Include, Period } from '../dimensions.ts';
import { excludedFlags } from './count-sessions.ts';
import { compileFilters, partsOfFilters } from './filter-sessions.ts';
import { readSegments } from './scan-segments.ts';
import { IS_DELETED, SEGMENT_SIZE, secondOf } from './segment.ts';
import type { SegmentCache } from './segment-cache.ts';
import type { SegmentView } from './segment-view.ts';

export interface RankRequest {
  accountId: string;
  filters: Filters;
  /** The custom channels of the account. */
  channels?: readonly ChannelRule[] | undefined;
  include: Include;
  /** In which the sessions started. */
  period: Period;
  /** By the number of visits, or by the seconds from the first to the last one; then by the number of the session. */
  by: 'visits' | 'span';
  isDescending: boolean;
  /** What follows this session. */
  after: RankedSession | undefined;
  limit: number;
}

export interface RankedSession {
  number: number;
  value: number;
}

/** The first sessions in the order of their visits or duration, in the report thread. */
export async function rankSessions(
  client: pg.ClientBase,
  cache: SegmentCache,
  { accountId, filters, channels, include, period, by, isDescending, after, limit }: RankRequest,
): Promise<RankedSession[]> {
  const sign = isDescending ? -1 : 1;
  const compare = (a: RankedSession, b: RankedSession) => sign * (a.value - b.value || a.number - b.number);
  const [from, to, excluded] = [secondOf(period.from), secondOf(period.to), excludedFlags(include) | IS_DELETED];
  let best: RankedSession[] = [];
  /** Sessions that do not come before it are not among the best. */
  let worst: RankedSession | undefined;
  const shrink = () => {
    best = best.sort(compare).slice(0, limit);
    worst = best.length === limit ? best[limit - 1] : undefined;
  };
  const add = (view: SegmentView, passes: Uint8Array | undefined) => {
    const { segment, first, last } = view.segment;
    if (last < from || first >= to) return;
    const [flags, starts, offsets, values] = [
      view.column('flags'),
      view.column('start'),
      view.column('offset'),
      view.column(by),
    ];
    for (let i = 0; i < view.sessions; i++) {
      const start = starts[i] ?? 0;
      if (passes?.[i] === 0 || ((flags[i] ?? 0) & excluded) !== 0 || start < from || start >= to) continue;
      const session = { number: segment * SEGMENT_SIZE + (offsets[i] ?? 0), value: values[i] ?? 0 };
      if ((after && compare(session, after) <= 0) || (worst && compare(session, worst) >= 0)) continue;
      best.push(session);
      if (best.length >= 2 * limit) shrink();
    }
  };
  const request = { accountId, ...period, parts: partsOfFilters(filters), channels };
  await readSegments(client, cache, request, async ({ names, scan }) => {
    const filter = compileFilters(filters, await names.idsOfFilters(filters));
    await scan((view) => add(view, filter(view)));
  });
  shrink();
  return best;
}

import type { Tx } from '../../shared/postgres/database.ts';
import { findNewestBlocks, findOldestBlocks } from './bitmap-queries.ts';
import {
  listNewestInBlocks,
  listNewestSessions,
  listOldestInBlocks,
  listOldestSessions,
  type SessionListing,
  type SessionListRow,
  walkNewestSessions,
  walkOldestSessions,
} from './queries.ts';

const NEWEST_FIRST = {
  walks: walkNewestSessions,
  findBlocks: findNewestBlocks,
  listInBlocks: listNewestInBlocks,
  list: listNewestSessions,
};
const OLDEST_FIRST: typeof NEWEST_FIRST = {
  walks: walkOldestSessions,
  findBlocks: findOldestBlocks,
  listInBlocks: listOldestInBlocks,
  list: listOldestSessions,
};

/** The filters whose values have bitmaps. */
const FILTERS = ['source', 'medium', 'campaign', 'country', 'device', 'platform'] as const;

/**
 * A page of the sessions that pass the filters. A walk through the first sessions finds a page of what is common. If it does not, the rest of
 * the page is read from the blocks of sessions whose bitmaps have such a session: see docs/decisions/0040-session-bitmaps.md.
 */
export async function findSessionPage(
  tx: Tx,
  listing: SessionListing,
  isOldestFirst: boolean,
): Promise<SessionListRow[]> {
  const order = isOldestFirst ? OLDEST_FIRST : NEWEST_FIRST;
  const set = FILTERS.filter((filter) => listing[filter] !== null);
  if (set.length === 0) return order.list(tx, listing);
  const page: SessionListRow[] = [];
  let rest = listing;
  let end: SessionListRow | undefined;
  for (const walk of order.walks) {
    const walked = await walk(tx, { ...rest, limit: listing.limit - page.length });
    page.push(...walked.filter(({ is_end }) => !is_end));
    end = walked.find(({ is_end }) => is_end);
    if (!end) return page;
    rest = { ...listing, after_time: end.started_at, after_number: end.number };
    // The next walk is four times as long.
    if (page.length * 5 < listing.limit) break;
  }
  if (!end) return page;

  const wanted = { ...rest, filters: set, values: set.map((filter) => listing[filter]) };
  let low = isOldestFirst ? end.started_at : null;
  let high = isOldestFirst ? null : new Date(end.started_at.getTime() + 1);
  for (;;) {
    const limit = listing.limit - page.length;
    const found = await order.findBlocks(tx, { ...wanted, low, high, limit });
    const { blocks_end: blocksEnd = null, late = [] } = found[0] ?? {};
    if (blocksEnd === null) return [...page, ...(await order.list(tx, { ...rest, limit }))];
    const blocks = found.filter(({ until }) => until !== null);
    const last = blocks.find((block) => block.is_full);
    // There may be further blocks behind this time.
    const edge = (isOldestFirst ? last?.until : last?.since) ?? null;
    if (isOldestFirst) high = edge;
    else low = edge;
    // Sessions after all blocks are read as well.
    const ranges = [...blocks, { since: blocksEnd, until: null }];
    const rows = await order.listInBlocks(tx, {
      ...{ ...rest, low, high, limit },
      since: ranges.map(({ since }) => since),
      until: ranges.map(({ until }) => until),
      numbers: late,
    });
    page.push(...rows);
    if (page.length === listing.limit || edge === null) return page;
    [low, high] = isOldestFirst ? [edge, null] : [null, edge];
  }
}

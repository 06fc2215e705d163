import type { Tx } from '../../shared/postgres/database.ts';
import { DAY } from '../../shared/units.ts';
import { putAdNames } from './ad-names.ts';
import {
  countDaysRead,
  countReplaced,
  putReadCosts,
  type ReadCost,
  removeReadCosts,
  renameReadCosts,
} from './queries.ts';
import { learnAliases } from './source-queries.ts';

export type { ReadCost } from './queries.ts';

/** Where costs are read from. */
export interface CostsOrigin {
  accountId: string;
  /** UUID of the cost source. */
  costSourceId: string;
  /** As in sessions. */
  source: string;
}

/** Longer names are cut: an index has a limit. */
const MAX_NAME = 200;
/** Sessions that names are learned from. */
const LEARN_MS = 30 * DAY;
/** Reports have a campaign up to a day after its first session. */
const OVERLAP_MS = 2 * DAY;
const REMOVED_AT_ONCE = 5_000;

export const nameOf = (name: string, id: string): string => name.trim().slice(0, MAX_NAME).trim().toWellFormed() || id;

/**
 * Stores the names of what was read, and learns what sessions call it. Costs of all days get the new name of an ID.
 * @param readAt when it was read before: earlier sessions were learned from
 */
export async function storeAdNames(
  tx: Tx,
  { accountId: account_id, costSourceId: cost_source_id, source }: CostsOrigin,
  costs: readonly ReadCost[],
  readAt: number | undefined,
  now: number,
): Promise<void> {
  const byId = new Map<string, { level: string; id: string; name: string }>();
  for (const cost of costs) {
    for (const level of ['campaign', 'ad_group', 'ad'] as const) {
      const id = cost[`${level}_id`];
      if (id !== '') byId.set(`${level} ${id}`, { level, id, name: cost[level] });
    }
  }
  const key = { account_id, source: source.toLowerCase() };
  const names = await putAdNames(tx, { ...key, names: [...byId.values()] });
  if (names.length > 0) await renameReadCosts(tx, { account_id, cost_source_id, names, now: new Date(now) });
  await learnAliases(tx, { ...key, since: new Date(Math.max(now - LEARN_MS, (readAt ?? 0) - OVERLAP_MS)) });
}

/** Makes the costs of a day those that were read. */
export async function storeReadCosts(
  tx: Tx,
  { accountId: account_id, costSourceId: cost_source_id, source }: CostsOrigin,
  day: string,
  costs: readonly ReadCost[],
  now: number,
): Promise<{ written: number; removed: number; replaced: number }> {
  const [counts] = await putReadCosts(tx, { account_id, cost_source_id, source, day, costs, now: new Date(now) });
  return counts ?? { written: 0, removed: 0, replaced: 0 };
}

/** The days of a period of which a cost source has read costs. */
export async function countReadDays(
  tx: Tx,
  { accountId: account_id, costSourceId: cost_source_id }: Omit<CostsOrigin, 'source'>,
  period: { from: string; to: string },
): Promise<number> {
  const [count] = await countDaysRead(tx, { account_id, cost_source_id, ...period });
  return count?.days ?? 0;
}

/** How many costs that were imported by hand would be replaced. */
export async function countReplacedCosts(
  tx: Tx,
  { accountId: account_id, source }: CostsOrigin,
  day: string,
  costs: readonly ReadCost[],
): Promise<number> {
  const [count] = await countReplaced(tx, { account_id, source, day, costs });
  return count?.replaced ?? 0;
}

/** Removes what a cost source read, some at a time. Returns whether there is more. */
export async function removeSomeReadCosts(
  tx: Tx,
  { accountId: account_id, costSourceId: cost_source_id }: Omit<CostsOrigin, 'source'>,
  now: number,
): Promise<{ removed: number; isMore: boolean }> {
  const [{ removed = 0 } = {}] = await removeReadCosts(tx, {
    ...{ account_id, cost_source_id },
    now: new Date(now),
    limit: REMOVED_AT_ONCE,
  });
  return { removed, isMore: removed === REMOVED_AT_ONCE };
}

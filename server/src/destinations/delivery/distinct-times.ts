import { createHash } from 'node:crypto';
import type { Tx } from '../../shared/postgres/database.ts';
import { DAY } from '../../shared/units.ts';
import type { Item } from './batches.ts';
import { findSiblings } from './queries.ts';

const SECOND_MS = 1_000;

interface Key {
  account_id: string;
  destination_id: string;
}

/**
 * For a platform that knows a conversion by its click, goal and second. Gives new conversions a second that no other one of the
 * same click has: those whose `createdOn` is only a date get a time of that day, always the same one. Returns the changes that
 * would reach more than one conversion, because an earlier version sent two with the same second.
 */
export async function distinguishTimes(
  tx: Tx,
  key: Key,
  clickIdName: string,
  items: readonly Item[],
  now: number,
): Promise<{ items: Item[]; ambiguous: Item[] }> {
  const fresh = items.filter(({ row, intent }) => row.intent !== intent);
  if (fresh.length === 0) return { items: [...items], ambiguous: [] };
  const siblings = await findSiblings(tx, {
    ...key,
    click_id: clickIdName,
    conversions: fresh.map(({ row }) => row.conversion_id),
  });
  const taken = new Set(siblings.map(({ conversion_id, target, at }) => `${conversion_id} ${target} ${secondOf(at)}`));
  /** What this run chose, by click. */
  const chosen = new Set<string>();
  const ambiguous: Item[] = [];
  const remaining = items.flatMap((item): Item[] => {
    const { row, intent, event } = item;
    const click = `${event.clickId?.value} ${intent.target}`;
    const isTaken = (at: number) =>
      taken.has(`${row.conversion_id} ${intent.target} ${secondOf(at)}`) || chosen.has(`${click} ${secondOf(at)}`);
    if (row.intent === intent) {
      chosen.add(`${click} ${secondOf(intent.occurredAt)}`);
      return [item];
    }
    if (intent.action !== 'send') {
      if (!taken.has(`${row.conversion_id} ${intent.target} ${secondOf(intent.occurredAt)}`)) return [item];
      ambiguous.push(item);
      return [];
    }
    let occurredAt = timeWithinDay(intent.occurredAt, event.clickedAt, row.conversion_id, now);
    while (isTaken(occurredAt)) occurredAt += SECOND_MS;
    chosen.add(`${click} ${secondOf(occurredAt)}`);
    return [{ row, intent: { ...intent, occurredAt }, event: { ...event, occurredAt } }];
  });
  return { items: remaining, ambiguous };
}

const secondOf = (ms: number) => Math.floor(ms / SECOND_MS);

/** A time of the day for a conversion of which only the day is known: after its click, not ahead, and always the same. */
function timeWithinDay(occurredAt: number, clickedAt: number | null, conversionId: string, now: number): number {
  if (occurredAt % DAY !== 0) return occurredAt;
  const start = Math.max(occurredAt, (clickedAt ?? 0) + SECOND_MS);
  const end = Math.min(occurredAt + DAY, now) - SECOND_MS;
  if (start >= end) return occurredAt;
  const part = createHash('sha256').update(conversionId).digest().readUInt32BE(0) / 2 ** 32;
  return Math.floor((start + part * (end - start)) / SECOND_MS) * SECOND_MS;
}

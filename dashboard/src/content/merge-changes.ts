import { isSameValue } from './same-value.ts';

type Values = Record<string, unknown>;

interface Rows {
  order: string[];
  byId: ReadonlyMap<string, unknown>;
}

/** Rows with IDs; undefined if this is anything else. */
function rowsOf(value: unknown): Rows | undefined {
  if (value === undefined || value === null) return { order: [], byId: new Map() };
  if (!Array.isArray(value)) return undefined;
  const byId = new Map<string, unknown>();
  for (const row of value) {
    const id: unknown = typeof row === 'object' && row !== null ? row._id : undefined;
    if (typeof id !== 'string') return undefined;
    byId.set(id, row);
  }
  return { order: [...byId.keys()], byId };
}

/**
 * Merges rows that both sides changed, as long as they changed different ones. The order is that of the side that changed it.
 * @returns undefined if both changed the same row
 */
function mergeRows(before: unknown, mine: unknown, theirs: unknown): unknown[] | undefined {
  const [base, own, other] = [rowsOf(before), rowsOf(mine), rowsOf(theirs)];
  if (!base || !own || !other || base.order.length === 0) return undefined;
  const merged = new Map<string, unknown>();
  for (const id of new Set([...own.order, ...other.order])) {
    const [was, isMine, isTheirs] = [base.byId.get(id), own.byId.get(id), other.byId.get(id)];
    if (isSameValue(isMine, isTheirs) || isSameValue(was, isTheirs)) {
      if (isMine !== undefined) merged.set(id, isMine);
    } else if (isSameValue(was, isMine)) {
      if (isTheirs !== undefined) merged.set(id, isTheirs);
    } else return undefined;
  }
  const isReordered = !isSameValue(
    own.order.filter((id) => base.byId.has(id)),
    base.order.filter((id) => own.byId.has(id)),
  );
  const [first, second] = isReordered ? [own, other] : [other, own];
  const order = first.order.filter((id) => merged.has(id));
  // A row that only the other side has goes behind the one that it follows there.
  for (const [at, id] of second.order.entries()) {
    if (!merged.has(id) || order.includes(id)) continue;
    const previous = second.order.slice(0, at).findLast((each) => order.includes(each));
    order.splice(previous === undefined ? 0 : order.indexOf(previous) + 1, 0, id);
  }
  return order.map((id) => merged.get(id));
}

/**
 * Changes that were made to an earlier version, as changes of the one that others saved since: of fields that they did not change, and
 * of rows that they did not change.
 * @returns undefined if both changed the same
 */
export function mergeChanges(before: Values, mine: Values, theirs: Values): Values | undefined {
  const merged: Values = {};
  for (const [id, value] of Object.entries(mine)) {
    if (isSameValue(before[id], theirs[id]) || isSameValue(value, theirs[id])) merged[id] = value;
    else {
      const rows = mergeRows(before[id], value, theirs[id]);
      if (rows === undefined) return undefined;
      merged[id] = rows;
    }
  }
  return merged;
}

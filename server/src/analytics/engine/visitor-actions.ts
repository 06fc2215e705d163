import type { FunnelAttempts } from './funnel-attempts.ts';
import { ReportTooLarge } from './report-too-large.ts';

/** Visitors whose actions are stored together and grouped together, in the processor's cache. */
const RANGE_BITS = 16;
const RANGE = 2 ** RANGE_BITS;
const FIRST_CAPACITY = 256;

/** The actions of a range of visitors, in the order in which they were added. */
interface ActionRange {
  size: number;
  times: Float64Array;
  /** The visitor in the range, and in the lower half a bit for each step that the action matches. */
  codes: Uint32Array;
  groups: Int32Array | undefined;
}

/** What a thread has collected, by range of visitors. Those from `end` on had no space. */
export interface CollectedActions {
  ranges: (ActionRange | undefined)[];
  end: number;
}

/**
 * Collects actions that match a step by their visitors, whose sessions are in many segments. When there are more than memory is
 * given for, those of the visitors with the highest numbers are left out: they are collected in another scan.
 */
export class VisitorActions {
  readonly #from: number;
  readonly #hasGroups: boolean;
  readonly #maxActions: number;
  readonly #ranges: (ActionRange | undefined)[] = [];
  #end = Number.POSITIVE_INFINITY;
  #capacity = 0;

  /** @param from the first number of a visitor @param maxActions for which there is memory */
  constructor(from: number, hasGroups: boolean, maxActions: number) {
    this.#from = from;
    this.#hasGroups = hasGroups;
    this.#maxActions = maxActions;
  }

  /** @throws ReportTooLarge if a single range of visitors has too many */
  add(visitor: number, at: number, mask: number, group: number): void {
    if (visitor < this.#from || visitor >= this.#end) return;
    const index = visitor >>> RANGE_BITS;
    let range = this.#ranges[index];
    if (!range || range.size === range.times.length) {
      range = this.#grow(index, range);
      if (visitor >= this.#end) return;
    }
    range.times[range.size] = at;
    if (range.groups) range.groups[range.size] = group;
    range.codes[range.size++] = ((visitor % RANGE) << RANGE_BITS) | mask;
  }

  get collected(): CollectedActions {
    return { ranges: this.#ranges, end: this.#end };
  }

  get buffers(): ArrayBuffer[] {
    return this.#ranges.flatMap((range) =>
      range
        ? [range.times, range.codes, range.groups].flatMap((each) => (each ? (each.buffer as ArrayBuffer) : []))
        : [],
    );
  }

  #grow(index: number, range: ActionRange | undefined): ActionRange {
    const capacity = range ? range.times.length * 2 : FIRST_CAPACITY;
    const grown: ActionRange = {
      size: range?.size ?? 0,
      times: new Float64Array(capacity),
      codes: new Uint32Array(capacity),
      groups: this.#hasGroups ? new Int32Array(capacity) : undefined,
    };
    if (range) {
      grown.times.set(range.times);
      grown.codes.set(range.codes);
      if (range.groups) grown.groups?.set(range.groups);
    }
    this.#ranges[index] = grown;
    this.#capacity += capacity - (range?.times.length ?? 0);
    if (this.#capacity > this.#maxActions) this.#shrink();
    return grown;
  }

  /** Leaves out the last ranges until half of the space is free again, or only the first range is left. */
  #shrink(): void {
    const first = this.#from >>> RANGE_BITS;
    while (this.#capacity > this.#maxActions / 2 && this.#ranges.length > first + 1) {
      const removed = this.#ranges.pop();
      this.#capacity -= removed?.times.length ?? 0;
      this.#end = this.#ranges.length * RANGE;
    }
    if (this.#capacity > this.#maxActions) throw new ReportTooLarge();
  }
}

/** Counts the attempts of visitors below a number, whose actions several threads have collected. */
export function countVisitors(parts: readonly CollectedActions[], end: number, attempts: FunnelAttempts): void {
  const ends = new Uint32Array(RANGE + 1);
  const last = Math.max(...parts.map(({ ranges }) => ranges.length));
  for (let index = 0; index < last && index * RANGE < end; index++) {
    countRange(
      parts.flatMap(({ ranges }) => ranges[index] ?? []),
      ends,
      attempts,
    );
  }
}

/** Groups the actions of a range by counting: nothing is sorted as a whole. @param ends reused */
function countRange(parts: readonly ActionRange[], ends: Uint32Array, attempts: FunnelAttempts): void {
  const [first] = parts;
  if (!first) return;
  const { size, times, codes, groups } = parts.length === 1 ? first : concatenate(parts);
  ends.fill(0);
  for (let i = 0; i < size; i++) {
    const next = ((codes[i] ?? 0) >>> RANGE_BITS) + 1;
    ends[next] = (ends[next] ?? 0) + 1;
  }
  for (let i = 1; i <= RANGE; i++) ends[i] = (ends[i] ?? 0) + (ends[i - 1] ?? 0);
  const order = new Uint32Array(size);
  for (let i = 0; i < size; i++) {
    const visitor = (codes[i] ?? 0) >>> RANGE_BITS;
    const index = ends[visitor] ?? 0;
    ends[visitor] = index + 1;
    order[index] = i;
  }
  // Each entry is the end of its visitor now.
  for (let visitor = 0, start = 0; start < size; visitor++) {
    const end = ends[visitor] ?? 0;
    if (start === end) continue;
    if (end - start > 1) orderByTime(order, times, start, end);
    attempts.start();
    for (let i = start; i < end; i++) {
      const action = order[i] ?? 0;
      attempts.add(times[action] ?? 0, (codes[action] ?? 0) % RANGE, groups?.[action] ?? 0);
    }
    attempts.finish();
    start = end;
  }
}

function concatenate(parts: readonly ActionRange[]): ActionRange {
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  const all: ActionRange = {
    size,
    times: new Float64Array(size),
    codes: new Uint32Array(size),
    groups: parts[0]?.groups && new Int32Array(size),
  };
  let at = 0;
  for (const part of parts) {
    all.times.set(part.times.subarray(0, part.size), at);
    all.codes.set(part.codes.subarray(0, part.size), at);
    if (part.groups) all.groups?.set(part.groups.subarray(0, part.size), at);
    at += part.size;
  }
  return all;
}

/** Most visitors have a few actions, which are sorted in place. */
const MAX_INSERTION = 32;

/** Sorts a part of `order`. Stable: actions within the same millisecond keep their order. */
function orderByTime(order: Uint32Array, times: Float64Array, start: number, end: number): void {
  if (end - start > MAX_INSERTION) {
    order.subarray(start, end).sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0) || a - b);
    return;
  }
  for (let i = start + 1; i < end; i++) {
    const index = order[i] ?? 0;
    const at = times[index] ?? 0;
    let to = i;
    for (; to > start && (times[order[to - 1] ?? 0] ?? 0) > at; to--) order[to] = order[to - 1] ?? 0;
    order[to] = index;
  }
}

import { type Dimension, PLATFORMS, SINGLE_VALUED, type SingleValued } from '../dimensions.ts';
import { compileFilters } from './filter-sessions.ts';
import type { Population } from './plan.ts';
import { IS_DELETED, SEGMENT_SIZE } from './segment.ts';

/** A session that may have led to a conversion. */
export interface Touch {
  number: number;
  /** In seconds, as segments store it. */
  start: number;
  /** The id of its value. */
  value: number;
  visitor: number;
}

/** By time. */
export function compareTouches(a: Touch, b: Touch): number {
  return a.start - b.start || a.number - b.number;
}

/** A set of session numbers that gives each an index from 0. */
export class SessionSet {
  /** By segment, for each offset the index plus 1. */
  readonly #indexes = new Map<number, Int32Array>();
  readonly numbers: number[] = [];

  /** Returns the index. */
  add(number: number): number {
    const segment = Math.floor(number / SEGMENT_SIZE);
    const indexes = this.#indexes.get(segment) ?? new Int32Array(SEGMENT_SIZE);
    this.#indexes.set(segment, indexes);
    const known = indexes[number % SEGMENT_SIZE] ?? 0;
    if (known !== 0) return known - 1;
    const count = this.numbers.push(number);
    indexes[number % SEGMENT_SIZE] = count;
    return count - 1;
  }

  /** The index, or -1. */
  indexOf(number: number): number {
    return (this.#indexes.get(Math.floor(number / SEGMENT_SIZE))?.[number % SEGMENT_SIZE] ?? 0) - 1;
  }

  get segments(): number[] {
    return [...this.#indexes.keys()];
  }

  /** For each offset of a segment the index plus 1. */
  indexesIn(segment: number): Int32Array | undefined {
    return this.#indexes.get(segment);
  }
}

/** Only hidden sessions do not pass. */
const isShown = compileFilters({});

/** The visitor (-1: unknown) and the start of each session of a set, by index. */
export async function findStarts(
  { scan }: Population,
  set: SessionSet,
): Promise<{ visitors: Int32Array; starts: Int32Array }> {
  const visitors = new Int32Array(set.numbers.length).fill(-1);
  const starts = new Int32Array(set.numbers.length);
  await scan((view) => {
    const indexes = set.indexesIn(view.segment.segment);
    if (!indexes) return;
    const shown = isShown(view);
    const [offsets, flags, startOf] = [view.column('offset'), view.column('flags'), view.column('start')];
    for (let i = 0; i < view.sessions; i++) {
      const index = (indexes[offsets[i] ?? 0] ?? 0) - 1;
      if (index < 0 || shown?.[i] === 0 || ((flags[i] ?? 0) & IS_DELETED) !== 0) continue;
      visitors[index] = view.segment.visitors[i] ?? 0;
      starts[index] = startOf[i] ?? 0;
    }
  });
  return { visitors, starts };
}

/** The sessions of some visitors, in order of time, and the sessions of a set. @param isVisitor by number of the visitor */
export async function findTouches(
  { scan }: Population,
  isVisitor: Uint8Array,
  set: SessionSet,
  by: Dimension,
  excluded: number,
): Promise<{ byVisitor: Map<number, Touch[]>; bySession: Map<number, Touch> }> {
  const byVisitor = new Map<number, Touch[]>();
  const bySession = new Map<number, Touch>();
  await scan((view) => {
    const { segment, visitors } = view.segment;
    const indexes = set.indexesIn(segment);
    const shown = isShown(view);
    const [offsets, flags, starts] = [view.column('offset'), view.column('flags'), view.column('start')];
    const values = by === 'platform' ? view.column('platforms') : view.column(SINGLE_VALUED[by as SingleValued]);
    for (let i = 0; i < view.sessions; i++) {
      if (shown?.[i] === 0 || ((flags[i] ?? 0) & (IS_DELETED | excluded)) !== 0) continue;
      const visitor = visitors[i] ?? 0;
      const offset = offsets[i] ?? 0;
      const isInSet = indexes !== undefined && indexes[offset] !== 0;
      if (isVisitor[visitor] === 0 && !isInSet) continue;
      const number = segment * SEGMENT_SIZE + offset;
      const value = by === 'platform' ? firstPlatform(values[i] ?? 0) : (values[i] ?? 0);
      const touch = { number, start: starts[i] ?? 0, value, visitor };
      if (isInSet) bySession.set(number, touch);
      if (isVisitor[visitor] === 0) continue;
      const known = byVisitor.get(visitor);
      if (known) known.push(touch);
      else byVisitor.set(visitor, [touch]);
    }
  });
  for (const touches of byVisitor.values()) touches.sort(compareTouches);
  return { byVisitor, bySession };
}

const PLATFORMS_BY_NAME = PLATFORMS.map((name, bit) => ({ name, bit })).sort((a, b) => (a.name < b.name ? -1 : 1));

/** Of several platforms the first by name, as a value id: its index plus 1. */
function firstPlatform(platforms: number): number {
  if (platforms === 0) return 0;
  return (PLATFORMS_BY_NAME.find(({ bit }) => (platforms & (1 << bit)) !== 0)?.bit ?? -1) + 1;
}

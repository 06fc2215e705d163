import { countBits } from './count-bits.ts';
import { PairSet, pairsIn } from './pair-set.ts';

/** Counts distinct visitors of a period and of each of its intervals. */
export interface IntervalVisitors {
  /** @throws ReportTooLarge */
  add(visitor: number, interval: number): void;
  /** Adds what another thread has added, in the same way. @throws ReportTooLarge */
  union(content: IntervalContent): void;
  /** What another thread may add. Its buffers may be transferred. */
  readonly content: IntervalContent;
  counts(): { total: number; intervals: readonly number[] };
}

export interface IntervalContent {
  bitmaps: (Uint32Array | undefined)[];
  latest: Uint16Array | undefined;
  earlier: Float64Array | undefined;
}

/** Memory for the bitmaps of all intervals together. */
const MAX_BITMAP_BYTES = 96 * 2 ** 20;

/** @param visitors visitor numbers are below this @param intervals their indexes are below this, at most 65,535 */
export function countIntervalVisitors(
  visitors: number,
  intervals: number,
  { maxBitmapBytes = MAX_BITMAP_BYTES, maxEarlier = undefined as number | undefined } = {},
): IntervalVisitors {
  if ((intervals * visitors) / 8 <= maxBitmapBytes) return new VisitorBitmaps(visitors, intervals);
  return new LatestIntervals(visitors, intervals, maxEarlier);
}

/** A bitmap for each interval, which stays in the processor's cache. Nothing is counted until the end. */
class VisitorBitmaps implements IntervalVisitors {
  readonly #words: number;
  readonly #bitmaps: (Uint32Array | undefined)[];

  constructor(visitors: number, intervals: number) {
    this.#words = (visitors >>> 5) + 1;
    this.#bitmaps = new Array(intervals).fill(undefined);
  }

  add(visitor: number, interval: number): void {
    const bitmap = this.#bitmaps[interval] ?? this.#start(interval);
    const word = visitor >>> 5;
    bitmap[word] = (bitmap[word] ?? 0) | (1 << (visitor & 31));
  }

  union({ bitmaps }: IntervalContent): void {
    bitmaps.forEach((bitmap, interval) => {
      if (bitmap) addBits(this.#bitmaps[interval] ?? this.#start(interval), bitmap);
    });
  }

  get content(): IntervalContent {
    return { bitmaps: this.#bitmaps, latest: undefined, earlier: undefined };
  }

  counts() {
    const all = new Uint32Array(this.#words);
    const intervals = this.#bitmaps.map((bitmap) => {
      if (!bitmap) return 0;
      addBits(all, bitmap);
      return countIn(bitmap);
    });
    return { total: countIn(all), intervals };
  }

  #start(interval: number): Uint32Array {
    const bitmap = new Uint32Array(this.#words);
    this.#bitmaps[interval] = bitmap;
    return bitmap;
  }
}

function addBits(bitmap: Uint32Array, more: Uint32Array): void {
  for (let word = 0; word < more.length; word++) {
    const bits = more[word] ?? 0;
    if (bits !== 0) bitmap[word] = (bitmap[word] ?? 0) | bits;
  }
}

function countIn(bitmap: Uint32Array): number {
  let count = 0;
  for (let word = 0; word < bitmap.length; word++) {
    const bits = bitmap[word] ?? 0;
    if (bits !== 0) count += countBits(bits);
  }
  return count;
}

/** Where intervals are many: the latest interval of each visitor in an array, the earlier ones, which few visitors have, in a hash table. */
class LatestIntervals implements IntervalVisitors {
  readonly #intervals: number;
  /** The interval plus 1; 0: none. */
  readonly #latest: Uint16Array;
  readonly #earlier: PairSet;
  readonly #counts: number[];
  #total = 0;

  constructor(visitors: number, intervals: number, maxEarlier?: number) {
    this.#intervals = intervals;
    this.#latest = new Uint16Array(visitors);
    this.#earlier = new PairSet(maxEarlier);
    this.#counts = new Array(intervals).fill(0);
  }

  add(visitor: number, interval: number): void {
    const latest = (this.#latest[visitor] ?? 0) - 1;
    if (latest === interval) return;
    if (latest > interval) {
      if (!this.#earlier.add(visitor * this.#intervals + interval)) return;
    } else {
      this.#latest[visitor] = interval + 1;
      if (latest < 0) this.#total++;
      else this.#earlier.add(visitor * this.#intervals + latest);
    }
    this.#counts[interval] = (this.#counts[interval] ?? 0) + 1;
  }

  union({ latest, earlier }: IntervalContent): void {
    latest?.forEach((interval, visitor) => {
      if (interval > 0) this.add(visitor, interval - 1);
    });
    if (!earlier) return;
    for (const pair of pairsIn(earlier)) this.add(Math.floor(pair / this.#intervals), pair % this.#intervals);
  }

  get content(): IntervalContent {
    return { bitmaps: [], latest: this.#latest, earlier: this.#earlier.slots };
  }

  counts() {
    return { total: this.#total, intervals: this.#counts };
  }
}

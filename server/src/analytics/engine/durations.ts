/** Median and average of durations, in seconds. */
export interface Duration {
  median: number;
  average: number;
}

/** Milliseconds below this take 4 bytes each: 49 days. */
const SMALL = 2 ** 32;
const BINS = 2_048;

/** Durations in whole milliseconds, of which there are millions: in 4 or 8 bytes each. */
export class Durations {
  #values: Uint32Array | Float64Array;
  #size = 0;

  /** @param max none is longer, in milliseconds */
  constructor(max: number) {
    this.#values = max < SMALL ? new Uint32Array(64) : new Float64Array(64);
  }

  add(ms: number): void {
    if (this.#size === this.#values.length) this.#grow(this.#size * 2);
    this.#values[this.#size++] = ms;
  }

  get values(): Uint32Array | Float64Array {
    return this.#values.subarray(0, this.#size);
  }

  addAll(values: Uint32Array | Float64Array): void {
    if (this.#size + values.length > this.#values.length) this.#grow(this.#size + values.length);
    this.#values.set(values, this.#size);
    this.#size += values.length;
  }

  summarize(): Duration | null {
    const { values } = this;
    if (values.length === 0) return null;
    let sum = 0;
    for (const each of values) sum += each;
    const middle = values.length >> 1;
    const upper = valueAtRank(values, middle);
    const median = values.length % 2 === 1 ? upper : (upper + valueAtRank(values, middle - 1)) / 2;
    return { median: median / 1_000, average: sum / values.length / 1_000 };
  }

  #grow(size: number): void {
    const old = this.#values;
    this.#values = old instanceof Uint32Array ? new Uint32Array(size) : new Float64Array(size);
    this.#values.set(old);
  }
}

/** The whole number that would be at an index if all were sorted, in a few passes: sorting millions takes ten times as long. */
function valueAtRank(values: Uint32Array | Float64Array, index: number): number {
  let [low, high, rank] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, index];
  for (const each of values) {
    if (each < low) low = each;
    if (each > high) high = each;
  }
  const counts = new Uint32Array(BINS);
  while (low < high) {
    const width = Math.ceil((high - low + 1) / BINS);
    counts.fill(0);
    for (const each of values) {
      if (each < low || each > high) continue;
      const bin = Math.floor((each - low) / width);
      counts[bin] = (counts[bin] ?? 0) + 1;
    }
    let bin = 0;
    for (; rank >= (counts[bin] ?? 0); bin++) rank -= counts[bin] ?? 0;
    low += bin * width;
    high = Math.min(high, low + width - 1);
  }
  return low;
}

import { ReportTooLarge } from './report-too-large.ts';

/** The hash table takes at most 256 MiB. */
export const MAX_PAIRS = 2 ** 24;

/** A set of whole numbers from 0, each of which stands for a pair of others: an open-addressing hash table. */
export class PairSet {
  readonly #max: number;
  /** A number plus 1; 0: empty. */
  #slots = new Float64Array(2_048);
  #size = 0;

  constructor(max = MAX_PAIRS) {
    this.#max = max;
  }

  /** What another thread may add to its own. Its buffer may be transferred. */
  get slots(): Float64Array {
    return this.#slots;
  }

  /** Returns whether the pair is new. @throws ReportTooLarge */
  add(pair: number): boolean {
    const stored = pair + 1;
    const slot = this.#slotOf(stored);
    if (this.#slots[slot] === stored) return false;
    this.#slots[slot] = stored;
    if (++this.#size > this.#max) throw new ReportTooLarge();
    if (this.#size * 2 > this.#slots.length) {
      const old = this.#slots;
      this.#slots = new Float64Array(old.length * 2);
      for (const each of old) if (each !== 0) this.#slots[this.#slotOf(each)] = each;
    }
    return true;
  }

  #slotOf(stored: number): number {
    const mask = this.#slots.length - 1;
    const hash = Math.imul(stored % 0x7fffffff, 0x9e3779b1);
    for (let slot = (hash ^ (hash >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const found = this.#slots[slot];
      if (found === 0 || found === stored) return slot;
    }
  }
}

/** The pairs in the slots of a set. */
export function* pairsIn(slots: Float64Array): Generator<number> {
  for (const stored of slots) if (stored !== 0) yield stored - 1;
}

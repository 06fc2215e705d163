import { ReportTooLarge } from './report-too-large.ts';

const INITIAL_SLOTS = 1_024;

/** The part of the slots that may be used. */
const LOAD = 0.75;
/** The table and the digests of this many visitors take 160 MiB. */
const MAX_VISITORS = 2 ** 24 * LOAD;

/** Assigns visitors numbers from 0, by 64 bits of a digest of their ids: an open-addressing hash table. */
export class VisitorNumbers {
  /** Numbers from 1; 0: empty. */
  #slots = new Int32Array(INITIAL_SLOTS);
  /** The two halves of each visitor's digest, by number. */
  #digests = new Int32Array(INITIAL_SLOTS * 2 * LOAD);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /**
   * The numbers of visitors, by the halves of their digests. Reads the first slot of all before it compares any: the processor
   * waits for many such reads at once, but for those of one visitor after another each time.
   * @throws ReportTooLarge
   */
  numbersOf(high: Int32Array, low: Int32Array): Int32Array {
    const [slots, mask] = [this.#slots, this.#slots.length - 1];
    const numbers = new Int32Array(low.length);
    for (let i = 0; i < low.length; i++) numbers[i] = (slots[(low[i] ?? 0) & mask] ?? 0) - 1;
    for (let i = 0; i < low.length; i++) {
      const [known, h, l] = [numbers[i] ?? -1, high[i] ?? 0, low[i] ?? 0];
      const isSame = known >= 0 && this.#digests[known * 2 + 1] === l && this.#digests[known * 2] === h;
      if (!isSame) numbers[i] = this.numberOf(h, l);
    }
    return numbers;
  }

  /** The number of a visitor; a new visitor gets the next one. @throws ReportTooLarge */
  numberOf(high: number, low: number): number {
    const slot = this.#find(high, low);
    const known = this.#slots[slot] ?? 0;
    if (known !== 0) return known - 1;
    if (this.#size >= this.#slots.length * LOAD) {
      this.#grow(this.#slots.length * 2);
      return this.numberOf(high, low);
    }
    this.#digests[this.#size * 2] = high;
    this.#digests[this.#size * 2 + 1] = low;
    this.#slots[slot] = ++this.#size;
    return this.#size - 1;
  }

  /** Reserves space for this many more visitors: growing step by step takes twice as long as all the rest. */
  reserve(more: number): void {
    let slots = this.#slots.length;
    while (Math.min(this.#size + more, MAX_VISITORS) > slots * LOAD) slots *= 2;
    if (slots > this.#slots.length) this.#grow(slots);
  }

  #find(high: number, low: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const at = (this.#slots[slot] ?? 0) * 2 - 2;
      if (at < 0 || (this.#digests[at + 1] === low && this.#digests[at] === high)) return slot;
    }
  }

  #grow(slots: number): void {
    if (this.#size >= MAX_VISITORS) throw new ReportTooLarge();
    this.#slots = new Int32Array(slots);
    const digests = new Int32Array(slots * 2 * LOAD);
    digests.set(this.#digests.subarray(0, this.#size * 2));
    this.#digests = digests;
    for (let number = 1; number <= this.#size; number++) {
      this.#slots[this.#find(digests[number * 2 - 2] ?? 0, digests[number * 2 - 1] ?? 0)] = number;
    }
  }
}

/** Memory for the bitmaps of all groups together. */
const MAX_BITMAP_BYTES = 96 * 2 ** 20;
/** The hash table of the other groups takes at most 256 MiB. */
const MAX_PAIRS = 2 ** 24;

/**
 * Counts distinct visitors in any number of groups: by bitmaps as far as memory allows, by a hash table of pairs in the other
 * groups.
 */
export class DistinctVisitors {
  readonly #visitors: number;
  readonly #words: number;
  readonly #maxBitmaps: number;
  readonly #maxPairs: number;
  readonly #bitmaps: Uint32Array[] = [];
  /** Group and visitor in one number, from 1; 0: empty. */
  #pairs = new Float64Array(2 * INITIAL_SLOTS);
  #pairCount = 0;
  #groups = 0;

  /** @param visitors visitor numbers are below this */
  constructor(visitors: number, { maxBitmapBytes = MAX_BITMAP_BYTES, maxPairs = MAX_PAIRS } = {}) {
    this.#visitors = visitors;
    this.#words = (visitors >>> 5) + 1;
    this.#maxBitmaps = Math.floor(maxBitmapBytes / (this.#words * 4));
    this.#maxPairs = maxPairs;
  }

  addGroup(): number {
    return this.#groups++;
  }

  /** Returns whether the visitor is new in the group. @throws ReportTooLarge */
  add(visitor: number, group: number): boolean {
    if (group >= this.#maxBitmaps) return this.#addPair(visitor, group);
    this.#bitmaps[group] ??= new Uint32Array(this.#words);
    const bitmap = this.#bitmaps[group];
    const word = visitor >>> 5;
    const bit = 1 << (visitor & 31);
    const before = bitmap[word] ?? 0;
    if ((before & bit) !== 0) return false;
    bitmap[word] = before | bit;
    return true;
  }

  #addPair(visitor: number, group: number): boolean {
    const pair = group * this.#visitors + visitor + 1;
    const slot = this.#slotOf(pair);
    if (this.#pairs[slot] === pair) return false;
    this.#pairs[slot] = pair;
    if (++this.#pairCount > this.#maxPairs) throw new ReportTooLarge();
    if (this.#pairCount * 2 > this.#pairs.length) {
      const old = this.#pairs;
      this.#pairs = new Float64Array(old.length * 2);
      for (const each of old) if (each !== 0) this.#pairs[this.#slotOf(each)] = each;
    }
    return true;
  }

  #slotOf(pair: number): number {
    const mask = this.#pairs.length - 1;
    const hash = Math.imul(pair % 0x7fffffff, 0x9e3779b1);
    for (let slot = (hash ^ (hash >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const found = this.#pairs[slot];
      if (found === 0 || found === pair) return slot;
    }
  }
}

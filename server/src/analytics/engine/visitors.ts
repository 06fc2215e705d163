import { ReportTooLarge } from './report-too-large.ts';

const INITIAL_SLOTS = 1_024;

/** Assigns visitors numbers from 0, by 64 bits of a digest of their ids: an open-addressing hash table. */
export class VisitorNumbers {
  #slots = new Int32Array(INITIAL_SLOTS * 3);
  #mask = INITIAL_SLOTS - 1;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The number of a visitor; a new visitor gets the next one. */
  numberOf(high: number, low: number): number {
    const slot = this.#find(high, low);
    const known = this.#slots[slot + 2] ?? 0;
    if (known !== 0) return known - 1;
    if ((this.#size + 1) * 2 > this.#mask) {
      this.#grow(4);
      return this.numberOf(high, low);
    }
    this.#put(slot, high, low, ++this.#size);
    return this.#size - 1;
  }

  /** Reserves space for this many more visitors: growing step by step takes twice as long as all the rest. */
  reserve(more: number): void {
    let factor = 1;
    while ((this.#size + more + 1) * 2 > (this.#mask + 1) * factor) factor *= 2;
    if (factor > 1) this.#grow(factor);
  }

  #find(high: number, low: number): number {
    for (let index = low & this.#mask; ; index = (index + 1) & this.#mask) {
      const slot = index * 3;
      if (this.#slots[slot + 2] === 0 || (this.#slots[slot + 1] === low && this.#slots[slot] === high)) return slot;
    }
  }

  #put(slot: number, high: number, low: number, number: number): void {
    this.#slots[slot] = high;
    this.#slots[slot + 1] = low;
    this.#slots[slot + 2] = number;
  }

  #grow(factor: number): void {
    const old = this.#slots;
    this.#slots = new Int32Array(old.length * factor);
    this.#mask = (this.#mask + 1) * factor - 1;
    for (let i = 0; i < old.length; i += 3) {
      const [high, low, number] = [old[i] ?? 0, old[i + 1] ?? 0, old[i + 2] ?? 0];
      if (number !== 0) this.#put(this.#find(high, low), high, low, number);
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

import { countBits } from './count-bits.ts';
import { MAX_PAIRS, PairSet, pairsIn } from './pair-set.ts';
import { ReportTooLarge } from './report-too-large.ts';

const INITIAL_SLOTS = 2_048;

/** The part of the slots that may be used. */
const LOAD = 0.75;
/** The table and the digests of this many visitors take 224 MiB. */
const MAX_VISITORS = 2 ** 24 * LOAD;

/** A thread takes this many numbers at a time, so that threads rarely wait for each other. */
const BLOCK = 1_024;

let nextId = 1;

/** What threads share of `VisitorNumbers`: typed arrays on shared memory. */
export interface SharedVisitors {
  id: number;
  table: Int32Array;
  digests: Int32Array;
  taken: Int32Array;
}

/**
 * Assigns visitors numbers from 0, by 64 bits of a digest of their ids: an open-addressing hash table. Several threads may use
 * the same table at once, unless it grows: so `reserve` comes before.
 *
 * A slot has two words, which are read together: the number of its visitor from 1 with the upper bits of the digest's low half,
 * of which the other bits say where to look first; and the high half. Waiting for memory is most of the time that a first
 * report takes for a visitor, so that a second place to look at (the digest by number) would take as long again. Two visitors
 * whose digests differ in nothing but a few of the bits that say where to look are one: about 62 bits distinguish them.
 */
export class VisitorNumbers {
  readonly id: number;
  /** Whether another thread made it, which alone may let it grow. */
  readonly #isShared: boolean;
  /** Whether other threads use the table now. Atomic writes take half of the time again. */
  isConcurrent: boolean;
  /** The first word is 0 if the slot is empty. */
  #table: Int32Array;
  /** The two halves of each visitor's digest, by number. */
  #digests: Int32Array;
  /** How many numbers were taken by threads; a few of them remain without a visitor. */
  readonly #taken: Int32Array;
  #next = 0;
  #end = 0;

  /** @param shared of another thread */
  constructor(shared?: SharedVisitors) {
    this.id = shared?.id ?? nextId++;
    this.#isShared = shared !== undefined;
    this.isConcurrent = this.#isShared;
    this.#table = shared?.table ?? sharedArray(INITIAL_SLOTS * 2);
    this.#digests = shared?.digests ?? sharedArray(INITIAL_SLOTS * 2 * LOAD);
    this.#taken = shared?.taken ?? sharedArray(1);
  }

  get shared(): SharedVisitors {
    return { id: this.id, table: this.#table, digests: this.#digests, taken: this.#taken };
  }

  /** Uses the table of the thread that made it, which may have grown. */
  adopt({ table, digests }: SharedVisitors): void {
    this.#table = table;
    this.#digests = digests;
  }

  /** All numbers are below this. */
  get size(): number {
    return this.#taken[0] ?? 0;
  }

  /**
   * The numbers of visitors, by the halves of their digests; a new visitor gets the next one. Reads the first slot of all, then
   * compares them, then adds new ones: the processor waits for many reads at once, but for those of one visitor after another
   * each time, and an atomic write waits for all reads before it.
   * @param numbers where they are written
   * @throws ReportTooLarge
   */
  numbersOf(high: Int32Array, low: Int32Array, numbers = new Int32Array(low.length)): Int32Array {
    if (this.#end - this.#next < low.length) this.#reserveNow(low.length);
    const table = this.#table;
    const mask = table.length / 2 - 1;
    for (let i = 0; i < low.length; i++) numbers[i] = table[((low[i] ?? 0) & mask) * 2] ?? 0;
    if (!this.isConcurrent) {
      this.#numberAlone(high, low, numbers);
      return numbers;
    }
    for (let i = 0; i < low.length; i++) numbers[i] = this.#find(high[i] ?? 0, low[i] ?? 0);
    for (let i = 0; i < low.length; i++) {
      if (numbers[i] === -1) numbers[i] = this.#add(high[i] ?? 0, low[i] ?? 0);
    }
    return numbers;
  }

  /** Without atomic writes, what looks for a visitor adds it where it would be. In one loop: calls would take a quarter longer. */
  #numberAlone(high: Int32Array, low: Int32Array, numbers: Int32Array): void {
    const table = this.#table;
    const digests = this.#digests;
    const mask = table.length / 2 - 1;
    let next = this.#next;
    for (let i = 0; i < low.length; i++) {
      const highHalf = high[i] ?? 0;
      const lowHalf = low[i] ?? 0;
      const rest = lowHalf & ~mask;
      for (let slot = lowHalf & mask; ; slot = (slot + 1) & mask) {
        const found = table[slot * 2] ?? 0;
        if (found === 0) {
          if (next === this.#end) next = this.#takeBlock();
          table[slot * 2] = rest | (next + 1);
          table[slot * 2 + 1] = highHalf;
          digests[next * 2] = highHalf;
          digests[next * 2 + 1] = lowHalf;
          numbers[i] = next++;
          break;
        }
        if ((found & ~mask) === rest && table[slot * 2 + 1] === highHalf) {
          numbers[i] = (found & mask) - 1;
          break;
        }
      }
    }
    this.#next = next;
  }

  /** Reserves space for this many more visitors: growing step by step takes twice as long as all the rest. */
  reserve(more: number): void {
    const needed = Math.min(this.size + more + BLOCK, MAX_VISITORS);
    let slots = this.#table.length / 2;
    while (needed > slots * LOAD) slots *= 2;
    if (slots > this.#table.length / 2) this.#grow(slots);
  }

  #reserveNow(more: number): void {
    if (this.size + more + BLOCK <= (this.#table.length / 2) * LOAD) return;
    if (this.#isShared || this.size + more + BLOCK > MAX_VISITORS) throw new ReportTooLarge();
    this.#grow(this.#table.length);
  }

  /** The number of a visitor, or -1. */
  #find(high: number, low: number): number {
    const table = this.#table;
    const mask = table.length / 2 - 1;
    const rest = low & ~mask;
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const found = table[slot * 2] ?? 0;
      if (found === 0) return -1;
      if ((found & ~mask) === rest && this.#hasHigh(slot, found, high)) return (found & mask) - 1;
    }
  }

  #add(high: number, low: number): number {
    const table = this.#table;
    const mask = table.length / 2 - 1;
    const rest = low & ~mask;
    const number = this.#next === this.#end ? this.#takeBlock() : this.#next;
    this.#digests[number * 2] = high;
    this.#digests[number * 2 + 1] = low;
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const found = Atomics.compareExchange(table, slot * 2, 0, rest | (number + 1));
      if (found === 0) {
        table[slot * 2 + 1] = high;
        this.#next = number + 1;
        return number;
      }
      if ((found & ~mask) === rest && this.#hasHigh(slot, found, high)) return (found & mask) - 1;
    }
  }

  /** Another thread writes the second word of a slot after the first, and the digest before both. */
  #hasHigh(slot: number, found: number, high: number): boolean {
    const mask = this.#table.length / 2 - 1;
    const known = this.#table[slot * 2 + 1] ?? 0;
    return (known !== 0 ? known : Atomics.load(this.#digests, ((found & mask) - 1) * 2)) === high;
  }

  /** Returns the first number of the next block. */
  #takeBlock(): number {
    this.#next = Atomics.add(this.#taken, 0, BLOCK);
    this.#end = this.#next + BLOCK;
    return this.#next;
  }

  #grow(slots: number): void {
    const [old, digests] = [this.#table, this.#digests];
    // Written once from the start to the end: the system gives out pages in order faster than where visitors happen to be.
    const table = sharedArray(slots * 2).fill(0);
    const oldMask = old.length / 2 - 1;
    const mask = slots - 1;
    for (let at = 0; at < old.length; at += 2) {
      const found = old[at] ?? 0;
      if (found === 0) continue;
      const number = (found & oldMask) - 1;
      const low = digests[number * 2 + 1] ?? 0;
      let slot = low & mask;
      while (table[slot * 2] !== 0) slot = (slot + 1) & mask;
      table[slot * 2] = (low & ~mask) | (number + 1);
      table[slot * 2 + 1] = digests[number * 2] ?? 0;
    }
    this.#table = table;
    this.#digests = sharedArray(slots * 2 * LOAD);
    this.#digests.set(digests.subarray(0, this.size * 2));
  }
}

const sharedArray = (length: number) => new Int32Array(new SharedArrayBuffer(length * 4));

/** Memory for the bitmaps of all groups together. */
const MAX_BITMAP_BYTES = 96 * 2 ** 20;

/** The visitors of all groups of a `DistinctVisitors`. */
export interface DistinctContent {
  bitmaps: (Uint32Array | undefined)[];
  pairs: Float64Array;
  visitors: number;
}

/**
 * Counts distinct visitors in any number of groups: by bitmaps as far as memory allows, by a hash table of pairs in the other
 * groups.
 */
export class DistinctVisitors {
  readonly #visitors: number;
  readonly #words: number;
  readonly #maxBitmaps: number;
  readonly #bitmaps: Uint32Array[] = [];
  /** Group and visitor in one number. */
  readonly #pairs: PairSet;
  #groups = 0;

  /** @param visitors visitor numbers are below this */
  constructor(visitors: number, { maxBitmapBytes = MAX_BITMAP_BYTES, maxPairs = MAX_PAIRS } = {}) {
    this.#visitors = visitors;
    this.#words = (visitors >>> 5) + 1;
    this.#maxBitmaps = Math.floor(maxBitmapBytes / (this.#words * 4));
    this.#pairs = new PairSet(maxPairs);
  }

  addGroup(): number {
    return this.#groups++;
  }

  /** What another thread has added. Its buffers may be transferred. */
  get content(): DistinctContent {
    return { bitmaps: this.#bitmaps, pairs: this.#pairs.slots, visitors: this.#visitors };
  }

  /** Adds the visitors of groups of another thread, and returns for each of them how many are new. @throws ReportTooLarge */
  union(content: DistinctContent, groupOf: readonly number[]): number[] {
    const added = groupOf.map((group, i) => {
      const bitmap = content.bitmaps[i];
      return bitmap ? this.#addBitmap(bitmap, group) : 0;
    });
    for (const pair of pairsIn(content.pairs)) {
      const other = Math.floor(pair / content.visitors);
      const group = groupOf[other];
      if (group === undefined) throw new Error('a group is missing');
      if (this.add(pair % content.visitors, group)) added[other] = (added[other] ?? 0) + 1;
    }
    return added;
  }

  #addBitmap(bitmap: Uint32Array, group: number): number {
    let added = 0;
    if (group < this.#maxBitmaps) {
      this.#bitmaps[group] ??= new Uint32Array(this.#words);
      const own = this.#bitmaps[group];
      for (let word = 0; word < bitmap.length; word++) {
        const bits = bitmap[word] ?? 0;
        if (bits === 0) continue;
        const before = own[word] ?? 0;
        own[word] = before | bits;
        added += countBits(bits & ~before);
      }
      return added;
    }
    for (let word = 0; word < bitmap.length; word++) {
      for (let bits = bitmap[word] ?? 0; bits !== 0; bits &= bits - 1) {
        if (this.#addPair(word * 32 + 31 - Math.clz32(bits & -bits), group)) added++;
      }
    }
    return added;
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
    return this.#pairs.add(group * this.#visitors + visitor);
  }
}

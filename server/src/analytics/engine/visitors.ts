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
   * @throws ReportTooLarge
   */
  numbersOf(high: Int32Array, low: Int32Array): Int32Array {
    if (this.#end - this.#next < low.length) this.#reserveNow(low.length);
    const table = this.#table;
    const mask = table.length / 2 - 1;
    const numbers = new Int32Array(low.length);
    for (let i = 0; i < low.length; i++) numbers[i] = table[((low[i] ?? 0) & mask) * 2] ?? 0;
    if (!this.isConcurrent) {
      // Without atomic writes, what looks for a visitor adds it where it would be.
      for (let i = 0; i < low.length; i++) numbers[i] = this.#add(high[i] ?? 0, low[i] ?? 0);
      return numbers;
    }
    for (let i = 0; i < low.length; i++) numbers[i] = this.#find(high[i] ?? 0, low[i] ?? 0);
    for (let i = 0; i < low.length; i++) {
      if (numbers[i] === -1) numbers[i] = this.#add(high[i] ?? 0, low[i] ?? 0);
    }
    return numbers;
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
    if (this.#next === this.#end) this.#takeBlock();
    const number = this.#next;
    this.#digests[number * 2] = high;
    this.#digests[number * 2 + 1] = low;
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const found = this.isConcurrent
        ? Atomics.compareExchange(table, slot * 2, 0, rest | (number + 1))
        : (table[slot * 2] ?? 0);
      if (found === 0) {
        if (!this.isConcurrent) table[slot * 2] = rest | (number + 1);
        table[slot * 2 + 1] = high;
        this.#next++;
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

  #takeBlock(): void {
    this.#next = Atomics.add(this.#taken, 0, BLOCK);
    this.#end = this.#next + BLOCK;
  }

  #grow(slots: number): void {
    const [old, digests] = [this.#table, this.#digests];
    const table = sharedArray(slots * 2);
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
  pairCount: number;
  visitors: number;
}

function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

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
  #pairs = new Float64Array(2_048);
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

  /** What another thread has added. Its buffers may be transferred. */
  get content(): DistinctContent {
    return { bitmaps: this.#bitmaps, pairs: this.#pairs, pairCount: this.#pairCount, visitors: this.#visitors };
  }

  /** Adds the visitors of groups of another thread, and returns for each of them how many are new. @throws ReportTooLarge */
  union(content: DistinctContent, groupOf: readonly number[]): number[] {
    const added = groupOf.map((group, i) => {
      const bitmap = content.bitmaps[i];
      return bitmap ? this.#addBitmap(bitmap, group) : 0;
    });
    if (content.pairCount === 0) return added;
    for (const pair of content.pairs) {
      if (pair === 0) continue;
      const other = Math.floor((pair - 1) / content.visitors);
      const group = groupOf[other];
      if (group === undefined) throw new Error('a group is missing');
      if (this.add((pair - 1) % content.visitors, group)) added[other] = (added[other] ?? 0) + 1;
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

const START = 1_024;

/** Numbers visitors from 0, by 64 bits of a digest of their ids. */
export class VisitorNumbers {
  #slots = new Int32Array(START * 3);
  #mask = START - 1;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The visitor's number, the next one where he was not seen yet. */
  numberOf(high: number, low: number): number {
    const at = this.#find(high, low);
    const known = this.#slots[at + 2] ?? 0;
    if (known !== 0) return known - 1;
    if ((this.#size + 1) * 2 > this.#mask) {
      this.#grow(4);
      return this.numberOf(high, low);
    }
    this.#put(at, high, low, ++this.#size);
    return this.#size - 1;
  }

  /** Makes room for so many more at once: growing by and by takes twice as long as all the rest. */
  reserve(more: number): void {
    let by = 1;
    while ((this.#size + more + 1) * 2 > (this.#mask + 1) * by) by *= 2;
    if (by > 1) this.#grow(by);
  }

  #find(high: number, low: number): number {
    for (let place = low & this.#mask; ; place = (place + 1) & this.#mask) {
      const at = place * 3;
      if (this.#slots[at + 2] === 0 || (this.#slots[at + 1] === low && this.#slots[at] === high)) return at;
    }
  }

  #put(at: number, high: number, low: number, number: number): void {
    this.#slots[at] = high;
    this.#slots[at + 1] = low;
    this.#slots[at + 2] = number;
  }

  #grow(by: number): void {
    const old = this.#slots;
    this.#slots = new Int32Array(old.length * by);
    this.#mask = (this.#mask + 1) * by - 1;
    for (let i = 0; i < old.length; i += 3) {
      const [high, low, number] = [old[i] ?? 0, old[i + 1] ?? 0, old[i + 2] ?? 0];
      if (number !== 0) this.#put(this.#find(high, low), high, low, number);
    }
  }
}

/** What the bits of all groups together may take. */
const MOST_BYTES = 64 * 2 ** 20;

/**
 * Tells the visitors of any number of groups apart: by a bit for each visitor in the first groups, as far as they fit into
 * memory, by hashing in the others.
 */
export class VisitorGroups {
  readonly #words: number;
  readonly #mostGroups: number;
  readonly #bits: Uint32Array[] = [];
  readonly #rest = new Set<number>();
  readonly #visitors: number;

  /** @param visitors their numbers are below it */
  constructor(visitors: number) {
    this.#visitors = visitors;
    this.#words = (visitors >>> 5) + 1;
    this.#mostGroups = Math.floor(MOST_BYTES / (this.#words * 4));
  }

  /** Whether the visitor was not in the group yet. */
  add(visitor: number, group: number): boolean {
    if (group >= this.#mostGroups) {
      const before = this.#rest.size;
      return this.#rest.add(group * this.#visitors + visitor).size > before;
    }
    this.#bits[group] ??= new Uint32Array(this.#words);
    const bits = this.#bits[group];
    const word = visitor >>> 5;
    const bit = 1 << (visitor & 31);
    const had = bits[word] ?? 0;
    if ((had & bit) !== 0) return false;
    bits[word] = had | bit;
    return true;
  }
}

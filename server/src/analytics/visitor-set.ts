/** Tells visitors apart, by 64 bits of a digest of their ids, within any number of groups. */
export class VisitorSet {
  #slots: Int32Array;
  #mask: number;
  #size = 0;

  constructor(expected = 1_024) {
    const capacity = 2 ** Math.ceil(Math.log2(expected * 2));
    this.#slots = new Int32Array(capacity * 3);
    this.#mask = capacity - 1;
  }

  get size(): number {
    return this.#size;
  }

  /** Whether the visitor was not in the group yet. @param group from 0 */
  add(high: number, low: number, group: number): boolean {
    const slots = this.#slots;
    let at = this.#find(high, low, group + 1);
    if (slots[at + 2] !== 0) return false;
    if (++this.#size * 5 > this.#mask * 3) {
      this.#grow();
      at = this.#find(high, low, group + 1);
    }
    this.#slots[at] = high;
    this.#slots[at + 1] = low;
    this.#slots[at + 2] = group + 1;
    return true;
  }

  #find(high: number, low: number, mark: number): number {
    const slots = this.#slots;
    for (let place = (low ^ Math.imul(mark, 0x9e3779b1)) & this.#mask; ; place = (place + 1) & this.#mask) {
      const at = place * 3;
      const there = slots[at + 2];
      if (there === 0 || (there === mark && slots[at + 1] === low && slots[at] === high)) return at;
    }
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Int32Array(old.length * 2);
    this.#mask = this.#mask * 2 + 1;
    for (let i = 0; i < old.length; i += 3) {
      const mark = old[i + 2] ?? 0;
      if (mark === 0) continue;
      const at = this.#find(old[i] ?? 0, old[i + 1] ?? 0, mark);
      this.#slots[at] = old[i] ?? 0;
      this.#slots[at + 1] = old[i + 1] ?? 0;
      this.#slots[at + 2] = mark;
    }
  }
}

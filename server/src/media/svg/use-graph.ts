/** An element with an id, as a range of element numbers: itself and its descendants (`end` is exclusive). */
interface Target {
  start: number;
  end: number;
}

/**
 * Counts the elements of a document with every `<use>` expanded. A few hundred bytes of elements that each use the
 * previous one twice expand to more than any browser can draw.
 */
export class UseGraph {
  readonly #limit: number;
  readonly #targets = new Map<string, Target>();
  readonly #open: (Target | undefined)[] = [];
  readonly #uses: { at: number; id: string }[] = [];
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Records the start of an element. @returns false if there are too many */
  open(id: string | undefined, uses: string | undefined): boolean {
    const target = id === undefined ? undefined : { start: this.#count, end: this.#count };
    // Of several elements with one id, the first is used.
    if (id !== undefined && target && !this.#targets.has(id)) this.#targets.set(id, target);
    this.#open.push(target);
    if (uses !== undefined) this.#uses.push({ at: this.#count, id: uses });
    return ++this.#count <= this.#limit;
  }

  close(): void {
    const target = this.#open.pop();
    if (target) target.end = this.#count;
  }

  isTooLarge(): boolean {
    const known = new Map<string, number>();
    const size = ({ start, end }: Target, ancestors: ReadonlySet<string>): number => {
      let sum = end - start;
      for (let i = this.#firstUse(start); i < this.#uses.length && sum <= this.#limit; i++) {
        const use = this.#uses[i];
        if (use === undefined || use.at >= end) break;
        sum += sizeOfId(use.id, ancestors);
      }
      return sum;
    };
    const sizeOfId = (id: string, ancestors: ReadonlySet<string>): number => {
      const target = this.#targets.get(id);
      if (target === undefined) return 0;
      // A cycle, or deeper than any real drawing and than the call stack should grow.
      if (ancestors.has(id) || ancestors.size >= 100) return Number.POSITIVE_INFINITY;
      const found = known.get(id) ?? size(target, new Set([...ancestors, id]));
      known.set(id, found);
      return found;
    };
    return size({ start: 0, end: this.#count }, new Set()) > this.#limit;
  }

  /** The index of the first use at or after an element. */
  #firstUse(start: number): number {
    let [low, high] = [0, this.#uses.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#uses[middle]?.at ?? 0) < start) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

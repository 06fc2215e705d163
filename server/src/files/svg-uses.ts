interface Named {
  begin: number;
  /** Behind the last element within. */
  end: number;
}

/**
 * How many elements a document has when every `<use>` is written out. A few hundred bytes of them, each used twice by the
 * next, are more than any browser can draw.
 */
export class UseGraph {
  readonly #limit: number;
  readonly #named = new Map<string, Named>();
  readonly #open: (Named | undefined)[] = [];
  readonly #uses: { at: number; id: string }[] = [];
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** An element begins. @returns false where there are too many */
  open(id: string | undefined, uses: string | undefined): boolean {
    const named = id === undefined ? undefined : { begin: this.#count, end: this.#count };
    // The first of a name is the one that is used.
    if (id !== undefined && named && !this.#named.has(id)) this.#named.set(id, named);
    this.#open.push(named);
    if (uses !== undefined) this.#uses.push({ at: this.#count, id: uses });
    return ++this.#count <= this.#limit;
  }

  close(): void {
    const named = this.#open.pop();
    if (named) named.end = this.#count;
  }

  isTooLarge(): boolean {
    const known = new Map<string, number>();
    const size = ({ begin, end }: Named, above: ReadonlySet<string>): number => {
      let sum = end - begin;
      for (let i = this.#firstUse(begin); i < this.#uses.length && sum <= this.#limit; i++) {
        const use = this.#uses[i];
        if (use === undefined || use.at >= end) break;
        sum += ofName(use.id, above);
      }
      return sum;
    };
    const ofName = (id: string, above: ReadonlySet<string>): number => {
      const named = this.#named.get(id);
      if (named === undefined) return 0;
      // In a circle.
      if (above.has(id)) return Number.POSITIVE_INFINITY;
      // Deeper than any drawing, and than the stack should go.
      if (above.size >= 100) return Number.POSITIVE_INFINITY;
      const found = known.get(id) ?? size(named, new Set([...above, id]));
      known.set(id, found);
      return found;
    };
    return size({ begin: 0, end: this.#count }, new Set()) > this.#limit;
  }

  /** The index of the first use at or behind an element. */
  #firstUse(begin: number): number {
    let [low, high] = [0, this.#uses.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#uses[middle]?.at ?? 0) < begin) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

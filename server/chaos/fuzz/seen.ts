const MAX_OF_TYPE = 500;
const ID = /\b[a-z]{3}_[0-9a-hjkmnp-tv-z]{26}\b/g;

/** Ids of earlier responses, so that requests are also made for what requests made. */
export class Seen {
  readonly #ids = new Map<string, string[]>();

  collect(body: Buffer): void {
    for (const [id] of String(body).matchAll(ID)) {
      const ids = this.#ids.getOrInsertComputed(id.slice(0, 3), () => []);
      if (ids.includes(id)) continue;
      ids.push(id);
      if (ids.length > MAX_OF_TYPE) ids.shift();
    }
  }

  /** The text with each id replaced by another one of its type, chosen by `n`. */
  replaceIds(text: string, n: number): string {
    return text.replace(ID, (id) => {
      const ids = this.#ids.get(id.slice(0, 3)) ?? [];
      return ids[n % ids.length] ?? id;
    });
  }
}

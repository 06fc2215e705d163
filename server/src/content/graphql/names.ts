/** Names of GraphQL: letters, digits and underscores, not starting with a digit or two underscores, each once. */
export class Names {
  readonly #taken: Set<string>;

  constructor(reserved: Iterable<string> = []) {
    this.#taken = new Set(reserved);
  }

  /** The name for what is called `wanted` elsewhere. */
  take(wanted: string): string {
    const plain = wanted
      .replace(/[^A-Za-z0-9_]/g, '_')
      .replace(/^(?=\d)/, '_')
      .replace(/^__+/, '_');
    let name = plain;
    for (let n = 2; this.#taken.has(name); n++) name = `${plain}_${n}`;
    this.#taken.add(name);
    return name;
  }
}

/** `landing_pages` as a type: `LandingPages`. */
export const pascal = (name: string): string =>
  name.replace(/(?:^|[_-]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());

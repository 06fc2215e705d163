/** A list of conversions, as its file has it. */
export interface List {
  name: string;
  /** Of all that is in the file. */
  digest: string;
  headings: string[];
  rows: string[][];
}

/** The line of the file in which a row stands, the headings being in the first. */
export const lineOf = (row: number) => row + 2;

/** Tells one text from another; no secret is kept by it, and a page without https has nothing better. */
export function digestOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return `${text.length}-${hash >>> 0}`;
}

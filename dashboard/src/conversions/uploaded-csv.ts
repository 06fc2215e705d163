/** A CSV file of conversions. */
export interface UploadedCsv {
  name: string;
  /** Of the file's whole text. */
  digest: string;
  headings: string[];
  rows: string[][];
}

/** The line of a row in the file; the headings are on line 1. */
export const lineOf = (row: number) => row + 2;

/** Tells texts apart. It protects no secret, and pages without HTTPS have no better digest. */
export function digestOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return `${text.length}-${hash >>> 0}`;
}

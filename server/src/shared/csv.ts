/**
 * What a spreadsheet would take for a formula (OWASP: CSV injection), and what looks like one that was defused. Such a text
 * gets an apostrophe in front when it is written; reading takes one away, so that every text comes back as it was.
 */
const FORMULA = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const DEFUSED = /^'+[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

export function defuse(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

export function undefuse(text: string): string {
  return DEFUSED.test(text) ? text.slice(1) : text;
}

const QUOTED = /[",\r\n]/;

/** Cells as a line of RFC 4180, its end included. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => (QUOTED.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;
}

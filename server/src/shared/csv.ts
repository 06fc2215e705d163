/**
 * Where a spreadsheet would run a formula (OWASP: CSV injection): at the start of a cell, and behind `;` or a line break,
 * because an application that separates cells by `;` starts a new cell there, even within quotes. Texts that already look
 * escaped match as well, so that unescaping restores every text exactly.
 */
const FORMULA = /^(?='*[\r\n])|(?<=^|[;\r\n])(?='*[=+\-@\t\uff1d\uff0b\uff0d\uff20])/g;
const ESCAPED = /^'(?='*[\r\n])|(?<=^|[;\r\n])'(?='*[=+\-@\t\uff1d\uff0b\uff0d\uff20])/g;

/** Puts an apostrophe before every formula. */
export function escapeFormula(text: string): string {
  return text.replace(FORMULA, "'");
}

/** Restores a text from `escapeFormula`. */
export function unescapeFormula(text: string): string {
  return text.replace(ESCAPED, '');
}

const JSON_FORMULA = /(?<=;)[=+\-@\uff1d\uff0b\uff0d\uff20]/g;

/** Escapes formulas in JSON such that it still reads as the same value. */
export function escapeFormulaInJson(json: string): string {
  return json.replace(JSON_FORMULA, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** By which spreadsheets recognize UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff';

const QUOTED = /[",\r\n]/;

/** Formats cells as a line of RFC 4180, including its line break. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => (QUOTED.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;
}

import { instantOf } from '../shared/wall-time.ts';

/** The order of day and month in dates such as 03/04/2026. */
export type DateOrder = 'dmy' | 'mdy';

const NUMERIC = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4}|\d{2})(?:[ T,]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;
const YEAR_FIRST = /^(\d{4})[./-](\d{1,2})[./-](\d{1,2})(?:[ T]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?$/;

/** Whether cells contain dates whose order of day and month has to be known. */
export const needsDateOrder = (cells: readonly string[]) => cells.some((cell) => NUMERIC.test(cell));

/** The order that the cells prove: one of them has a day above 12. null if none does. */
export function provenDateOrder(cells: readonly string[]): DateOrder | null {
  const numbers = cells.map((cell) => NUMERIC.exec(cell)).filter((match) => match !== null);
  if (numbers.some(([, first]) => Number(first) > 12)) return 'dmy';
  return numbers.some(([, , second]) => Number(second) > 12) ? 'mdy' : null;
}

/**
 * Reads a time: ISO 8601, RFC 2822, epoch seconds or milliseconds, or a numeric date in the given order. Times without a
 * zone are in the display time zone. @returns ISO 8601 in UTC, undefined if the cell is unreadable
 */
export function readTime(cell: string, order: DateOrder | null): string | undefined {
  if (/^\d{10}$|^\d{13}$/.test(cell)) return isoOf(new Date(Number(cell.padEnd(13, '0'))));
  const yearFirst = YEAR_FIRST.exec(cell);
  if (yearFirst) {
    const [, year, month, day, ...time] = yearFirst;
    return localTime([year, month, day], time);
  }
  const numeric = NUMERIC.exec(cell);
  if (numeric) {
    const [, first, second, year = '', ...time] = numeric;
    if (order === null) return undefined;
    const [day, month] = order === 'dmy' ? [first, second] : [second, first];
    return localTime([year.length === 2 ? `20${year}` : year, month, day], time);
  }
  // With a zone or the name of a month.
  return /[A-Za-z]|[+-]\d{2}:?\d{2}$/.test(cell) && /\d{4}/.test(cell) ? isoOf(new Date(cell)) : undefined;
}

/** Reads a day: YYYY-MM-DD, or a numeric date in the given order. @returns YYYY-MM-DD, undefined if the cell is unreadable */
export function readDay(cell: string, order: DateOrder | null): string | undefined {
  const yearFirst = YEAR_FIRST.exec(cell);
  const numeric = NUMERIC.exec(cell);
  let parts: (string | undefined)[];
  if (yearFirst) parts = yearFirst.slice(1, 4);
  else if (numeric && order !== null) {
    const [, first, second, year = ''] = numeric;
    const [day, month] = order === 'dmy' ? [first, second] : [second, first];
    parts = [year.length === 2 ? `20${year}` : year, month, day];
  } else return undefined;
  const [year = 0, month = 0, day = 0] = parts.map(Number);
  const at = new Date(Date.UTC(year, month - 1, day));
  return at.getUTCMonth() === month - 1 && at.getUTCDate() === day ? at.toISOString().slice(0, 10) : undefined;
}

function localTime(date: (string | undefined)[], time: (string | undefined)[]): string | undefined {
  const [year = 0, month = 0, day = 0] = date.map(Number);
  const [hours = 0, minutes = 0, seconds = 0] = time.map((part) => Number(part ?? 0));
  // In UTC, where every time of day exists.
  const at = new Date(Date.UTC(year, month - 1, day, hours, minutes, seconds));
  const isReal =
    at.getUTCMonth() === month - 1 && at.getUTCDate() === day && hours < 24 && minutes < 60 && seconds < 60;
  return isReal ? instantOf(at.toISOString().slice(0, 19)) : undefined;
}

const isoOf = (at: Date) => (Number.isNaN(at.getTime()) ? undefined : at.toISOString());

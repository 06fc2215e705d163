/** What the service reads in a CSV cell, for the preview of a mapping. Days mirror `server/src/content/field-types/csv-date.ts`. */

import type { ImportMapping } from '@headwater/sdk';
import { digitsOf } from '../../../server/src/content/field-types/csv-digits.ts';

export type CsvFormats = Pick<ImportMapping, 'decimal' | 'dateOrder'>;

const SLASHES = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})(?=$|[ ,T])/;
const POINTS = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?=$|[ ,T])/;
const ISO = /^(\d{4})[/.-](\d{1,2})[/.-](\d{1,2})(?=$|[ ,T])/;

/** Whether day and month of a date can be swapped. */
export function isAmbiguousDate(cell: string): boolean {
  const [, first, second] = SLASHES.exec(cell.trim()) ?? [];
  return first !== undefined && Number(first) <= 12 && Number(second) <= 12 && Number(first) !== Number(second);
}

/** The day of a date or timestamp as `YYYY-MM-DD`; undefined if it is ambiguous, unreadable or written with a month name. */
export function readCsvDay(cell: string, dateOrder: CsvFormats['dateOrder']): string | undefined {
  const text = cell.trim();
  const dayOf = (year = '', month = '', day = '') => {
    const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
    return new Date(`${date}T00:00Z`).getUTCDate() === Number(day) ? date : undefined;
  };
  const iso = ISO.exec(text);
  if (iso) return dayOf(iso[1], iso[2], iso[3]);
  const points = POINTS.exec(text);
  if (points) return dayOf(points[3], points[2], points[1]);
  const slashes = SLASHES.exec(text);
  if (!slashes || (isAmbiguousDate(text) && !dateOrder)) return undefined;
  const [, first = '', second = '', year] = slashes;
  const isDayFirst = dateOrder ? dateOrder === 'dmy' : Number(first) > 12;
  return isDayFirst ? dayOf(year, second, first) : dayOf(year, first, second);
}

/** undefined if the number is ambiguous or unreadable. */
export function readCsvNumber(cell: string, decimal: CsvFormats['decimal']): number | undefined {
  const digits = digitsOf(cell.trim().replace(/^'(?=[+-])/, ''), decimal ?? null);
  return typeof digits === 'string' && Number.isFinite(Number(digits)) ? Number(digits) : undefined;
}

const READINGS = { decimal: ['.', ','], dateOrder: ['dmy', 'mdy'] } as const;

/** How a column is read: as the mapping says, else as the cells prove that have only one reading. undefined: they contradict each other. */
export function columnFormats(
  cells: readonly string[],
  formats: CsvFormats,
  { formats: needed, preview }: { formats: readonly string[]; preview?(cell: string, formats: CsvFormats): unknown },
): CsvFormats | undefined {
  const setting = needed.includes('decimal') ? 'decimal' : 'dateOrder';
  if (!preview || formats[setting]) return formats;
  const [first, second] = READINGS[setting].map((each) =>
    cells.map((cell) => preview(cell, { ...formats, [setting]: each }) !== undefined),
  );
  const proves = (one = first, other = second) => one?.some((isRead, i) => isRead && !other?.[i]) ?? false;
  const isSecond = proves(second, first);
  if (!proves()) return isSecond ? { ...formats, [setting]: READINGS[setting][1] } : formats;
  return isSecond ? undefined : { ...formats, [setting]: READINGS[setting][0] };
}

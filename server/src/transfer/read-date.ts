import { isDate, isoTime } from '../shared/time.ts';
import { CellFault, type Forms } from './cell-fault.ts';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const NAMES =
  /^(january|february|march|april|june|july|august|september|october|november|december|jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)\.?$/i;

/**
 * A day in the forms that people write: `2026/11/20`, `20.11.2026` (with points the day always comes first),
 * `20 Nov 2026`, `Nov 20, 2026`, `25/12/2026`. `03/04/2026` may be either of two days, and is a fault unless `order` says.
 */
export function readDate(text: string, order: Forms['dateOrder']): string | CellFault {
  const day = (year: string | undefined, month: string | undefined, date: string | undefined) => {
    const written = `${year}-${month?.padStart(2, '0')}-${date?.padStart(2, '0')}`;
    return isDate(written) ? written : new CellFault('date_invalid', 'There is no such day.');
  };
  const ymd = /^(\d{4})[/.-](\d{1,2})[/.-](\d{1,2})$/.exec(text);
  if (ymd) return day(ymd[1], ymd[2], ymd[3]);
  const points = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/.exec(text);
  if (points) return day(points[3], points[2], points[1]);
  const named =
    /^(\d{1,2})\.?[ -]([A-Za-z]+\.?),?[ -](\d{4})$/.exec(text) ??
    swapped(/^([A-Za-z]+\.?) (\d{1,2}),? (\d{4})$/.exec(text));
  if (named) {
    const [, date, name = '', year] = named;
    if (NAMES.test(name)) return day(year, String(MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1), date);
  }
  const slashes = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$/.exec(text);
  if (!slashes) return new CellFault('date_invalid', 'Write a day as YYYY-MM-DD.');
  const [, first = '', second = '', year] = slashes;
  const isEither = Number(first) <= 12 && Number(second) <= 12 && Number(first) !== Number(second);
  if (order === null && isEither) {
    const detail = `${text} may be either of two days: say whether the day or the month comes first.`;
    return new CellFault('date_ambiguous', detail);
  }
  const dayFirst = order === null ? Number(first) > 12 : order === 'dmy';
  return dayFirst ? day(year, second, first) : day(year, first, second);
}

const swapped = (match: RegExpExecArray | null) => match && [match[0], match[2], match[1], match[3]];

/** A time without an offset: a day as `readDate` takes it and, behind it, a time of day; midnight where there is none. */
export function readDateTime(text: string, { dateOrder, timeZone }: Forms): string | CellFault {
  const [, date = '', hour = '00', minute = '00', second = '00', half] =
    /^(.*?)(?:(?:,? +|T)(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d+)?)?(?: ?([AaPp][Mm]))?)?$/.exec(text) ?? [];
  const day = isDate(date) ? date : readDate(date, dateOrder);
  if (day instanceof CellFault) {
    return day.code === 'date_ambiguous' ? day : new CellFault('timestamp_invalid', `Write a time as ${EXAMPLE}.`);
  }
  if (timeZone === null) {
    const detail = `The time has no offset: write it as ${EXAMPLE}, or say in which time zone it is.`;
    return new CellFault('timestamp_ambiguous', detail);
  }
  const isHalf = half !== undefined;
  if (isHalf && (Number(hour) < 1 || Number(hour) > 12))
    return new CellFault('timestamp_invalid', 'There is no such time.');
  const hours = isHalf ? (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0) : Number(hour);
  try {
    const local = Temporal.PlainDateTime.from(`${day}T${String(hours).padStart(2, '0')}:${minute}:${second}`);
    // An hour that a clock skips or shows twice is no one moment.
    return isoTime(local.toZonedDateTime(timeZone, { disambiguation: 'reject' }).epochMilliseconds);
  } catch {
    return new CellFault('timestamp_invalid', `There is no such time in ${timeZone}, or there are two.`);
  }
}

const EXAMPLE = '2026-11-20T08:00:00Z';

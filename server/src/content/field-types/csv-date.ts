import { isDate, isoTime, parseTimestamp } from '../../shared/time.ts';
import { type CsvFormats, ValueFault } from './field-type.ts';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH_NAME =
  /^(january|february|march|april|june|july|august|september|october|november|december|jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)\.?$/i;
const EXAMPLE = '2026-11-20T08:00:00Z';

/** No date or time is written in more characters. */
const MAX_LENGTH = 64;

/**
 * Parses a date in common notations: `2026-11-20`, `2026/11/20`, `20.11.2026` (with points the day always comes first),
 * `20 Nov 2026`, `Nov 20, 2026`, `25/12/2026`. `03/04/2026` is ambiguous unless `order` tells which comes first.
 */
export function parseCsvDate(text: string, order: CsvFormats['dateOrder']): string | ValueFault {
  if (isDate(text)) return text;
  const unreadable = new ValueFault('date_invalid', 'The date is unreadable. Use YYYY-MM-DD.');
  if (text.length > MAX_LENGTH) return unreadable;
  const dateOf = (year: string | undefined, month: string | undefined, day: string | undefined) => {
    const date = `${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`;
    return isDate(date) ? date : new ValueFault('date_invalid', 'This date does not exist.');
  };
  const ymd = /^(\d{4})[/.-](\d{1,2})[/.-](\d{1,2})$/.exec(text);
  if (ymd) return dateOf(ymd[1], ymd[2], ymd[3]);
  const points = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/.exec(text);
  if (points) return dateOf(points[3], points[2], points[1]);
  const named =
    /^(\d{1,2})\.?[ -]([A-Za-z]+\.?),?[ -](\d{4})$/.exec(text) ??
    swapDayAndMonth(/^([A-Za-z]+\.?) (\d{1,2}),? (\d{4})$/.exec(text));
  if (named) {
    const [, day, name = '', year] = named;
    if (MONTH_NAME.test(name)) return dateOf(year, String(MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1), day);
  }
  const slashes = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$/.exec(text);
  if (!slashes) return unreadable;
  const [, first = '', second = '', year] = slashes;
  const isAmbiguous = Number(first) <= 12 && Number(second) <= 12 && Number(first) !== Number(second);
  if (order === null && isAmbiguous) {
    return new ValueFault('date_ambiguous', `${text} is ambiguous. Specify whether the day or the month comes first.`);
  }
  const dayFirst = order === null ? Number(first) > 12 : order === 'dmy';
  return dayFirst ? dateOf(year, second, first) : dateOf(year, first, second);
}

const swapDayAndMonth = (match: RegExpExecArray | null) => match && [match[0], match[2], match[1], match[3]];

/**
 * Parses an RFC 3339 timestamp or a time without an offset: a date as `parseCsvDate` takes it, optionally followed by a
 * time of day (midnight by default).
 */
export function parseCsvTimestamp(text: string, { dateOrder, timeZone }: CsvFormats): string | ValueFault {
  const ms = parseTimestamp(text);
  if (ms !== undefined) return isoTime(ms);
  const unreadable = new ValueFault('timestamp_invalid', `The time is unreadable. Write it as ${EXAMPLE}.`);
  if (text.length > MAX_LENGTH) return unreadable;
  const [, datePart = '', hour = '00', minute = '00', second = '00', half] =
    /^(.*?)(?:(?:,? +|T)(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d+)?)?(?: ?([AaPp][Mm]))?)?$/.exec(text) ?? [];
  const date = parseCsvDate(datePart, dateOrder);
  if (date instanceof ValueFault) return date.code === 'date_ambiguous' ? date : unreadable;
  if (timeZone === null) {
    const detail = `The time has no offset. Write it as ${EXAMPLE}, or specify its time zone.`;
    return new ValueFault('timestamp_ambiguous', detail);
  }
  if (half !== undefined && (Number(hour) < 1 || Number(hour) > 12)) {
    return new ValueFault('timestamp_invalid', 'This time does not exist.');
  }
  const isAfternoon = half?.toLowerCase() === 'pm';
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (isAfternoon ? 12 : 0);
  try {
    const local = Temporal.PlainDateTime.from(`${date}T${String(hours).padStart(2, '0')}:${minute}:${second}`);
    // Rejects an hour that a clock change skips or repeats.
    return isoTime(local.toZonedDateTime(timeZone, { disambiguation: 'reject' }).epochMilliseconds);
  } catch {
    return new ValueFault('timestamp_invalid', `This time does not exist in ${timeZone}, or exists twice.`);
  }
}

import { isTimeZone } from '../../shared/time.ts';
import { DAY } from '../../shared/units.ts';

/** Of a date such as 3/4/2026. */
export type DateOrder = 'dayFirst' | 'monthFirst';

/** Why a text is no date. */
type DateFault = 'date_invalid' | 'date_ambiguous' | 'date_in_future';

/** Milliseconds since 1970 by order; one that is no date is undefined. */
export type DateReadings = Record<DateOrder, number | undefined>;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const YEAR_FIRST = /^(\d{4})([-/.])(\d\d?)\2(\d\d?)(?!\d)(.*)$/;
const YEAR_LAST = /^(\d\d?)([-/.])(\d\d?)\2(\d{4}|\d\d)(?!\d)(.*)$/;
const DAY_MONTH = /^(?:[a-z]{3,9}, ?)?(\d\d?)[. -]{1,2}([a-z]{3,9})\.?[, -]{1,2}(\d{4}|\d\d)(?!\d)(.*)$/i;
const MONTH_DAY = /^([a-z]{3,9})\.? (\d\d?)(?:st|nd|rd|th)?,? (\d{4})(?!\d)(.*)$/i;
const CLOCK =
  /^[T ,]*(\d\d?):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?(?:\s*([ap])\.?m\.?)?\s*(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?$/i;

/** What providers call time zones besides their names. */
const ABBREVIATIONS: Record<string, string> = Object.fromEntries(
  Object.entries({
    ...{ '+00:00': 'Z UTC GMT WET', '+01:00': 'CET BST WEST', '+02:00': 'CEST EET', '+03:00': 'EEST', '+05:30': 'IST' },
    ...{ '+08:00': 'SGT HKT AWST', '+09:00': 'JST KST', '+09:30': 'ACST', '+10:00': 'AEST', '+11:00': 'AEDT' },
    ...{
      '+12:00': 'NZST',
      '+13:00': 'NZDT',
      '-03:00': 'BRT',
      '-04:00': 'EDT',
      '-05:00': 'EST CDT',
      '-06:00': 'CST MDT',
    },
    ...{ '-07:00': 'MST PDT', '-08:00': 'PST' },
  }).flatMap(([offset, names]) => names.split(' ').map((name) => [name, offset])),
);

/**
 * Reads a date of a statement, with or without a time: ISO 8601, `3/4/2026`, `03.04.26 10:00`, `Mar 4, 2026 3:00 PM`, `4 Mar 2026`, or epoch
 * seconds or milliseconds. Undefined if it is none, or before 2000.
 * @param time what a column of its own says
 * @param timeZone of dates that name none
 */
export function readDates(text: string, time: string, timeZone: string): DateReadings | undefined {
  if (/^\d{9,13}(\.\d{1,9})?$/.test(text)) {
    const epoch = Number(text);
    return both(epoch < 1e11 ? Math.round(epoch * 1000) : Math.round(epoch));
  }
  const instant = (year: string, month: string | number, day: string, rest: string) => {
    const clock = rest.trim() === '' ? time : rest;
    return instantOf(year, Number(month), Number(day), clock.trim(), timeZone);
  };
  const dashed = text.replace(/^(\d{4})(\d\d)(\d\d)(?!\d)/, '$1-$2-$3');
  const [, year, , month = '', day = '', rest = ''] = YEAR_FIRST.exec(dashed) ?? [];
  if (year !== undefined) return both(instant(year, month, day, rest));
  const [, a, mark, b = '', last = '', after = ''] = YEAR_LAST.exec(text) ?? [];
  if (a !== undefined) {
    const [dayFirst, monthFirst] = [instant(last, b, a, after), instant(last, a, b, after)];
    // With points, the day is first everywhere.
    if (mark === '.') return both(dayFirst ?? monthFirst);
    return dayFirst === undefined && monthFirst === undefined ? undefined : { dayFirst, monthFirst };
  }
  const [, dayOf, nameOf, yearOf = '', restOf = ''] = DAY_MONTH.exec(text) ?? [];
  const [, name = nameOf, dayAfter = dayOf, yearAfter = yearOf, restAfter = restOf] = MONTH_DAY.exec(text) ?? [];
  if (name === undefined || dayAfter === undefined) return undefined;
  return both(instant(yearAfter, MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1, dayAfter, restAfter));
}

const both = (ms: number | undefined): DateReadings | undefined =>
  ms === undefined || ms < Y2000 ? undefined : { dayFirst: ms, monthFirst: ms };

const Y2000 = Date.UTC(2000, 0, 1);

function instantOf(year: string, month: number, day: number, text: string, timeZone: string): number | undefined {
  const [clock, hours = '0', minute = '0', second = '0', half, zone] = CLOCK.exec(text) ?? [];
  if (clock === undefined && text !== '') return undefined;
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  const fields = { year: Number(year) + (year.length === 2 ? 2000 : 0), month, day };
  try {
    const wall = Temporal.PlainDateTime.from(
      { ...fields, hour, minute: Number(minute), second: Number(second) },
      { overflow: 'reject' },
    );
    const ms = wall.toZonedDateTime(zone === undefined ? timeZone : offsetOf(zone)).epochMilliseconds;
    return ms < Y2000 ? undefined : ms;
  } catch {
    return undefined;
  }
}

function offsetOf(zone: string): string {
  const [, sign, hours, minutes = '00'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  return sign === undefined ? 'UTC' : `${sign}${hours}:${minutes}`;
}

/** The time zone that a provider names; undefined if it is unknown. */
export function readTimeZone(text: string): string | undefined {
  const [, offset] = /^(?:UTC|GMT)?([+-]\d\d:?(?:\d\d)?)$/i.exec(text) ?? [];
  if (offset !== undefined) return offsetOf(offset);
  return ABBREVIATIONS[text.toUpperCase()] ?? (isTimeZone(text) ? text : undefined);
}

/** The time that is meant. A statement names no later one than a day ahead, as it may be of another time zone. */
export function chooseDate(readings: DateReadings, order: DateOrder | undefined, now: number): number | DateFault {
  const meant = order === undefined ? [readings.dayFirst, readings.monthFirst] : [readings[order]];
  const known = [...new Set(meant.filter((ms) => ms !== undefined))];
  const past = known.filter((ms) => ms < now + DAY);
  const [ms] = past;
  if (ms === undefined) return known.length === 0 ? 'date_invalid' : 'date_in_future';
  return past.length > 1 ? 'date_ambiguous' : Math.min(ms, now);
}

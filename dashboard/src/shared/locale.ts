/**
 * Numbers and dates as the locale of the interface writes them: parsing, and the formats of inputs and calendars.
 */
import { LOCALE } from '../languages/language.ts';

/** Dates are Gregorian in every locale, as in the calendars and the API. */
export const GREGORIAN = { calendar: 'gregory' } as const;

/** Digits that are typed in place of 0 to 9, by their zero: Arabic, Persian, Devanagari, Bengali, full-width. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xff10];

const INVISIBLE = /[\u200e\u200f\u061c]/g;

function withAsciiDigits(text: string): string {
  return text.replace(INVISIBLE, '').replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    const zero = ZEROS.find((each) => code >= each && code < each + 10);
    return zero === undefined ? digit : String(code - zero);
  });
}

/** The decimal separator of a locale: a point or a comma (Arabic locales write their own signs for them). */
function decimalSeparatorOf(locale: string | undefined = LOCALE): '.' | ',' {
  const parts = new Intl.NumberFormat(locale).formatToParts(0.5);
  return parts.find(({ type }) => type === 'decimal')?.value === ',' ? ',' : '.';
}

export const DECIMAL_SEPARATOR = decimalSeparatorOf();

/**
 * Reads a decimal number in the notation of the locale, else in the other one: in German, `1.234,5` and `1234.5` are both
 * read, and `1.234` is 1234. @returns the number with a decimal point and all its digits, undefined if it is unreadable
 */
export function parseDecimal(text: string, locale: string | undefined = LOCALE): string | undefined {
  const plain = withAsciiDigits(text)
    .replaceAll('٫', '.')
    .replaceAll('٬', ',')
    .replaceAll('−', '-')
    .replace(/[\s'’]/g, '');
  const decimal = decimalSeparatorOf(locale);
  const other = decimal === '.' ? ',' : '.';
  for (const [point, group] of [
    [decimal, other],
    [other, decimal],
  ]) {
    const number = new RegExp(
      `^(-?)(\\d+|\\d{1,3}(?:\\${group}\\d{2,3})*\\${group}\\d{3})?(?:\\${point}(\\d+))?$`,
    ).exec(plain);
    const [, sign = '', whole = '', fraction] = number ?? [];
    if (whole === '' && fraction === undefined) continue;
    return `${sign}${whole.replaceAll(group ?? '', '') || '0'}${fraction === undefined ? '' : `.${fraction}`}`;
  }
  return undefined;
}

/** A number for an input: with all its digits, without group separators. */
export function formatInputNumber(value: number | string, locale: string | undefined = LOCALE): string {
  return new Intl.NumberFormat(locale, { useGrouping: false, maximumFractionDigits: 20 }).format(value as number);
}

type DatePart = 'year' | 'month' | 'day';

/** Parts of a day in the order of the locale. */
function partOrder(locale: string | undefined = LOCALE): DatePart[] {
  return new Intl.DateTimeFormat(locale, { ...GREGORIAN, year: 'numeric', month: 'numeric', day: 'numeric' })
    .formatToParts(0)
    .map(({ type }) => type as DatePart)
    .filter((type) => type === 'year' || type === 'month' || type === 'day');
}

/** The month that a text names, in the locale or in English. */
function namedMonth(text: string, locale: string | undefined = LOCALE): number | undefined {
  const plain = (name: string) => name.toLocaleLowerCase(locale).replace(/[.\d]/g, '').trim();
  const written = plain(text);
  for (const language of [locale, 'en']) {
    for (const style of ['long', 'short'] as const) {
      const format = new Intl.DateTimeFormat(language, { ...GREGORIAN, month: style, day: 'numeric', timeZone: 'UTC' });
      for (let month = 11; month >= 0; month--) {
        const name = format.formatToParts(Date.UTC(2026, month, 15)).find(({ type }) => type === 'month')?.value ?? '';
        if (/\p{L}/u.test(name) && !/\d/.test(withAsciiDigits(name)) && written.includes(plain(name))) return month + 1;
      }
    }
  }
  return undefined;
}

/** Reads a day in the notation of the locale, or as `YYYY-MM-DD`. @returns `YYYY-MM-DD`, null if it is unreadable */
export function parseDay(text: string, locale: string | undefined = LOCALE): string | null {
  const plain = withAsciiDigits(text).trim();
  const numbers = plain.match(/\d+/g) ?? [];
  let parts: { [part in DatePart]?: string | undefined };
  if (numbers.length === 3) {
    const order: DatePart[] = numbers[0]?.length === 4 ? ['year', 'month', 'day'] : partOrder(locale);
    parts = Object.fromEntries(order.map((part, i) => [part, numbers[i]]));
  } else {
    const month = numbers.length === 2 ? namedMonth(plain, locale) : undefined;
    if (month === undefined) return null;
    const [year, day] = numbers[0]?.length === 4 ? numbers : numbers.toReversed();
    parts = { year, month: String(month), day };
  }
  const { year = '', month = '', day = '' } = parts;
  if (year.length !== 2 && year.length !== 4) return null;
  const date = `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const at = new Date(`${date}T00:00:00Z`);
  return Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== date ? null : date;
}

/** `2026-04-03` as the locale writes it. */
export function formatInputDay(day: string, locale: string | undefined = LOCALE): string {
  const format = new Intl.DateTimeFormat(locale, { ...GREGORIAN, dateStyle: 'medium', timeZone: 'UTC' });
  return format.format(new Date(`${day.slice(0, 10)}T00:00:00Z`));
}

/** `2026-04-03 14:30:00`, a time of day in no zone, as the locale writes it. */
function formatInputTime(time: string, locale: string | undefined = LOCALE): string {
  const format = new Intl.DateTimeFormat(locale, {
    ...GREGORIAN,
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return format.format(new Date(`${time.replace(' ', 'T')}Z`));
}

const dayFormat = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat(LOCALE, { ...GREGORIAN, ...options, timeZone: 'UTC' });
  return (day: string) => format.format(new Date(`${day.slice(0, 10)}T00:00:00Z`));
};

/** 0 is Sunday. */
function firstDayOfWeek(): 0 | 1 | 6 {
  const locale: Intl.Locale & { getWeekInfo?: () => { firstDay: number } } = new Intl.Locale(
    new Intl.DateTimeFormat(LOCALE).resolvedOptions().locale,
  );
  const day = locale.getWeekInfo?.().firstDay;
  return day === 7 ? 0 : day === 6 ? 6 : 1;
}

/** Default props of the calendars. */
export const CALENDAR_FORMATS = {
  firstDayOfWeek: firstDayOfWeek(),
  monthLabelFormat: dayFormat({ month: 'long', year: 'numeric' }),
  yearLabelFormat: dayFormat({ year: 'numeric' }),
  monthsListFormat: dayFormat({ month: 'short' }),
  yearsListFormat: dayFormat({ year: 'numeric' }),
  weekdayFormat: dayFormat({ weekday: 'short' }),
};

/** Default props of the inputs of days and times. */
export const DATE_INPUT_FORMATS = {
  ...CALENDAR_FORMATS,
  valueFormat: (day: string) => formatInputDay(day),
  dateParser: (text: string) => parseDay(text),
};
export const TIME_INPUT_FORMATS = { ...CALENDAR_FORMATS, valueFormat: (time: string) => formatInputTime(time) };

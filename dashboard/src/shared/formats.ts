import { DAY, HOUR, MINUTE } from '../../../server/src/shared/units.ts';
import { LANGUAGE, LOCALE } from '../languages/language.ts';
import { t } from '../languages/translate.ts';
import { displayTimeZone } from './time-zone.ts';

const numberFormat = new Intl.NumberFormat(LOCALE);
const compactFormat = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 1 });

/** Formats in the display time zone; a format is made once for each zone. */
function timeFormat(options: Intl.DateTimeFormatOptions): (iso: string) => string {
  let format: Intl.DateTimeFormat | undefined;
  let zone: string | undefined;
  return (iso) => {
    const timeZone = displayTimeZone();
    if (!format || zone !== timeZone) {
      format = new Intl.DateTimeFormat(LOCALE, { ...options, timeZone });
      zone = timeZone;
    }
    return format.format(new Date(iso));
  };
}

const relativeFormat = new Intl.RelativeTimeFormat(LANGUAGE, { numeric: 'auto' });

export const formatNumber = (value: number) => numberFormat.format(value);
export const formatCompact = (value: number) => compactFormat.format(value);

const percentFormat = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 1 });

export const formatPercent = (share: number) => percentFormat.format(share);

const changeFormat = new Intl.NumberFormat(LOCALE, {
  style: 'percent',
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});

/** 0.15 becomes "+15%". */
export const formatChange = (change: number) => changeFormat.format(change);

/** A decimal amount in its currency. Amounts given as strings keep all their digits. */
export function formatMoney(amount: number | string, currency: string): string {
  return new Intl.NumberFormat(LOCALE, { style: 'currency', currency }).format(amount as number);
}

/** Amounts by currency, the one in the account's currency first: "€120.00 (€100.00 · US$22.00)". */
export function formatRevenue(
  revenue: readonly { currency: string | null; value: string }[],
  converted?: { currency: string; value: string; isComplete: boolean } | null,
): string {
  const each = revenue.map(({ currency, value }) =>
    currency ? formatMoney(value, currency) : `${formatNumber(Number(value))} ${t('without currency')}`,
  );
  const [only] = revenue;
  const isUnconverted = Number(converted?.value) === 0 && !converted?.isComplete;
  if (!converted || isUnconverted || (revenue.length === 1 && only?.currency === converted.currency))
    return each.join(' · ');
  return `${formatMoney(converted.value, converted.currency)} (${each.join(' · ')})`;
}

/** Formats `2026-11-20`, independent of the time zone. */
export function formatDay(day: string): string {
  return new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));
}
/** "20 Nov 2026, 08:00 – 18:00", from `2026-11-20T08:00` and `2026-11-20T18:00`, independent of the time zone. */
export function formatWallTimes(from: string, to: string): string {
  const format = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  return format.formatRange(new Date(`${from}Z`), new Date(`${to}Z`));
}
export const formatDate = timeFormat({ dateStyle: 'medium' });
export const formatTime = timeFormat({ timeStyle: 'short' });
export const formatDateTime = timeFormat({ dateStyle: 'medium', timeStyle: 'short' });

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
];

/** "5 minutes ago"; a date beyond 30 days. */
export function formatRelativeTime(iso: string, now = Date.now()): string {
  const ms = Date.parse(iso) - now;
  if (Math.abs(ms) > 30 * DAY) return formatDate(iso);
  const [unit, size] = UNITS.find(([, each]) => Math.abs(ms) >= each) ?? ['second', 1_000];
  return unit === 'second' ? t('just now') : relativeFormat.format(Math.round(ms / size), unit);
}

const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

export function formatBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), BYTE_UNITS.length - 1);
  return `${new Intl.NumberFormat(LOCALE, { maximumSignificantDigits: 3 }).format(bytes / 1_000 ** power)} ${BYTE_UNITS[power]}`;
}

const formatUnit = (value: number, unit: string, unitDisplay: 'narrow' | 'long' = 'narrow') =>
  new Intl.NumberFormat(LANGUAGE, { style: 'unit', unit, unitDisplay }).format(value);

/** "14 days", of `14d` or `336h`. */
export const formatPeriod = (period: string): string =>
  formatUnit(Number.parseInt(period, 10), period.endsWith('h') ? 'hour' : 'day', 'long');

/** "45s", "2m 5s", "1h 2m". */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return formatUnit(whole, 'second');
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${formatUnit(minutes, 'minute')} ${formatUnit(whole % 60, 'second')}`;
  return `${formatUnit(Math.floor(minutes / 60), 'hour')} ${formatUnit(minutes % 60, 'minute')}`;
}

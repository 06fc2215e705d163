import type { Numbers } from '@headwater/sdk';
import { t } from '../languages/translate.ts';
import { formatDuration, formatMoney, formatNumber, formatPercent } from '../shared/formats.ts';

export type Metric =
  | 'visitors'
  | 'visits'
  | 'sessions'
  | 'bounceRate'
  | 'visitsPerSession'
  | 'sessionDuration'
  | 'leads'
  | 'conversions'
  | 'conversionRate'
  | 'revenue';

export const METRICS: Record<Metric, string> = {
  visitors: t('Visitors'),
  visits: t('Visits'),
  sessions: t('Sessions'),
  bounceRate: t('Bounce rate'),
  visitsPerSession: t('Pages per session'),
  sessionDuration: t('Session duration'),
  leads: t('Leads'),
  conversions: t('Conversions'),
  conversionRate: t('Conversion rate'),
  revenue: t('Revenue'),
};

/** What each metric counts, as docs/analytics.md defines it. */
export const DEFINITIONS: Record<Metric, string> = {
  visitors: t('Distinct visitors with a visit in the period.'),
  visits: t('Pages visited in the period.'),
  sessions: t('Sessions that started in the period. One ends after 30 minutes without activity.'),
  bounceRate: t('The share of sessions with a single visit.'),
  visitsPerSession: t('Visits per session, for sessions that started in the period.'),
  sessionDuration: t('The average time from the first to the last visit of a session; 0 with a single visit.'),
  leads: t('People whose email was first seen in the period.'),
  conversions: t('Conversions in the period, without refunded and unmatched ones.'),
  conversionRate: t('Sessions that led to a conversion, whenever it happened, divided by all sessions.'),
  revenue: t('The latest values of the conversions of the period, by currency. Refunds count as 0.'),
};

/** The currency that revenue is converted into, unless no amount could be; else the one with the most revenue. */
export function mainCurrency({ revenue, convertedRevenue }: Numbers): string | null {
  if (convertedRevenue && (convertedRevenue.isComplete || Number(convertedRevenue.value) !== 0)) {
    return convertedRevenue.currency;
  }
  const [most] = [...revenue].sort((a, b) => Number(b.value) - Number(a.value));
  return most?.currency ?? null;
}

/** The number of a metric; revenue in the given currency, with what is converted into it. */
export function amountOf(numbers: Numbers, metric: Metric, currency: string | null): number {
  if (metric !== 'revenue') return numbers[metric] ?? 0;
  return Number((convertedInto(numbers, currency) ?? ofCurrency(numbers, currency))?.value ?? 0);
}

const convertedInto = ({ convertedRevenue }: Numbers, currency: string | null) =>
  convertedRevenue?.currency === currency ? convertedRevenue : undefined;

const ofCurrency = ({ revenue }: Numbers, currency: string | null) =>
  revenue.find((each) => each.currency === currency);

/** The amounts beside the main one, or those that it consists of; empty if there are no others. */
export function otherRevenue(numbers: Numbers, currency: string | null): string {
  const { revenue } = numbers;
  if (revenue.every((each) => each.currency === currency)) return '';
  const converted = convertedInto(numbers, currency);
  const shown = converted ? revenue : revenue.filter((each) => each.currency !== currency);
  return `${shown.map(revenueText).join(' · ')}${converted?.isComplete === false ? ` ${t('(not all converted)')}` : ''}`;
}

const revenueText = ({ value, currency }: Numbers['revenue'][number]) =>
  formatAmount(Number(value), 'revenue', currency) + (currency ? '' : ` ${t('without currency')}`);

export function formatAmount(amount: number, metric: Metric, currency: string | null): string {
  if (metric === 'conversionRate' || metric === 'bounceRate') return formatPercent(amount);
  if (metric === 'sessionDuration') return formatDuration(amount);
  if (metric === 'visitsPerSession') return formatNumber(Math.round(amount * 100) / 100);
  if (metric === 'revenue') return currency ? formatMoney(amount, currency) : formatNumber(amount);
  return formatNumber(amount);
}

import type { Numbers } from '@headwater/sdk';
import { formatMoney, formatNumber, formatPercent } from '../shared/formats.ts';

export type Metric = 'visitors' | 'visits' | 'leads' | 'conversions' | 'conversionRate' | 'revenue';

export const METRICS: Record<Metric, string> = {
  visitors: 'Visitors',
  visits: 'Visits',
  leads: 'Leads',
  conversions: 'Conversions',
  conversionRate: 'Conversion rate',
  revenue: 'Revenue',
};

/** The currency with the most revenue. */
export function mainCurrency({ revenue }: Numbers): string | null {
  const [most] = [...revenue].sort((a, b) => Number(b.value) - Number(a.value));
  return most?.currency ?? null;
}

/** The number of a metric; revenue in the given currency only. */
export function amountOf(numbers: Numbers, metric: Metric, currency: string | null): number {
  if (metric === 'revenue') return Number(numbers.revenue.find((each) => each.currency === currency)?.value ?? 0);
  return numbers[metric] ?? 0;
}

export function formatAmount(amount: number, metric: Metric, currency: string | null): string {
  if (metric === 'conversionRate') return formatPercent(amount);
  if (metric === 'revenue') return currency ? formatMoney(amount, currency) : formatNumber(amount);
  return formatNumber(amount);
}

import type { AdPerformanceNumbers, Attribution } from '@headwater/sdk';
import { formatMoney, formatPercent } from '../shared/formats.ts';

type Result = Pick<Attribution['rows'][number]['first'], 'conversions' | 'revenue' | 'convertedRevenue'>;

/** What an ad spend means for attributed conversions; null where it cannot be computed. */
export type Spend = (result: Result) => { perConversion: string | null; returned: string | null };

/** Compares in the currency of the account if everything is converted into it, else in the only currency of the spend. */
export function costOf({ cost, converted }: Pick<AdPerformanceNumbers, 'cost' | 'converted'>): Spend | undefined {
  const [only, ...more] = cost;
  return ({ conversions, revenue, convertedRevenue }) => {
    const isConverted = converted?.isComplete && (convertedRevenue?.isComplete || revenue.length === 0);
    const spent = isConverted ? { currency: converted.currency, value: converted.cost } : only;
    if (!spent || spent.currency === null || (!isConverted && more.length > 0))
      return { perConversion: null, returned: null };
    const { currency, value } = spent;
    const earned = isConverted ? convertedRevenue : revenue.find((each) => each.currency === currency);
    const amount = Number(value);
    return {
      perConversion: conversions > 0 ? formatMoney((amount / conversions).toFixed(2), currency) : null,
      returned: amount > 0 ? formatPercent(Number(earned?.value ?? 0) / amount) : null,
    };
  };
}

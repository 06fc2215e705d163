import type { Roas } from '@headwater/sdk';
import { t } from '../languages/translate.ts';

/** What each figure of the pages about money counts, as docs/analytics.md defines it. */
export const DEFINITIONS = {
  cost: { label: t('Cost'), text: t('What the ads cost, by the day it was spent, converted at the rate of that day.') },
  revenue: {
    label: t('Revenue to date'),
    text: t(
      'What the clicks of the period earned so far, after refunds, by the day of the click. Without organic visits, bots and internal traffic; converted at the rate of the day of each sale.',
    ),
  },
  expectedRevenue: {
    label: t('Expected revenue'),
    text: t(
      'Revenue to date and what is still to come until 90 days after the click, as earlier clicks developed, with the interval that 80 % of forecasts should hold.',
    ),
  },
  expectedRoas: {
    label: t('Expected ROAS'),
    text: t('Expected revenue divided by cost; 100 % earns back what was spent.'),
  },
  coverage: {
    label: t('Forecasts that held'),
    text: t(
      'The share of past forecasts, repeated with what was known then, whose interval contained what came of them.',
    ),
  },
} as const;

type Row = Roas['rows'][number];

/** From this share of what was earned at first, refunds decide. */
const REFUNDED = 0.3;

/** What a row says at a glance: by the expected interval, not by what happens to be known. */
export function verdictOf(row: Pick<Row, 'cost' | 'revenue' | 'refunded' | 'roas' | 'roasLow' | 'roasHigh'>): {
  label: string;
  color: string;
} {
  const [cost, revenue, refunded] = [row.cost, row.revenue, row.refunded].map(Number);
  if (!cost) return { label: t('No cost'), color: 'gray' };
  if (row.roasLow === null || row.roasHigh === null) return { label: t('Too young'), color: 'blue' };
  if (row.roasLow >= 1)
    return { label: row.roas !== null && row.roas < 1 ? t('Young, will earn') : t('Earns'), color: 'teal' };
  if (refunded && refunded / ((revenue ?? 0) + refunded) >= REFUNDED) return { label: t('Refunded'), color: 'red' };
  if (row.roasHigh < 1) return { label: t('Loses'), color: 'red' };
  return { label: t('Undecided'), color: 'yellow' };
}

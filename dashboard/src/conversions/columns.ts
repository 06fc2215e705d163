import type { ImportedConversionItem } from '@headwater/sdk';
import { t } from '../languages/translate.ts';
import { CLICK_ID_LABELS } from '../shared/click-ids.ts';
import { parseDecimal } from '../shared/locale.ts';

/** The identifiers that a conversion is matched by. */
export const IDENTIFIERS = {
  sessionHash: t('Session hash'),
  shortSessionHash: t('Short session hash'),
  ...CLICK_ID_LABELS,
};

export type Identifier = keyof typeof IDENTIFIERS;

const PROPERTIES = {
  value: t('Value'),
  currency: t('Currency'),
  eventId: t('Order ID'),
  event: t('Event name'),
  createdOn: t('Conversion time'),
  knownAt: t('Known since'),
} as const;

export type Target = Identifier | keyof typeof PROPERTIES;

export const TARGETS: Record<Target, string> = { ...IDENTIFIERS, ...PROPERTIES };

const ALIASES: Record<string, Target> = {
  session: 'sessionHash',
  hash: 'sessionHash',
  visithash: 'sessionHash',
  shorthash: 'shortSessionHash',
  orderid: 'eventId',
  ordernumber: 'eventId',
  order: 'eventId',
  transactionid: 'eventId',
  amount: 'value',
  revenue: 'value',
  price: 'value',
  total: 'value',
  conversionvalue: 'value',
  conversioncurrency: 'currency',
  conversionname: 'event',
  conversiontime: 'createdOn',
  googleclickid: 'gclid',
  date: 'createdOn',
  time: 'createdOn',
  timestamp: 'createdOn',
};

const normalized = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** The target of each column, guessed from its heading. The first of several columns gets the target. */
export function guessTargets(headings: readonly string[]): (Target | null)[] {
  const byName = new Map<string, Target>([
    ...Object.entries(ALIASES),
    ...(Object.keys(TARGETS) as Target[]).map((target): [string, Target] => [normalized(target), target]),
  ]);
  const taken = new Set<Target>();
  return headings.map((heading) => {
    const target = byName.get(normalized(heading));
    if (target === undefined || taken.has(target)) return null;
    taken.add(target);
    return target;
  });
}

/** The conversion of a row. Empty cells are left out. */
export function itemOf(row: readonly string[], targets: readonly (Target | null)[]): ImportedConversionItem {
  const cells = targets.flatMap((target, i): [string, string][] => {
    const cell = row[i]?.trim() ?? '';
    return target === null || cell === '' ? [] : [[target, target === 'value' ? decimalOf(cell) : cell]];
  });
  return Object.fromEntries(cells) as ImportedConversionItem;
}

/** `1.234,50 €` and `$1,234.50` become 1234.50. Anything else is returned unchanged for the service to reject. */
export const decimalOf = (cell: string, locale?: string) =>
  parseDecimal(cell.replace(/[^\p{Nd}.,٫٬−-]/gu, ''), locale) ?? cell;

import type { ConversionItem } from '@headwater/sdk';

/** What identifies the session of a conversion. */
export const IDENTIFIERS = {
  sessionHash: 'Session',
  shortSessionHash: 'Session, short',
  gclid: 'Google click (gclid)',
  gbraid: 'Google click (gbraid)',
  wbraid: 'Google click (wbraid)',
  fbclid: 'Meta click (fbclid)',
  msclkid: 'Microsoft click (msclkid)',
  ttclid: 'TikTok click (ttclid)',
  li_fat_id: 'LinkedIn click (li_fat_id)',
  epik: 'Pinterest click (epik)',
  twclid: 'X click (twclid)',
  sclid: 'Snapchat click (sclid)',
  tblci: 'Taboola click (tblci)',
  ob_click_id: 'Outbrain click (ob_click_id)',
  rdt_cid: 'Reddit click (rdt_cid)',
  aleid: 'AppLovin click (aleid)',
  alart: 'AppLovin click (alart)',
} as const;

export type Identifier = keyof typeof IDENTIFIERS;

const FACTS = {
  value: 'Value',
  currency: 'Currency',
  eventId: 'Order number',
  event: 'Event name',
  createdOn: 'Time of the sale',
} as const;

export type Target = Identifier | keyof typeof FACTS;

export const TARGETS: Record<Target, string> = { ...IDENTIFIERS, ...FACTS };

const OTHER_NAMES: Record<string, Target> = {
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

const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** What a column most likely holds, by its heading. Each target is given to the first column that asks for it. */
export function guessTargets(headings: readonly string[]): (Target | null)[] {
  const byName = new Map<string, Target>([
    ...Object.entries(OTHER_NAMES),
    ...(Object.keys(TARGETS) as Target[]).map((target): [string, Target] => [plain(target), target]),
  ]);
  const taken = new Set<Target>();
  return headings.map((heading) => {
    const target = byName.get(plain(heading));
    if (target === undefined || taken.has(target)) return null;
    taken.add(target);
    return target;
  });
}

/** A row as it is reported: empty cells are left out, but for the value, whose absence the service is to name. */
export function itemOf(row: readonly string[], targets: readonly (Target | null)[]): ConversionItem {
  const cells = targets.flatMap((target, i): [string, string][] => {
    const cell = row[i]?.trim() ?? '';
    return target === null || cell === '' ? [] : [[target, target === 'value' ? decimalOf(cell) : cell]];
  });
  return Object.fromEntries(cells) as ConversionItem;
}

/** `1.234,50 €` and `$1,234.50` are 1234.50; what is no amount is left as it is, for the service to refuse. */
export function decimalOf(cell: string): string {
  const text = cell.replace(/[^\d.,-]/g, '');
  const comma = text.lastIndexOf(',');
  const point = text.lastIndexOf('.');
  // A single comma with three digits behind it parts thousands, as does one before a point.
  const isDecimalComma = comma > point && !(point === -1 && /^-?\d{1,3}(,\d{3})+$/.test(text));
  const isThousandPoints = comma === -1 && /^-?\d{1,3}(\.\d{3}){2,}$/.test(text);
  const decimal = isDecimalComma
    ? text.replaceAll('.', '').replace(',', '.')
    : isThousandPoints
      ? text.replaceAll('.', '')
      : text.replaceAll(',', '');
  return /^-?\d+(\.\d+)?$/.test(decimal) ? decimal : cell;
}

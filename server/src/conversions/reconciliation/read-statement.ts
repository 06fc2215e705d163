import { readCurrency } from '../../shared/currency.ts';
import { isoTime, parseTimestamp } from '../../shared/time.ts';
import type { IdentifierName } from '../../tracking/index.ts';
import { readTime } from '../report/created-on.ts';
import { type DecimalMark, readUnits } from './amounts.ts';
import { type Cells, CLICK_COLUMNS, PROVIDER, type ProviderName } from './providers.ts';

/** How a file is read. */
interface StatementSettings {
  provider: ProviderName;
  /** What of a row is compared. */
  amount: 'gross' | 'net';
  decimalMark: DecimalMark;
  dateOrder: 'auto' | 'dayFirst' | 'monthFirst';
  /** Of rows that name none. */
  currency: string | null;
  /** Columns that take precedence over those of the provider. */
  columns: Partial<Record<'identifier' | 'amount' | 'currency' | 'date', string>>;
}

export interface RowFault {
  row: number;
  code: string;
  detail: string;
}

/** What a statement says of one order: the sum of its rows. */
export interface Line {
  /** What it may be called here, in the order in which it is tried. */
  identifiers: string[];
  click: { name: IdentifierName; value: string } | null;
  /** In units; see amounts.ts. */
  amount: bigint;
  currency: string;
  /** Numbers of the rows; the header is row 1, the first item of JSON is 1. */
  rows: number[];
  /** Whether all of its rows take money back, so that it says nothing of the sale itself. */
  isRefund: boolean;
  /** ISO 8601, of its first row. */
  at: string | null;
}

/** Rows of an order that a line names; the others are counted. */
const MAX_ROWS = 100;

/** Adds up the rows of a statement by order. */
export class Statement {
  readonly #settings: StatementSettings;
  readonly #now: number;
  readonly #lines = new Map<string, Line & { date: string; time: string }>();
  readonly faults: RowFault[] = [];
  rows = 0;
  /** Rows of fees, payouts and the like. */
  ignored = 0;
  #isDayFirst = false;
  #isMonthFirst = false;

  constructor(settings: StatementSettings, now: number) {
    this.#settings = settings;
    this.#now = now;
  }

  add(row: number, cells: Cells, isJson: boolean): void {
    const fault = this.#add(row, cells, isJson);
    if (fault) this.faults.push({ row, code: fault[0], detail: fault[1] });
  }

  #add(row: number, cells: Cells, isJson: boolean): readonly [code: string, detail: string] | undefined {
    this.rows++;
    const { provider: name, columns } = this.#settings;
    const provider = PROVIDER[name];
    const first = (names: readonly string[]) => names.map((each) => cells[each]?.trim()).find((text) => text) ?? '';
    const chosen = (own: string | undefined, names: readonly string[]) =>
      own === undefined ? names : [own.toLowerCase()];
    const type = first(provider.type).toLowerCase();
    if (provider.type.length > 0 && type !== '' && !provider.counts.test(type)) {
      this.ignored++;
      return undefined;
    }
    const text = first(chosen(columns.amount, provider[this.#settings.amount]));
    if (text === '') return ['amount_missing', 'The row has no amount.'];
    const settled = readUnits(text, isJson ? 'point' : this.#settings.decimalMark);
    if (typeof settled === 'string') {
      const help = settled === 'amount_ambiguous' ? ' Say which mark is decimal: `decimalMark=point` or `comma`.' : '';
      return [settled, `"${text.slice(0, 40)}" is no amount.${help}`];
    }
    const settledIn = first(chosen(columns.currency, provider.currency)) || this.#settings.currency || '';
    const presented = this.#presented(cells, settled);
    const currency = readCurrency(presented?.currency ?? settledIn);
    if (currency === undefined) {
      return [
        'currency_invalid',
        settledIn === '' ? 'The row has no currency.' : `"${settledIn.slice(0, 40)}" is no currency.`,
      ];
    }
    const amount =
      presented?.amount ?? (isJson && provider.hasMinorUnits ? fromMinorUnits(settled, currency) : settled);
    const names = amount < 0n ? (provider.refundIdentifiers ?? provider.identifiers) : provider.identifiers;
    const identifiers = [...new Set(chosen(columns.identifier, names).flatMap((each) => variantsOf(cells[each])))];
    const click = CLICK_COLUMNS.flatMap(([column, click]) => {
      const value = cells[column]?.trim();
      return value ? [{ name: click, value }] : [];
    })[0];
    if (identifiers.length === 0 && !click) {
      return ['identifier_missing', 'The row names no order, event or click ID.'];
    }
    const date = first(chosen(columns.date, provider.date));
    this.#learnOrder(date);
    const key = `${currency} ${identifiers[0] ?? `${click?.name} ${click?.value}`}`;
    const line = this.#lines.get(key);
    if (!line) {
      this.#lines.set(key, {
        ...{ identifiers, click: click ?? null, amount, currency, rows: [row], isRefund: amount < 0n },
        ...{ at: null, date, time: first(provider.time) },
      });
      return undefined;
    }
    line.amount += amount;
    line.isRefund &&= amount < 0n;
    line.click ??= click ?? null;
    if (line.rows.length < MAX_ROWS) line.rows.push(row);
    for (const each of identifiers) if (!line.identifiers.includes(each)) line.identifiers.push(each);
    return undefined;
  }

  /** What the customer paid, if the provider says so and the gross amount is compared. */
  #presented(cells: Cells, settled: bigint): { amount: bigint; currency: string } | undefined {
    const { provider, amount: kind, columns } = this.#settings;
    const { presented } = PROVIDER[provider];
    if (!presented || kind === 'net' || columns.amount !== undefined) return undefined;
    const [text, currency] = [presented.amount, presented.currency].map((names) =>
      names.map((each) => cells[each]?.trim()).find((each) => each),
    );
    if (!text || !currency) return undefined;
    const amount = readUnits(text, this.#settings.decimalMark);
    if (typeof amount === 'string') return undefined;
    return { amount: amount < 0n === settled < 0n ? amount : -amount, currency };
  }

  /** Dates such as 25/12/2026 tell the order of all. */
  #learnOrder(date: string): void {
    const [, a, b] = /^(\d{1,2})[/.-](\d{1,2})[/.-]\d{4}/.exec(date) ?? [];
    this.#isDayFirst ||= Number(a) > 12;
    this.#isMonthFirst ||= Number(b) > 12;
  }

  /** The lines, with their times as far as they are certain. */
  lines(): Line[] {
    const { dateOrder } = this.#settings;
    const isKnown = dateOrder !== 'auto' || this.#isDayFirst !== this.#isMonthFirst;
    const isDayFirst = dateOrder === 'auto' ? this.#isDayFirst : dateOrder === 'dayFirst';
    return [...this.#lines.values()].map(({ date, time, ...line }) => ({
      ...line,
      at: readDate(date, time, isKnown ? isDayFirst : undefined, this.#now),
    }));
  }
}

/** An order of Shopify is `#1001` in one place and `1001` in another, an ID of GraphQL ends with that of REST. */
function variantsOf(cell: string | undefined): string[] {
  const text = cell?.trim() ?? '';
  if (text === '') return [];
  const global = /^gid:\/\/shopify\/\w+\/(\d+)$/.exec(text)?.[1];
  return [text, ...(text.startsWith('#') ? [text.slice(1)] : []), ...(global ? [global] : [])];
}

function readDate(date: string, time: string, isDayFirst: boolean | undefined, now: number): string | null {
  if (date === '') return null;
  const [, a = '', b = '', year = '', rest = ''] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(.*)$/.exec(date) ?? [];
  if (year === '') return readTime(date.replace(/ (?=[+-]\d\d:?\d\d$)/, ''), now) ?? null;
  if (isDayFirst === undefined) return null;
  const [day, month] = isDayFirst ? [a, b] : [b, a];
  const clock = /^\d\d:\d\d(:\d\d)?$/.exec(rest.trim() || time)?.[0] ?? '00:00';
  const ms = parseTimestamp(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}T${clock}Z`);
  return ms === undefined || ms > now ? null : isoTime(ms);
}

/** Amounts of APIs in cents, yen or thousandths. */
function fromMinorUnits(units: bigint, currency: string): bigint {
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions();
  return units / 10n ** BigInt(maximumFractionDigits);
}

/** The items of a JSON file, flattened: `{"a": {"b": 1}}` has the cell `a.b`. undefined: it has no list. */
export function itemsOfJson(text: string, provider: ProviderName): Cells[] | undefined {
  const parsed: unknown = JSON.parse(text);
  const list = Array.isArray(parsed)
    ? parsed
    : PROVIDER[provider].list.map((name) => (parsed as Record<string, unknown> | null)?.[name]).find(Array.isArray);
  return list?.map((item) => {
    const cells: Record<string, string> = {};
    flatten(item, '', cells, 0);
    return cells;
  });
}

function flatten(value: unknown, path: string, cells: Record<string, string>, depth: number): void {
  if (typeof value === 'string' || typeof value === 'number') cells[path.toLowerCase()] = String(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth > 5) return;
  for (const [name, member] of Object.entries(value))
    flatten(member, path ? `${path}.${name}` : name, cells, depth + 1);
}

import { createHash } from 'node:crypto';
import { hasMoreCharacters } from '../../shared/characters.ts';
import { readCurrency } from '../../shared/currency.ts';
import { storableText } from '../../shared/json.ts';
import { isoTime } from '../../shared/time.ts';
import { type IdentifierName, isAbsent } from '../../tracking/index.ts';
import { LIMITS } from '../limits.ts';
import { certainMark, type DecimalMark, type Mark, mayBeGrouped, readUnits } from './amounts.ts';
import { chooseDate, type DateOrder, type DateReadings, readDates, readTimeZone } from './dates.ts';
import { type Cells, CLICK_COLUMNS, PROVIDER, type ProviderName } from './providers.ts';

/** How a file is read. */
interface StatementSettings {
  provider: ProviderName;
  /** What of a row is compared. */
  amount: 'gross' | 'net';
  decimalMark: DecimalMark;
  dateOrder: 'auto' | DateOrder;
  /** Of dates that name none. */
  timeZone: string;
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
  /** Whether one of these is of the shop, and not only of the provider. */
  namesOrder: boolean;
  click: { name: IdentifierName; value: string } | null;
  /** In units; see amounts.ts. */
  amount: bigint;
  currency: string;
  /** Numbers of the rows; the header is row 1, the first item of JSON is 1. */
  rows: number[];
  /** Whether all of its rows take money back, so that it says nothing of the sale itself. */
  isRefund: boolean;
  /** Whether another row of it is invalid, so that the sum is not certain. */
  hasFault: boolean;
  /** ISO 8601, of its sale, or else of its first row. */
  at: string | null;
}

/** A row, perhaps before it is known how the file writes amounts and dates. */
interface Row {
  row: number;
  isJson: boolean;
  amount: string;
  presented: { amount: string; currency: string } | undefined;
  currency: string;
  date: { text: string; readings: DateReadings | undefined } | undefined;
  click: Line['click'];
  orders: string[];
  texts: string[];
  payments: string[];
  refundedPayments: string[];
  fault: Fault | undefined;
}

type Fault = readonly [code: string, detail: string];

/** Rows of an order that a line names; the others are counted. It has as many names. */
const MAX_ROWS = 100;

/** Columns that a file must have one of, of which it has none. */
export function missingColumns(
  { provider, columns, amount }: Pick<StatementSettings, 'provider' | 'columns' | 'amount'>,
  headings: readonly string[],
): string[] | undefined {
  const { orders, texts = [], payments, [amount]: amounts } = PROVIDER[provider];
  const has = (names: readonly string[]) => names.some((each) => headings.includes(each));
  if (columns.amount === undefined && !has(amounts)) return [...amounts];
  const clicks = CLICK_COLUMNS.map(([column]) => column);
  if (columns.identifier === undefined && !has([...orders, ...texts, ...payments, ...clicks])) return [...orders];
  return undefined;
}

/** Whether rows say what they are, as far as those of the provider do. */
export function hasTypes(provider: ProviderName, headings: readonly string[]): boolean {
  const { type } = PROVIDER[provider];
  return type.length === 0 || type.some((each) => headings.includes(each));
}

/** Adds up the rows of a statement by order. */
export class Statement {
  readonly #settings: StatementSettings;
  readonly #now: number;
  /** Rows that wait for the others, because their amount or date may mean two. */
  #ambiguous: Row[] = [];
  /** By currency, and by the names of its order. */
  readonly #lineOf = new Map<string, Map<string, Line>>();
  readonly #joined = new Map<Line, Line>();
  readonly #lines = new Set<Line>();
  readonly #clicks = new Map<string, Line[]>();
  /** Numbers of rows by what identifies them. */
  readonly #seen = new Map<string, number>();
  readonly #marks = new Set<Mark>();
  readonly #orders = new Set<DateOrder>();
  readonly #doubtful = new Set<string>();
  readonly faults: RowFault[] = [];
  /** IDs that lines do not have: those of invalid rows, and of which no money has moved yet. */
  readonly named = new Set<string>();
  /** Those of invalid rows that name nothing else. */
  readonly clicks: NonNullable<Line['click']>[] = [];
  rows = 0;
  /** Rows of fees, payouts and the like. */
  ignored = 0;

  constructor(settings: StatementSettings, now: number) {
    this.#settings = settings;
    this.#now = now;
  }

  /** @param extra cells beyond the header */
  add(row: number, cells: Cells, isJson: boolean, extra = 0): void {
    this.rows++;
    const { provider: name, columns, timeZone } = this.#settings;
    const provider = PROVIDER[name];
    const all = (names: readonly string[]) => names.flatMap((each) => variantsOf(cells[each]));
    const first = (names: readonly string[]) => names.map((each) => cells[each]?.trim()).find((text) => text) ?? '';
    const chosen = (own: string | undefined, names: readonly string[]) =>
      own === undefined ? names : [own.toLowerCase()];
    const type = first(provider.type).toLowerCase();
    const amount = first(chosen(columns.amount, provider[this.#settings.amount]));
    const orders = all(chosen(columns.identifier, provider.orders));
    if (
      (provider.type.length > 0 && type !== '' && !provider.counts.test(type)) ||
      (provider.takesBack !== undefined && amount.startsWith('-') && type !== '' && !provider.takesBack.test(type))
    ) {
      this.ignored++;
      return;
    }
    if (provider.ignored?.some(([names, values]) => values.test(first(names).toLowerCase()))) {
      this.ignored++;
      for (const each of orders) this.named.add(each);
      return;
    }
    const dates = chosen(columns.date, provider.date);
    const dateColumn = dates.find((each) => cells[each]?.trim());
    const isUtc = dateColumn !== undefined && /\butc\b|_utc$/.test(dateColumn);
    const zone = isUtc ? 'UTC' : (readTimeZone(first(provider.timeZone)) ?? timeZone);
    const text = first(dates);
    const click = CLICK_COLUMNS.flatMap(([column, name]) => {
      const value = cells[column]?.trim();
      return isAbsent(value) || value === undefined ? [] : [{ name, value }];
    })[0];
    const { presented } = provider;
    const isPresented = presented && this.#settings.amount === 'gross' && columns.amount === undefined;
    const [paid, paidIn] = isPresented ? [first(presented.amount), first(presented.currency)] : ['', ''];
    const payments = all(provider.payments);
    const read: Row = {
      ...{ row, isJson, amount, click: click ?? null, orders },
      presented: paid && paidIn ? { amount: paid, currency: paidIn } : undefined,
      currency: first(chosen(columns.currency, provider.currency)),
      date: text === '' ? undefined : { text, readings: readDates(text, first(provider.time), zone) },
      texts: columns.identifier === undefined ? all(provider.texts ?? []) : [],
      payments,
      refundedPayments: provider.refundedPayments ? all(provider.refundedPayments) : payments,
      fault:
        extra > 0
          ? [
              'row_too_long',
              `The row has ${extra} more cells than the header. Enclose cells that contain the delimiter in quotes.`,
            ]
          : undefined,
    };
    const id = first(provider.id);
    read.fault ??= this.#repeated(row, id === '' ? digestOf(cells) : `${id} ${amount} ${type}`);
    for (const each of isJson ? [] : [read.amount, read.presented?.amount ?? '']) {
      const mark = certainMark(each);
      if (mark) this.#marks.add(mark);
    }
    const readings = read.date?.readings;
    this.#learnOrder(readings);
    const amounts = isJson ? [] : [amount, paid];
    if (readings?.dayFirst !== readings?.monthFirst || amounts.some(mayBeGrouped)) this.#ambiguous.push(read);
    else this.#settle(read, undefined, undefined);
  }

  #repeated(row: number, key: string): Fault | undefined {
    const before = this.#seen.get(key);
    if (before === undefined) this.#seen.set(key, row);
    return before === undefined ? undefined : ['row_duplicated', `The row repeats row ${before}, and is left out.`];
  }

  /** Dates such as 25/12/2026 tell the order of all, and so do those that would be ahead. */
  #learnOrder(readings: DateReadings | undefined): void {
    if (!readings || readings.dayFirst === readings.monthFirst) return;
    const isDate = (order: DateOrder) => typeof chooseDate(readings, order, this.#now) === 'number';
    const [isDayFirst, isMonthFirst] = [isDate('dayFirst'), isDate('monthFirst')];
    if (isDayFirst !== isMonthFirst) this.#orders.add(isDayFirst ? 'dayFirst' : 'monthFirst');
  }

  /** The lines, in the order of their rows. Call it once, after all rows. */
  lines(): Line[] {
    const mark = this.#marks.size === 1 ? [...this.#marks][0] : undefined;
    const { dateOrder } = this.#settings;
    const order = dateOrder !== 'auto' ? dateOrder : this.#orders.size === 1 ? [...this.#orders][0] : undefined;
    for (const row of this.#ambiguous) this.#settle(row, mark, order);
    this.#ambiguous = [];
    this.faults.sort((a, b) => a.row - b.row);
    this.#addClicks();
    const ofOrders = [...this.#lines].sort((a, b) => (a.rows[0] ?? 0) - (b.rows[0] ?? 0));
    for (const line of ofOrders) line.hasFault = line.identifiers.some((each) => this.#doubtful.has(each));
    for (const each of this.#doubtful) this.named.add(each);
    return ofOrders;
  }

  #settle(row: Row, mark: Mark | undefined, order: DateOrder | undefined): void {
    const fault = this.#addUp(row, mark, order);
    if (!fault) return;
    this.faults.push({ row: row.row, code: fault[0], detail: fault[1] });
    // A provider that gives each row an ID says that it is the same one.
    if (fault[0] === 'row_duplicated' && PROVIDER[this.#settings.provider].id.length > 0) return;
    const names = [...row.orders, ...row.texts, ...row.payments, ...row.refundedPayments];
    for (const each of names) this.#doubtful.add(each);
    if (names.length === 0 && row.click) this.clicks.push(row.click);
  }

  #addUp(row: Row, mark: Mark | undefined, order: DateOrder | undefined): Fault | undefined {
    if (row.fault) return row.fault;
    const { provider: name, currency: ofAll, decimalMark } = this.#settings;
    const provider = PROVIDER[name];
    if (row.amount === '') return ['amount_missing', 'The row has no amount.'];
    const units = (text: string): bigint | Fault => {
      const read = readUnits(text, row.isJson ? 'point' : decimalMark, mark);
      if (typeof read === 'bigint') return read;
      const shown = text.slice(0, 40);
      if (read === 'amount_invalid') return ['amount_invalid', `"${shown}" is no amount.`];
      return ['amount_ambiguous', `"${shown}" may be two amounts. Say which mark is decimal (decimalMark).`];
    };
    const settled = units(row.amount);
    if (typeof settled !== 'bigint') return settled;
    const paid = row.presented && units(row.presented.amount);
    if (paid !== undefined && typeof paid !== 'bigint') return paid;
    const ofAmount = /[A-Z]{3}/.exec(row.presented?.amount ?? row.amount)?.[0];
    const given = row.presented?.currency || row.currency || ofAmount || ofAll || '';
    const currency = readCurrency(given);
    if (currency === undefined || (ofAmount !== undefined && readCurrency(ofAmount) !== currency)) {
      const wrong = currency === undefined ? given : `${given} ${ofAmount}`;
      return [
        'currency_invalid',
        given === '' ? 'The row has no currency.' : `"${wrong.slice(0, 40)}" is no currency.`,
      ];
    }
    const whole = row.isJson && provider.hasMinorUnits ? fromMinorUnits(settled, currency) : settled;
    if (whole === undefined) return ['amount_invalid', `"${row.amount.slice(0, 40)}" is no amount.`];
    const amount = paid === undefined ? whole : paid < 0n === settled < 0n ? paid : -paid;
    const isRefund = amount < 0n;
    const payments = isRefund ? row.refundedPayments : row.payments;
    const names = [...new Set([...row.orders, ...row.texts, ...payments])];
    if (names.length === 0 && !row.click) {
      return ['identifier_missing', 'The row names no order, event or click ID.'];
    }
    const mangled = names.find((each) => /^\d[.,]\d+E\+\d+$/.test(each));
    if (mangled)
      return ['identifier_invalid', `A spreadsheet has changed the ID "${mangled}". Format the column as text.`];
    if (names.some((each) => hasMoreCharacters(each, LIMITS.eventIdLength))) {
      return ['identifier_too_long', `An ID has at most ${LIMITS.eventIdLength} characters.`];
    }
    const at = row.date && (row.date.readings ? chooseDate(row.date.readings, order, this.#now) : 'date_invalid');
    if (typeof at === 'string') return dateFault(at, row.date?.text ?? '');
    const line: Line = {
      ...{ identifiers: names, namesOrder: row.orders.length > 0, click: row.click, amount, currency },
      ...{ rows: [row.row], isRefund, hasFault: false, at: at === undefined ? null : isoTime(at) },
    };
    const keys = [row.orders[0] ?? (payments.length === 0 ? row.texts[0] : undefined), ...payments].flatMap(
      (each) => each ?? [],
    );
    if (keys.length > 0) this.#addTo(line, keys);
    else {
      const key = `${currency} ${row.click?.name} ${row.click?.value}`;
      const ofClick = this.#clicks.get(key);
      if (ofClick) ofClick.push(line);
      else this.#clicks.set(key, [line]);
    }
    return undefined;
  }

  /** Adds a row to the line that has one of its names, which may join several. */
  #addTo(row: Line, keys: readonly string[]): void {
    const ofCurrency = this.#lineOf.get(row.currency) ?? new Map<string, Line>();
    this.#lineOf.set(row.currency, ofCurrency);
    const lineOf = (key: string) => {
      let line = ofCurrency.get(key);
      for (let next = line && this.#joined.get(line); line && next; next = this.#joined.get(line)) {
        // So that the way is half as long next time.
        this.#joined.set(line, this.#joined.get(next) ?? next);
        line = next;
      }
      return line ?? [];
    };
    const [line = row, ...others] = new Set(keys.flatMap(lineOf));
    if (line !== row) addLine(line, row);
    this.#lines.add(line);
    for (const key of keys) ofCurrency.set(key, line);
    for (const other of others) {
      addLine(line, other);
      this.#lines.delete(other);
      this.#joined.set(other, line);
    }
  }

  /** Rows that name a click alone: each sale is one of its own, and a refund is of the sale of its amount, or of the only one. */
  #addClicks(): void {
    for (const rows of this.#clicks.values()) {
      const sales = rows.filter(({ isRefund }) => !isRefund);
      const amounts = new Map(sales.map((sale) => [sale.amount, sale]));
      for (const sale of sales) this.#lines.add(sale);
      for (const refund of rows.filter(({ isRefund }) => isRefund)) {
        const sale = sales.length === 1 ? sales[0] : amounts.get(-refund.amount);
        amounts.delete(-refund.amount);
        if (sale) addLine(sale, refund);
        else this.#lines.add(refund);
      }
    }
  }
}

function addLine(line: Line, other: Line): void {
  // Names and date of the sale come before those of its refund.
  const isFirst = line.isRefund && !other.isRefund;
  const [one, two] = isFirst ? [other, line] : [line, other];
  line.identifiers = [...new Set([...one.identifiers, ...two.identifiers])].slice(0, MAX_ROWS);
  line.at = one.at ?? two.at;
  line.amount += other.amount;
  line.isRefund &&= other.isRefund;
  line.namesOrder ||= other.namesOrder;
  line.click ??= other.click;
  line.rows = [...line.rows, ...other.rows].sort((a, b) => a - b).slice(0, MAX_ROWS);
}

/** Two rows of equal cells are one row that was exported twice. */
const digestOf = (cells: Cells) =>
  createHash('sha1')
    .update(JSON.stringify(Object.values(cells)))
    .digest('base64');

function dateFault(code: string, text: string): Fault {
  const shown = text.slice(0, 40);
  if (code === 'date_in_future') return ['date_in_future', `"${shown}" is in the future.`];
  if (code === 'date_invalid') return ['date_invalid', `"${shown}" is no date.`];
  return ['date_ambiguous', `"${shown}" may be two dates. Say whether the day or the month is first (dateOrder).`];
}

/** An order of Shopify is `#1001` in one place and `1001` in another, an ID of GraphQL ends with that of REST. Some files have `="1001"` for spreadsheets. */
function variantsOf(cell: string | undefined): string[] {
  const text = cell?.trim().replace(/^="(.*)"$/, '$1') ?? '';
  if (text === '') return [];
  const global = /^gid:\/\/shopify\/\w+\/(\d+)$/.exec(text)?.[1];
  return [text, ...(text.startsWith('#') ? [text.slice(1)] : []), ...(global ? [global] : [])];
}

/** Of currencies whose smallest unit Stripe counts otherwise than ISO 4217 (docs.stripe.com/currencies). */
const STRIPE_DECIMALS: Record<string, number> = { ISK: 2, UGX: 2, MGA: 0 };

/** Amounts of APIs in cents, yen or thousandths. undefined: a part of the smallest unit */
function fromMinorUnits(units: bigint, currency: string): bigint | undefined {
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions();
  const size = 10n ** BigInt(STRIPE_DECIMALS[currency] ?? maximumFractionDigits);
  return units % 1_000_000n === 0n ? units / size : undefined;
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
  if (typeof value === 'string') cells[path.toLowerCase()] = storableText(value);
  if (typeof value === 'number' || typeof value === 'boolean') cells[path.toLowerCase()] = String(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth > 5) return;
  for (const [name, member] of Object.entries(value))
    flatten(member, path ? `${path}.${name}` : name, cells, depth + 1);
}

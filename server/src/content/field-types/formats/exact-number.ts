import { Type } from 'typebox';
import { unescapeFormula } from '../../../shared/csv.ts';
import { LIMITS } from '../../limits.ts';
import { NUMBER_INVALID, readDigits } from '../csv-number.ts';
import { type CsvFormats, defineSetting, ValueFault } from '../field-type.ts';

const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;

/** A number in decimal without an exponent, such as `-12.50`; undefined if it is none. Zeros at the end are kept. */
export function toDecimal(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const match = NUMBER.exec(String(value).trim());
  if (!match) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  if (whole === '' && fraction === '') return undefined;
  const point = whole.length + Number(exponent);
  const digits = whole + fraction;
  const padded = point < 0 ? '0'.repeat(-point) + digits : digits.padEnd(point, '0');
  const at = Math.max(0, point);
  const left = padded.slice(0, at).replace(/^0+(?=\d)/, '') || '0';
  const right = padded.slice(at);
  const isZero = /^[0.]*$/.test(left + right);
  return `${sign === '-' && !isZero ? '-' : ''}${left}${right === '' ? '' : `.${right}`}`;
}

/** How many digits a decimal has before and after the point. */
export function digitsOf(decimal: string): { whole: number; places: number } {
  const [whole = '', places = ''] = decimal.replace('-', '').split('.');
  return { whole: whole.length, places: places.length };
}

const OFFSET = 500;

/** A key that sorts as the number does, and is the same for `1.5` and `1.50`: its sign, its magnitude, and its digits. */
export function decimalKey(decimal: string): string {
  const isNegative = decimal.startsWith('-');
  const [whole = '', fraction = ''] = decimal.replace('-', '').split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return 'b000';
  const leading = (whole + fraction).length - digits.length;
  const magnitude = String(whole.length - leading + OFFSET).padStart(3, '0');
  const key = magnitude + digits.replace(/0+$/, '');
  // Of negative numbers, the larger is the one nearer to zero.
  return isNegative ? `a${key.replace(/\d/g, (digit) => String(9 - Number(digit)))}~` : `b${key}`;
}

export const TOO_LONG = `must have at most ${LIMITS.decimalDigits} digits`;

export const isTooLong = (decimal: string): boolean => {
  const { whole, places } = digitsOf(decimal);
  return whole + places > LIMITS.decimalDigits;
};

export const scale = defineSetting<number>({
  schema: Type.Integer({
    minimum: 0,
    maximum: LIMITS.decimalScale,
    description:
      'Of the format `decimal`: how many digits after the point values can have. More are refused, not rounded',
  }),
  merge: (sent, known) => (sent === undefined ? known : (sent ?? undefined)),
});

/** A cell: the number in common notations, with all of its digits. */
export function parseCsvDecimal(cell: string, decimal: CsvFormats['decimal']): string | ValueFault {
  const digits = readDigits(unescapeFormula(cell.trim()), decimal);
  return digits instanceof ValueFault ? digits : (toDecimal(digits) ?? NUMBER_INVALID);
}

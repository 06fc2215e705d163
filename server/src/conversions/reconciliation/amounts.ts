/** Amounts are whole numbers of this part of their currency, so that sums are exact. */
const DECIMALS = 6;
const ONE = 10n ** BigInt(DECIMALS);

export type DecimalMark = 'auto' | 'point' | 'comma';

/** Why a text is no amount. */
type AmountFault = 'amount_invalid' | 'amount_ambiguous';

/**
 * Reads an amount of a statement: `1234.5`, `1,234.50`, `1.234,50`, `1 234,50`, `(12.00)` and `-12.00`. With only one comma
 * before three digits it may be a thousand or a part, so it is refused unless the mark is known.
 */
export function readUnits(text: string, mark: DecimalMark): bigint | AmountFault {
  const bare = text.replace(/[\s\u00a0\u202f'’]|^[$€£¥]|[$€£¥]$/g, '').replace(/^−/, '-');
  const [, opening, sign, digits, closing] = /^(\(?)([+-]?)([\d.,]+)(\)?)$/.exec(bare) ?? [];
  if (digits === undefined || (opening === '(') !== (closing === ')')) return 'amount_invalid';
  const point = mark === 'auto' ? markOf(digits) : mark === 'comma' ? ',' : '.';
  if (point === undefined) return 'amount_ambiguous';
  const separator = point === ',' ? '.' : ',';
  const [whole = '', fraction = '', ...more] = digits.split(point);
  const isGrouped = whole.includes(separator);
  if (more.length > 0 || fraction.includes(separator) || (whole === '' && fraction === '')) return 'amount_invalid';
  if (isGrouped && !new RegExp(`^\\d{1,3}(\\${separator}\\d{3})+$`).test(whole)) return 'amount_invalid';
  const plain = whole.replaceAll(separator, '');
  if (fraction.length > DECIMALS && /[1-9]/.test(fraction.slice(DECIMALS))) return 'amount_invalid';
  if (plain.length > 18) return 'amount_invalid';
  const units = BigInt(plain || '0') * ONE + BigInt(fraction.slice(0, DECIMALS).padEnd(DECIMALS, '0'));
  return sign === '-' || opening === '(' ? -units : units;
}

/** The decimal mark; undefined if it may be either. */
function markOf(digits: string): ',' | '.' | undefined {
  const [comma, point] = [digits.lastIndexOf(','), digits.lastIndexOf('.')];
  if (comma >= 0 && point >= 0) return comma > point ? ',' : '.';
  // A point is decimal in every API.
  if (comma < 0) return digits.indexOf('.') === point ? '.' : ',';
  if (digits.indexOf(',') !== comma) return '.';
  return digits.length - comma - 1 === 3 ? undefined : ',';
}

/** Without trailing zeros. */
export function unitsText(units: bigint): string {
  const size = units < 0n ? -units : units;
  const fraction = (size % ONE).toString().padStart(DECIMALS, '0').replace(/0+$/, '');
  return `${units < 0n ? '-' : ''}${size / ONE}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Of an amount as PostgreSQL writes a numeric; further decimals are rounded. */
export function unitsOf(numeric: string): bigint {
  const [, sign, whole = '0', fraction = ''] = /^(-?)(\d*)\.?(\d*)$/.exec(numeric) ?? [];
  const padded = fraction.padEnd(DECIMALS + 1, '0');
  const units =
    BigInt(whole || '0') * ONE + BigInt(padded.slice(0, DECIMALS)) + (Number(padded[DECIMALS]) >= 5 ? 1n : 0n);
  return sign === '-' ? -units : units;
}

export const sizeOf = (units: bigint) => (units < 0n ? -units : units);

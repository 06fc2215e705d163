/** Amounts are whole numbers of this part of their currency, so that sums are exact. */
const DECIMALS = 6;
const ONE = 10n ** BigInt(DECIMALS);

export type DecimalMark = 'auto' | 'point' | 'comma';
export type Mark = ',' | '.';

/** Why a text is no amount. */
type AmountFault = 'amount_invalid' | 'amount_ambiguous';

const AMOUNT = /^(\(?)([+-]?)(?:[A-Z]{2,3}|[A-Z]{0,2}\p{Sc})?(\(?)([+-]?)([\d.,]+)(\)?)(?:[A-Z]{3}|\p{Sc})?(-?)(\)?)$/u;

/**
 * Reads an amount of a statement: `1234.5`, `1,234.50`, `1.234,50`, `1 234,50`, `(12.00)`, `-12.00`, `12.00-`, `-$12.00` and `EUR 12.00`. With only
 * one comma before three digits it may be a thousand or a part, so it is refused unless the mark is known.
 * @param usual the decimal mark of other amounts of the file
 */
export function readUnits(text: string, mark: DecimalMark, usual?: Mark): bigint | AmountFault {
  const bare = text.replace(/[\s\u00a0\u202f'’]/g, '').replace(/[−–]/g, '-');
  const [, ...parts] = AMOUNT.exec(bare) ?? [];
  const [outer, before, inner, after, digits, closing, trailing, closed] = parts;
  const signs = [before, after, trailing].filter((sign) => sign);
  const isOpen = `${outer}${inner}` !== '';
  if (digits === undefined || `${outer}${inner}`.length !== `${closing}${closed}`.length) return 'amount_invalid';
  if (signs.length > (isOpen ? 0 : 1) || isOpen !== (`${closing}${closed}` !== '')) return 'amount_invalid';
  const point = mark === 'auto' ? markOf(digits, usual) : mark === 'comma' ? ',' : '.';
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
  return signs[0] === '-' || isOpen ? -units : units;
}

const digitsOf = (text: string) => text.replace(/[^\d.,]/g, '');

/** The decimal mark that an amount has without doubt. */
export function certainMark(text: string): Mark | undefined {
  const digits = digitsOf(text);
  return MAY_BE_GROUPED.test(digits) || !/[.,]/.test(digits) ? undefined : markOf(digits, undefined);
}

/** Whether its mark may separate thousands or a part. */
export const mayBeGrouped = (text: string): boolean => MAY_BE_GROUPED.test(digitsOf(text));

const MAY_BE_GROUPED = /^[1-9]\d{0,2}[.,]\d{3}$/;

/** The decimal mark; undefined if it may be either. */
function markOf(digits: string, usual: Mark | undefined): Mark | undefined {
  const [comma, point] = [digits.lastIndexOf(','), digits.lastIndexOf('.')];
  if (comma >= 0 && point >= 0) return comma > point ? ',' : '.';
  // A thousand, where the file has the other mark before parts. Otherwise a point is decimal, as in every API.
  if (MAY_BE_GROUPED.test(digits)) return comma >= 0 ? (usual === '.' ? '.' : undefined) : (usual ?? '.');
  if (comma < 0) return digits.indexOf('.') === point ? '.' : ',';
  return digits.indexOf(',') === comma ? ',' : '.';
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

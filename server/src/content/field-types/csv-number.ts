import { isExact } from '../../shared/json.ts';
import { type CsvFormats, ValueFault } from './field-type.ts';

const PLAIN = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;
/** Groups of three digits, separated by a space (of any kind) or an apostrophe, which are never decimal separators. */
const SPACED = /^([+-]?\d{1,3})((?:[\u0020\u00a0\u2009\u202f'\u2019]\d{3})+)([.,]\d+)?$/;
/** By decimal separator: groups of three digits, separated by the other one. No group comes after a zero: `0.125` is a fraction. */
const GROUPED = {
  '.': /^[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/,
  ',': /^[+-]?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?$/,
};

export const NUMBER_INVALID = new ValueFault('number_invalid', 'Write a number, such as 1234.5.');

/** A number in common notations; see `readDigits`. One that a double does not hold stays text. */
export function parseCsvNumber(text: string, decimal: CsvFormats['decimal']): number | string | ValueFault {
  const digits = readDigits(text, decimal);
  if (digits instanceof ValueFault) return digits;
  const value = Number(digits);
  if (!Number.isFinite(value)) return NUMBER_INVALID;
  return isExact(digits) ? value : digits;
}

/**
 * The plain digits of a number in common notations: `1234.5`, `1,234.50`, `1.234,50`, `12,5`, `1 234`. What allows two
 * readings, such as `1,234` and `1.234`, is ambiguous unless `decimal` tells the decimal separator.
 */
export function readDigits(text: string, decimal: CsvFormats['decimal']): string | ValueFault {
  if (decimal !== null) return digitsAs(text, decimal) ?? NUMBER_INVALID;
  const [point, comma] = [digitsAs(text, '.'), digitsAs(text, ',')];
  if (point === undefined || comma === undefined || point === comma) return point ?? comma ?? NUMBER_INVALID;
  const detail = `${text} is ambiguous. Specify whether the comma or the point is the decimal separator.`;
  return new ValueFault('number_ambiguous', detail);
}

function digitsAs(text: string, decimal: '.' | ','): string | undefined {
  const separator = decimal === '.' ? ',' : '.';
  const unspaced = SPACED.test(text) ? text.replace(/[\u0020\u00a0\u2009\u202f'\u2019]/g, '') : text;
  const ungrouped = GROUPED[decimal].test(unspaced) ? unspaced.replaceAll(separator, '') : unspaced;
  if (ungrouped.includes(separator)) return undefined;
  const digits = ungrouped.replace(decimal, '.');
  return PLAIN.test(digits) ? digits : undefined;
}

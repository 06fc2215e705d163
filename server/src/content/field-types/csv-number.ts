import { isExact } from '../../shared/json.ts';
import { type CsvFormats, ValueFault } from './field-type.ts';

const PLAIN = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;
/** Groups of three digits, separated by a space (of any kind) or an apostrophe, which are never decimal separators. */
const SPACED = /^([+-]?\d{1,3})((?:[\u0020\u00a0\u2009\u202f'\u2019]\d{3})+)([.,]\d+)?$/;
const GROUPED = /^([+-]?\d{1,3})(?:(?:,\d{3})+(?:\.\d+)?|(?:\.\d{3})+(?:,\d+)?)$/;

const invalid = new ValueFault('number_invalid', 'Write a number, such as 1234.5.');

/**
 * Parses a number in common notations: `1234.5`, `1,234.50`, `1.234,50`, `12,5`, `1 234`. `1,234` is ambiguous unless
 * `decimal` tells the decimal separator. `1.234` is a fraction, as everywhere in the API, unless `decimal` is a comma.
 */
export function parseCsvNumber(text: string, decimal: CsvFormats['decimal']): number | string | ValueFault {
  const plain = SPACED.test(text) ? text.replace(/[\u0020\u00a0\u2009\u202f'\u2019]/g, '') : text;
  const isGrouped = GROUPED.test(plain);
  if (decimal === ',') {
    const ungrouped = isGrouped && !/,.*[.,]/.test(plain) ? plain.replaceAll('.', '') : plain;
    return ungrouped.includes('.') ? invalid : toNumber(ungrouped.replace(',', '.'));
  }
  if (!plain.includes(',')) {
    // Several points separate thousands; a single one is a decimal point.
    const hasThousands = isGrouped && plain.split('.').length > 2 && decimal === null;
    return toNumber(hasThousands ? plain.replaceAll('.', '') : plain);
  }
  if (decimal === '.') return isGrouped && !/\..*,/.test(plain) ? toNumber(plain.replaceAll(',', '')) : invalid;
  const commas = plain.split(',').length - 1;
  const hasPoint = plain.includes('.');
  if (isGrouped && commas === 1 && !hasPoint) {
    const detail = `${text} is ambiguous. Specify whether the comma or the point is the decimal separator.`;
    return new ValueFault('number_ambiguous', detail);
  }
  if (isGrouped) {
    const isDecimalComma = hasPoint && plain.lastIndexOf(',') > plain.lastIndexOf('.');
    return toNumber(isDecimalComma ? plain.replaceAll('.', '').replace(',', '.') : plain.replaceAll(',', ''));
  }
  return commas === 1 && !hasPoint ? toNumber(plain.replace(',', '.')) : invalid;
}

/** A number that a double does not hold stays text. */
function toNumber(text: string): number | string | ValueFault {
  const value = PLAIN.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? (isExact(text) ? value : text) : invalid;
}

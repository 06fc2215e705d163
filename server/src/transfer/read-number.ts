import { CellFault } from './cell-fault.ts';

const PLAIN = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;
/** Groups of three digits, parted by a space (of any kind) or an apostrophe, which nobody takes for a decimal sign. */
const SPACED = /^([+-]?\d{1,3})((?:[\u0020\u00a0\u2009\u202f'\u2019]\d{3})+)([.,]\d+)?$/;
const GROUPED = /^([+-]?\d{1,3})(?:(?:,\d{3})+(?:\.\d+)?|(?:\.\d{3})+(?:,\d+)?)$/;

/**
 * A number in the forms that people write: `1234.5`, `1,234.50`, `1.234,50`, `12,5`, `1 234`. `1,234` may be either of two
 * numbers, and is a fault unless `decimal` says what parts whole numbers from fractions. `1.234` is what it is everywhere
 * in the API, unless `decimal` is a comma.
 */
export function readNumber(text: string, decimal: '.' | ',' | null): number | CellFault {
  const invalid = new CellFault('number_invalid', 'Write a number, such as 1234.5.');
  const done = (plain: string) => {
    const value = PLAIN.test(plain) ? Number(plain) : Number.NaN;
    return Number.isFinite(value) ? value : invalid;
  };
  const clean = SPACED.test(text) ? text.replace(/[\u0020\u00a0\u2009\u202f'\u2019]/g, '') : text;
  const isGrouped = GROUPED.test(clean);
  if (decimal === ',') {
    const ungrouped = isGrouped && !/,.*[.,]/.test(clean) ? clean.replaceAll('.', '') : clean;
    return ungrouped.includes('.') ? invalid : done(ungrouped.replace(',', '.'));
  }
  if (!clean.includes(',')) {
    // Two points part thousands; one is a decimal point.
    return isGrouped && clean.split('.').length > 2 && decimal === null ? done(clean.replaceAll('.', '')) : done(clean);
  }
  if (decimal === '.') return isGrouped && !/\..*,/.test(clean) ? done(clean.replaceAll(',', '')) : invalid;
  const commas = clean.split(',').length - 1;
  if (isGrouped && commas === 1 && !clean.includes('.')) {
    const detail = `${text} may be a thousand or a fraction: say which sign is the decimal one.`;
    return new CellFault('number_ambiguous', detail);
  }
  if (isGrouped) {
    const isDecimalComma = clean.lastIndexOf(',') > clean.lastIndexOf('.') && clean.includes('.');
    return done(isDecimalComma ? clean.replaceAll('.', '').replace(',', '.') : clean.replaceAll(',', ''));
  }
  return commas === 1 && !clean.includes('.') ? done(clean.replace(',', '.')) : invalid;
}

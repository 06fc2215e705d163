import { isExact } from '../../shared/json.ts';
import { digitsOf } from './csv-digits.ts';
import { type CsvFormats, ValueFault } from './field-type.ts';

export const NUMBER_INVALID = new ValueFault('number_invalid', 'Write a number, such as 1234.5.');

/** A number in common notations; see `digitsOf`. One that a double does not hold stays text. */
export function parseCsvNumber(text: string, decimal: CsvFormats['decimal']): number | string | ValueFault {
  const digits = readDigits(text, decimal);
  if (digits instanceof ValueFault) return digits;
  const value = Number(digits);
  if (!Number.isFinite(value)) return NUMBER_INVALID;
  return isExact(digits) ? value : digits;
}

/** The plain digits of a number in common notations; see `digitsOf`. */
export function readDigits(text: string, decimal: CsvFormats['decimal']): string | ValueFault {
  const digits = digitsOf(text, decimal);
  if (digits !== null) return digits ?? NUMBER_INVALID;
  const detail = `${text} is ambiguous. Specify whether the comma or the point is the decimal separator.`;
  return new ValueFault('number_ambiguous', detail);
}

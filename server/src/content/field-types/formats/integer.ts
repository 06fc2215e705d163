import { defineFieldType, PLAIN_JSON, quoted, ValueFault } from '../field-type.ts';
import { hashedBits } from '../filter-buckets.ts';
import { RANGE_TYPE } from '../range-type.ts';
import { exactRange } from '../sort-key.ts';
import { decimalKey, isTooLong, parseCsvDecimal, TOO_LONG, toDecimal } from './exact-number.ts';

type Integer = number | string;

/** A number as long as that is exact, else a decimal string. */
function toInteger(value: unknown): Integer | undefined {
  const exact = toDecimal(value);
  if (exact === undefined || !/^-?\d+(?:\.0*)?$/.test(exact)) return undefined;
  const whole = exact.replace(/\.0*$/, '');
  const number = Number(whole);
  return Number.isSafeInteger(number) ? number : whole;
}

const key = (value: Integer) => decimalKey(String(value));

export const integer = defineFieldType<Integer>({
  description: 'a whole number; beyond ±(2⁵³ − 1) a decimal string, which is exact',
  formatOf: 'number',
  sdkType: { read: 'number | string', write: 'number | string' },
  ...RANGE_TYPE,
  check(value, context) {
    const whole = toInteger(value);
    if (whole === undefined) return context.fault('type', `${quoted(context)} must be a whole number.`);
    return isTooLong(String(whole)) ? context.fault('too_long', `${quoted(context)} ${TOO_LONG}.`) : whole;
  },
  parseOperand: (operand, field) =>
    toInteger(operand) ?? new ValueFault('value_invalid', `${quoted({ field })} must be a whole number.`),
  sortKey: key,
  sortRange: (value) => exactRange(key(value)),
  filterBits: hashedBits,
  csv: {
    parse: (cell, _field, { decimal }) => parseCsvDecimal(cell, decimal),
    ambiguity: 'decimal',
    format: String,
    ...PLAIN_JSON,
  },
});

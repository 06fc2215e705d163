import { defineFieldType, PLAIN_JSON, quoted, ValueFault } from '../field-type.ts';
import { hashedBits } from '../filter-buckets.ts';
import { RANGE_TYPE } from '../range-type.ts';
import { exactRange } from '../sort-key.ts';
import { decimalKey, digitsOf, isTooLong, parseCsvDecimal, scale, TOO_LONG, toDecimal } from './exact-number.ts';

/** An exact number, stored as it was sent; `1.5` and `1.50` are equal. */
export const decimal = defineFieldType<string>({
  description: 'an exact number as a decimal string, such as `12.50`; numbers are accepted',
  formatOf: 'number',
  settings: { scale },
  sdkType: { read: 'string', write: 'string | number' },
  ...RANGE_TYPE,
  check(value, context) {
    const exact = toDecimal(value);
    if (exact === undefined) {
      return context.fault('type', `${quoted(context)} must be a decimal number, such as "12.50".`);
    }
    if (isTooLong(exact)) return context.fault('too_long', `${quoted(context)} ${TOO_LONG}.`);
    const { scale: places } = context.field as { scale?: number };
    if (places === undefined || digitsOf(exact).places <= places || context.wasStored(exact)) return exact;
    const detail = `${quoted(context)} must have at most ${places} digits after the point; values are not rounded.`;
    return context.fault('too_many_places', detail);
  },
  parseOperand: (operand, field) =>
    toDecimal(operand) ?? new ValueFault('value_invalid', `${quoted({ field })} must be a number.`),
  sortKey: decimalKey,
  sortRange: (value) => exactRange(decimalKey(value)),
  filterBits: hashedBits,
  csv: {
    parse: (cell, _field, { decimal: point }) => parseCsvDecimal(cell, point),
    ambiguity: 'decimal',
    format: String,
    ...PLAIN_JSON,
  },
});

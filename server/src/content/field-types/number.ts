import { unescapeFormula } from '../../shared/csv.ts';
import { isExact } from '../../shared/json.ts';
import { parseCsvNumber } from './csv-number.ts';
import { defineFieldType, PLAIN_JSON, quoted, ValueFault } from './field-type.ts';
import { hashedBits } from './filter-buckets.ts';
import { RANGE_TYPE } from './range-type.ts';
import { exactRange } from './sort-key.ts';

const INEXACT =
  'holds no number with so many digits exactly, and rounds none. The formats integer and decimal hold every number.';

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

export const number = defineFieldType<number>({
  description: 'a finite number; numeric strings are accepted',
  sdkType: { read: 'number', write: 'number' },
  ...RANGE_TYPE,
  check(value, context) {
    // Adding 0 turns -0 into 0.
    const sent = typeof value === 'string' ? parseNumber(value) : value;
    if (typeof value === 'string' && Number.isFinite(sent) && !isExact(value)) {
      return context.fault('number_inexact', `${quoted(context)} ${INEXACT}`);
    }
    if (typeof sent === 'number' && Number.isFinite(sent)) return sent + 0;
    return context.fault('type', `${quoted(context)} must be a number.`);
  },
  parseOperand(operand, field) {
    const value = parseNumber(operand);
    if (Number.isFinite(value) && !isExact(operand))
      return new ValueFault('number_inexact', `${quoted({ field })} ${INEXACT}`);
    return Number.isFinite(value) ? value : new ValueFault('value_invalid', `${quoted({ field })} must be a number.`);
  },
  sortKey: numberKey,
  sortRange: (value) => exactRange(numberKey(value)),
  filterBits: hashedBits,
  csv: {
    parse: (cell, _field, { decimal }) => parseCsvNumber(unescapeFormula(cell.trim()), decimal),
    ambiguity: 'decimal',
    format: String,
    ...PLAIN_JSON,
  },
});

function parseNumber(text: string): number {
  return NUMBER.test(text) ? Number(text) : Number.NaN;
}

const bits = new DataView(new ArrayBuffer(8));

/** The bits of the double in hexadecimal, arranged so that they sort: the sign is flipped, negative numbers are inverted. */
function numberKey(value: number): string {
  bits.setFloat64(0, value + 0);
  const negative = value < 0;
  const high = bits.getUint32(0) ^ (negative ? 0xffffffff : 0x80000000);
  const low = bits.getUint32(4) ^ (negative ? 0xffffffff : 0);
  return (high >>> 0).toString(16).padStart(8, '0') + (low >>> 0).toString(16).padStart(8, '0');
}

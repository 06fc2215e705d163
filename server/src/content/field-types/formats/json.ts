import { escapeFormulaInJson } from '../../../shared/csv.ts';
import { parseExactly } from '../../../shared/json.ts';
import { LIMITS } from '../../limits.ts';
import { defineFieldType, PLAIN_JSON, quoted, ValueFault } from '../field-type.ts';
import { exactRange } from '../sort-key.ts';
import { measureJson } from './measure-json.ts';

// The index only tells whether an entry has a value.
const PRESENT = '1';

/** Any JSON value. It is stored unchanged, and filtered only by whether there is one. */
export const json = defineFieldType<unknown>({
  description: `any JSON value of up to ${LIMITS.jsonBytes.toLocaleString('en')} bytes and ${LIMITS.jsonDepth} levels`,
  sdkType: { read: 'unknown', write: 'unknown' },
  structure: 'plain',
  acceptsEmptyText: false,
  isSearchable: false,
  isSortable: false,
  isImportKey: false,
  operators: ['exists'],
  validation: [],
  check(value, context) {
    const { depth, bytes } = measureJson(value, LIMITS.jsonDepth, LIMITS.jsonBytes);
    if (depth > LIMITS.jsonDepth) {
      return context.fault('too_deep', `${quoted(context)} must be nested at most ${LIMITS.jsonDepth} levels deep.`);
    }
    if (bytes > LIMITS.jsonBytes) {
      return context.fault('too_large', `${quoted(context)} must have at most ${LIMITS.jsonBytes} bytes as JSON.`);
    }
    return value;
  },
  parseOperand: (_operand, field) =>
    new ValueFault('value_invalid', `${quoted({ field })} can only be filtered by exists.`),
  sortKey: () => PRESENT,
  sortRange: () => exactRange(PRESENT),
  filterBits: null,
  csv: {
    parse(cell) {
      try {
        return parseExactly(cell);
      } catch {
        return new ValueFault('json_invalid', 'The cell is not valid JSON.');
      }
    },
    // A space hides the start of a formula, which only a negative number has.
    format: (value) => escapeFormulaInJson(JSON.stringify(value)).replace(/^-/, ' -'),
    ...PLAIN_JSON,
  },
});

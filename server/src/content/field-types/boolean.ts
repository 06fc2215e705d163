import { defineFieldType, EQUALITY_OPERATORS, PLAIN_JSON, quoted, ValueFault } from './field-type.ts';
import { exactRange } from './sort-key.ts';

const TRUE = new Set(['true', 'yes', 'y', 'on', '1']);
const FALSE = new Set(['false', 'no', 'n', 'off', '0']);

const sortKey = (value: boolean) => (value ? '1' : '0');

export const boolean = defineFieldType<boolean>({
  description: '`true` or `false`, also as a string',
  sdkType: { read: 'boolean', write: 'boolean' },
  structure: 'plain',
  acceptsEmptyText: false,
  isSearchable: false,
  isSortable: true,
  isImportKey: false,
  operators: EQUALITY_OPERATORS,
  validation: [],
  check(value, context) {
    if (typeof value === 'boolean') return value;
    if (value === 'true' || value === 'false') return value === 'true';
    return context.fault('type', `${quoted(context)} must be true or false.`);
  },
  parseOperand(operand, field) {
    if (operand === 'true' || operand === 'false') return operand === 'true';
    return new ValueFault('value_invalid', `${quoted({ field })} must be true or false.`);
  },
  sortKey,
  sortRange: (value) => exactRange(sortKey(value)),
  filterBits: { width: 2, bucketOf: (key) => 1 + Number(key), bucketsBetween: () => undefined },
  csv: {
    parse(cell) {
      const word = cell.trim().toLowerCase();
      if (TRUE.has(word)) return true;
      if (FALSE.has(word)) return false;
      return new ValueFault('boolean_invalid', 'Write true or false, yes or no, on or off, 1 or 0.');
    },
    format: String,
    ...PLAIN_JSON,
  },
});

import { defineFieldType, PLAIN_JSON, RANGE_OPERATORS } from '../field-type.ts';
import { exactRange } from '../sort-key.ts';

/** The place of an entry in the manual order of its collection; no field of a request has this format. */
export const position = defineFieldType<string>({
  description: 'a place in the manual order of entries',
  sdkType: { read: 'string', write: 'never' },
  structure: 'plain',
  acceptsEmptyText: false,
  isSearchable: false,
  isSortable: true,
  isImportKey: false,
  operators: RANGE_OPERATORS,
  validation: [],
  check: (_value, context) => context.fault('read_only', 'The position changes by POST …/entries/{id}/move.'),
  parseOperand: (operand) => operand,
  sortKey: (value) => value,
  sortRange: exactRange,
  filterBits: null,
  csv: { parse: (cell) => cell, format: (value) => value, ...PLAIN_JSON },
});

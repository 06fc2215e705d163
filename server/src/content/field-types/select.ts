import { escapeFormula, unescapeFormula } from '../../shared/csv.ts';

import { defineFieldType, EQUALITY_OPERATORS, PLAIN_JSON, quoted, ValueFault } from './field-type.ts';
import { hashedBits } from './filter-buckets.ts';
import { exactKey, exactRange, sortedPrefix } from './sort-key.ts';

const sortKey = (value: string) => exactKey(sortedPrefix(value), value);

export const select = defineFieldType<string>({
  description: 'the value of one of the field’s active options',
  sdkType: { read: '$options', write: '$activeOptions' },
  structure: 'options',
  acceptsEmptyText: false,
  isSearchable: false,
  isSortable: true,
  isImportKey: true,
  operators: EQUALITY_OPERATORS,
  validation: [],
  check(value, context) {
    if (typeof value !== 'string') return context.fault('type', `${quoted(context)} must be a string.`);
    const option = context.field.options?.find((each) => each.value === value);
    if (option === undefined) {
      return context.fault('option_unknown', `${quoted(context)} must be the value of one of its options.`);
    }
    // An entry keeps an option that was deleted after it was chosen.
    if (option.status === 'active' || context.wasStored(value)) return value;
    return context.fault('option_deleted', `${quoted(context)} cannot be set to an option that was deleted.`);
  },
  parseOperand(operand, field) {
    if (field.options?.some((option) => option.value === operand)) return operand;
    return new ValueFault('option_unknown', `${quoted({ field })} must be the value of one of its options.`);
  },
  sortKey,
  sortRange: (value) => exactRange(sortKey(value)),
  filterBits: hashedBits,
  csv: {
    /** Accepts an option's value or, if there is none, its label. */
    parse(cell, { options }) {
      const text = unescapeFormula(cell.trim());
      if (options?.some(({ value }) => value === text)) return text;
      const labelled = options?.filter((option) => option.status === 'active' && option.label.trim() === text) ?? [];
      if (labelled.length <= 1) return labelled[0]?.value ?? text;
      return new ValueFault('option_ambiguous', 'Several options have this label. Write the value of one of them.');
    },
    format: escapeFormula,
    ...PLAIN_JSON,
  },
});

import { defineFieldType, EQUALITY_OPERATORS, PLAIN_JSON, quoted, ValueFault } from '../field-type.ts';
import { hashedBits } from '../filter-buckets.ts';
import { exactRange } from '../sort-key.ts';

const RULE = 'must be a color, such as #0a84ff, or #0a84ff80 with its opacity';

export const color = defineFieldType<string>({
  description: 'a color, `#rrggbb` or `#rrggbbaa`; `#rgb` is accepted as well',
  sdkType: { read: 'string', write: 'string' },
  structure: 'plain',
  acceptsEmptyText: false,
  isSearchable: false,
  isSortable: true,
  isImportKey: true,
  operators: EQUALITY_OPERATORS,
  validation: [],
  check(value, context) {
    if (typeof value !== 'string') return context.fault('type', `${quoted(context)} must be a string.`);
    return parseColor(value) ?? context.fault('color_invalid', `${quoted(context)} ${RULE}.`);
  },
  parseOperand: (operand, field) =>
    parseColor(operand) ?? new ValueFault('value_invalid', `${quoted({ field })} ${RULE}.`),
  sortKey: (value) => value,
  sortRange: exactRange,
  filterBits: hashedBits,
  csv: { parse: (cell) => cell.trim(), format: (value) => value, ...PLAIN_JSON },
});

function parseColor(text: string): string | undefined {
  if (!/^#(?:[0-9a-f]{3}|[0-9a-f]{4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(text)) return undefined;
  const digits = text.slice(1).toLowerCase();
  return `#${digits.length > 4 ? digits : digits.replace(/./g, '$&$&')}`;
}

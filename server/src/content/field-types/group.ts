import { Type } from 'typebox';
import { defineFieldType, defineSetting, PLAIN_JSON, quoted, ValueFault } from './field-type.ts';
import { exactRange } from './sort-key.ts';

type Group = Record<string, unknown>;

const rowIds = defineSetting<boolean>({
  schema: Type.Boolean({
    description:
      'Of a repeated group: whether its rows have IDs (`_id`), which stay as they are moved and changed. Absent unless set',
  }),
  merge(sent, known, { field, fault }) {
    if (sent && !field.repeated) fault('row_ids_not_allowed', 'Only rows of a repeated group can have IDs.');
    return (sent ?? known) || undefined;
  },
});

// The index only tells whether an entry has a group.
const PRESENT = '1';

export const group = defineFieldType<Group>({
  description: 'an object with the values of its nested fields by their IDs',
  sdkType: { read: '$fields', write: '$fields' },
  structure: 'fields',
  acceptsEmptyText: false,
  isSearchable: false,
  isSortable: false,
  isImportKey: false,
  operators: ['exists'],
  validation: [],
  settings: { rowIds },
  check(value, context) {
    if (isGroup(value)) return context.checkMembers(value);
    return context.fault('type', `${quoted(context)} must be an object.`);
  },
  parseOperand: (_operand, field) =>
    new ValueFault('value_invalid', `${quoted({ field })} can only be filtered by exists.`),
  sortKey: () => PRESENT,
  sortRange: () => exactRange(PRESENT),
  filterBits: null,
  csv: {
    parse: () => new ValueFault('list_invalid', 'Write a group as a JSON object, and a list of them as a JSON array.'),
    format: (value) => JSON.stringify(value),
    ...PLAIN_JSON,
  },
});

export function isGroup(value: unknown): value is Group {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

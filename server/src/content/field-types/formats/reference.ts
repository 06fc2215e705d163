import { escapeFormula, unescapeFormula } from '../../../shared/csv.ts';
import { parseId } from '../../../shared/ids.ts';
import { defineFieldType, EQUALITY_OPERATORS, PLAIN_JSON, quoted, ValueFault } from '../field-type.ts';
import { exactRange } from '../sort-key.ts';

/** The ID of another entry. It is kept even if that entry is deleted; its sort key is the UUID. */
export const reference = defineFieldType<string>({
  description:
    'the ID of an entry of one of the collections in `collectionIds`; `expand` returns the entry in its place',
  sdkType: { read: '$references', write: 'string' },
  structure: 'reference',
  acceptsEmptyText: false,
  isSearchable: false,
  isSortable: false,
  isImportKey: false,
  operators: EQUALITY_OPERATORS,
  validation: [],
  check(value, context) {
    // What `expand` returned can be written back.
    const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : value;
    if (typeof id !== 'string') return context.fault('type', `${quoted(context)} must be the ID of an entry.`);
    if (parseId('ent', id) === undefined) {
      return context.fault('reference_unknown', `${quoted(context)} must be the ID of an existing entry.`);
    }
    // An entry keeps a reference whose target was deleted since.
    if (!context.wasStored(id)) context.useEntry(id);
    return id;
  },
  parseOperand: (operand, field) =>
    parseId('ent', operand) !== undefined
      ? operand
      : new ValueFault('value_invalid', `${quoted({ field })} must be the ID of an entry.`),
  sortKey: (id) => id,
  sortRange: exactRange,
  filterBits: null,
  csv: { parse: (cell) => unescapeFormula(cell.trim()), format: escapeFormula, ...PLAIN_JSON },
});

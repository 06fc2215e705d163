import { Type } from 'typebox';
import { escapeFormula, unescapeFormula } from '../../../shared/csv.ts';
import { parseId } from '../../../shared/ids.ts';
import { LIMITS } from '../../limits.ts';
import { defineFieldType, defineSetting, EQUALITY_OPERATORS, PLAIN_JSON, quoted, ValueFault } from '../field-type.ts';
import { exactRange } from '../sort-key.ts';

const description =
  'Of the format `reference`: the collections whose entries can be referenced, by ID or key; returned as IDs. Of the format ' +
  '`richtext`: those whose entries its links can lead to, with `entry:ent_…` as `href`';

export const collectionIdsSchema = Type.Array(Type.String(), {
  minItems: 1,
  maxItems: LIMITS.referencedCollections,
  description,
});
/** An empty list: links lead to no entries. */
export const sentCollectionIds = Type.Array(Type.String(), {
  title: 'ReferencedCollections',
  maxItems: LIMITS.referencedCollections,
  description,
});
const collectionIds = defineSetting<string[]>({
  schema: collectionIdsSchema,
  sent: sentCollectionIds,
  merge(sent, known, { fault }) {
    const merged = [...new Set(sent ?? known ?? [])];
    if (merged.length === 0) fault('required', 'A reference needs the collections whose entries it can reference.');
    return merged;
  },
});

export const onDelete = defineSetting<'keep' | 'refuse'>({
  schema: Type.Enum(['refuse'], {
    description:
      'Of the formats `reference` and `richtext`: `refuse` if a referenced entry cannot be deleted, else absent',
  }),
  sent: Type.Enum(['keep', 'refuse'], {
    title: 'ReferenceOnDelete',
    description:
      'Of the formats `reference` and `richtext`: whether an entry can be deleted while it is referenced. `keep`, the default, keeps the ' +
      'references, which apply again when the entry is restored; `refuse` returns `entry_referenced`',
  }),
  merge: (sent, known) => ((sent ?? known) === 'refuse' ? 'refuse' : undefined),
});

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
  settings: { collectionIds, onDelete },
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

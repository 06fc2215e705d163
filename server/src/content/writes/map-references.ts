import { type Collection, fieldsOfRow, type NestedField } from '../collections/collection.ts';
import type { Values } from '../entries/check-values.ts';
import { isGroup } from '../field-types/group.ts';
import { typeOf } from '../field-types/index.ts';

/** What becomes of one reference in sent values. */
type MapReference = (value: unknown, field: NestedField, pointer: string) => unknown;

/** Sent values with other references; values without any are returned as they are. */
export function mapReferences(collection: Collection, sent: Values, map: MapReference): Values {
  return collection.hasReferences ? mapFields(collection.fields, sent, '/values', map) : sent;
}

function mapFields(fields: readonly NestedField[], sent: Values, pointer: string, map: MapReference): Values {
  const mapped: Values = { ...sent };
  for (const field of fields) {
    if (!Object.hasOwn(sent, field.id)) continue;
    const { structure } = typeOf(field);
    if (structure !== 'reference' && structure !== 'fields') continue;
    const at = `${pointer}/${field.id}`;
    const one = (value: unknown, where: string) => {
      if (structure === 'reference') return map(value, field, where);
      return isGroup(value) ? mapFields(fieldsOfRow(field, value), value, where, map) : value;
    };
    const value = sent[field.id];
    mapped[field.id] = Array.isArray(value) ? value.map((item, i) => one(item, `${at}/${i}`)) : one(value, at);
  }
  return mapped;
}

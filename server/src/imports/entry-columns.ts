import {
  type Collection,
  type Field,
  isActive,
  isSystemField,
  type NestedField,
  typeOf,
  type Values,
} from '../content/index.ts';

/** What a column of a file holds: a field, or a field of a group that is not repeated. */
export interface EntryColumn {
  /** `price` or `seo.title`. */
  name: string;
  field: Field;
  nested: NestedField | undefined;
}

/** Every column that a file of the collection's entries can have, in order. */
export function entryColumns(collection: Collection): EntryColumn[] {
  return collection.fields
    .filter((field) => isActive(field) && !isSystemField(field))
    .flatMap((field): EntryColumn[] => {
      if (typeOf(field).structure !== 'fields' || field.repeated) return [{ name: field.id, field, nested: undefined }];
      return (field.fields ?? [])
        .filter(isActive)
        .map((nested) => ({ name: `${field.id}.${nested.id}`, field, nested }));
    });
}

/** The field that defines the type of the column's cells. */
export const cellField = ({ field, nested }: EntryColumn): NestedField => nested ?? field;

/** The column's value in an entry; undefined if there is none. */
export function valueAt(values: Values, { field, nested }: EntryColumn): unknown {
  const value = Object.hasOwn(values, field.id) ? values[field.id] : undefined;
  if (nested === undefined || value === undefined) return value;
  const group = value as Values;
  return Object.hasOwn(group, nested.id) ? group[nested.id] : undefined;
}

export type SystemColumn = 'id' | 'createdAt' | 'updatedAt' | 'publishedVersion' | 'publishedAt';

/** The heading of a column that is not a field, prefixed with `_` if a field has the same id. */
export const systemColumn = (collection: Collection, name: SystemColumn) =>
  collection.byId.has(name) ? `_${name}` : name;

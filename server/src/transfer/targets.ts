import { type Collection, type Field, isActive, type NestedField, type Values } from '../content/index.ts';

/** Where a cell belongs: a field, or a field of a group that is not repeated. Its name is `price` or `seo.title`. */
export interface Target {
  name: string;
  field: Field;
  nested: NestedField | undefined;
}

/** What a file of entries can have a column for, in its order. */
export function targetsOf(collection: Collection): Target[] {
  return collection.fields.filter(isActive).flatMap((field): Target[] => {
    if (field.type !== 'group' || field.repeated) return [{ name: field.id, field, nested: undefined }];
    return (field.fields ?? []).filter(isActive).map((nested) => ({ name: `${field.id}.${nested.id}`, field, nested }));
  });
}

/** The field whose rules a cell has to follow. */
export const typedBy = ({ field, nested }: Target): NestedField => nested ?? field;

/** The value of an entry that belongs into the column; undefined where it has none. */
export function valueAt(values: Values, { field, nested }: Target): unknown {
  const value = Object.hasOwn(values, field.id) ? values[field.id] : undefined;
  if (nested === undefined || value === undefined) return value;
  const group = value as Values;
  return Object.hasOwn(group, nested.id) ? group[nested.id] : undefined;
}

/** What the service itself knows of an entry is called so, with a `_` in front where a field has that name. */
export const systemName = (collection: Collection, name: 'id' | 'createdAt' | 'updatedAt') =>
  collection.byId.has(name) ? `_${name}` : name;

import type { Collection, Entry, Field } from '@headwater/sdk';
import { fieldTypeOf, formatValue, isActive } from '../field-types/index.ts';
import { fallbackTitle } from './fallback-title.ts';

/** The field that titles entries: the title field of the collection, else its first text field. */
export function titleFieldOf({ fields, displayFieldId }: Collection): Field | undefined {
  const active = fields.filter(isActive);
  return active.find(({ id }) => id === displayFieldId) ?? active.find((field) => fieldTypeOf(field).isDefaultTitle);
}

/** An entry that is only translated has the title of its first translation. */
export function entryTitle(collection: Collection, { values, id }: Entry): string {
  const field = titleFieldOf(collection);
  const untitled = collection.singleton ? collection.name : fallbackTitle(id);
  if (!field) return untitled;
  const translations = Object.keys(values).filter((name) => name.startsWith(`${field.id}@`));
  const titles = [field.id, ...translations].map((name) => formatValue(field, values[name]));
  return titles.find(Boolean) ?? untitled;
}

import type { Values } from './check-values.ts';
import { type Collection, type Field, isActive, type NestedField } from './collection.ts';
import { fold } from './fold.ts';
import { MISSING, sortKey } from './sort-key.ts';

/** The sort keys of an entry by field key; a repeated field has a list. A field without a value is absent. */
export type Keys = Record<string, string | string[]>;

/** A row of `entry_index`, but for account and entry. */
export type IndexRow = readonly [fieldKey: number, sortKey: string];

export function keysOf(collection: Collection, values: Values): Keys {
  const keys: Keys = {};
  for (const field of collection.fields) {
    const value = values[field.id];
    if (value === undefined || !Object.hasOwn(values, field.id)) continue;
    if (!field.repeated) keys[field.key] = sortKey(field.type, value);
    // Of a group only its presence is asked, however many there are.
    else if ((value as unknown[]).length > 0) {
      keys[field.key] = [...new Set((value as unknown[]).map((each) => sortKey(field.type, each)))];
    }
  }
  return keys;
}

/** The rows by which `entry_index` knows an entry: one for each value, and one for each of `fields` without. */
export function rowsOf(keys: Keys, fields: readonly Field[]): IndexRow[] {
  return fields.flatMap(({ key }) => [keys[key] ?? MISSING].flat().map((sortKey): IndexRow => [key, sortKey]));
}

/** What rows to take out, to put in and to leave, so that those of `before` become those of `now`. */
export function changedRows(before: IndexRow[], now: IndexRow[]): Record<'gone' | 'come' | 'stay', IndexRow[]> {
  const name = ([fieldKey, sortKey]: IndexRow) => `${fieldKey} ${sortKey}`;
  const [old, fresh] = [new Set(before.map(name)), new Set(now.map(name))];
  return {
    gone: before.filter((row) => !fresh.has(name(row))),
    come: now.filter((row) => !old.has(name(row))),
    stay: now.filter((row) => old.has(name(row))),
  };
}

// The text of an entry is made of sections, one for each text field: BEGIN, the field's key, INNER, its values with
// BETWEEN between them, and BEGIN again. Folded text has no control characters, so nothing that is searched for can be
// found in a mark, or across two values; the digits of the key are control characters as well.
const BEGIN = '\u0002';
const INNER = '\u0003';
const BETWEEN = '\u0004';

/** What a field's section begins with in the text of an entry; it ends where `SECTION_END` is next. */
export function sectionMark(fieldKey: number): string {
  const digits = String(fieldKey).replace(/\d/g, (digit) => String.fromCharCode(14 + Number(digit)));
  return BEGIN + digits + INNER;
}
export const SECTION_END = BEGIN;

/** The folded text of all text fields of an entry, those in groups and deleted ones included; undefined where there is none. */
export function textOf(collection: Collection, values: Values): string | undefined {
  const sections: string[] = [];
  const add = (field: NestedField, owners: unknown[]) => {
    const texts = owners
      .filter((owner) => Object.hasOwn(owner as Values, field.id))
      .flatMap((owner) => (owner as Values)[field.id] as string | string[]);
    if (texts.length > 0) sections.push(sectionMark(field.key) + texts.map(fold).join(BETWEEN));
  };
  for (const field of collection.fields) {
    if (field.type === 'text') add(field, [values]);
    if (field.type !== 'group' || !Object.hasOwn(values, field.id)) continue;
    const groups = [values[field.id]].flat();
    for (const nested of field.fields ?? []) if (nested.type === 'text') add(nested, groups);
  }
  return sections.length > 0 ? sections.join('') + SECTION_END : undefined;
}

/** The keys of the text fields that can be searched, those in groups included. */
export function searchedFields(collection: Collection): { active: number[]; hasDeleted: boolean } {
  const texts = collection.fields.flatMap((field) => {
    const inside = (field.fields ?? []).map((nested) => ({ ...nested, live: isActive(field) && isActive(nested) }));
    return [{ ...field, live: isActive(field) }, ...inside].filter(({ type }) => type === 'text');
  });
  return {
    active: texts.filter(({ live }) => live).map(({ key }) => key),
    hasDeleted: texts.some(({ live }) => !live),
  };
}

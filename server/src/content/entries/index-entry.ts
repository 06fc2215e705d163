import { type Collection, type Field, isActive, type NestedField } from '../collections/collection.ts';
import { fold } from '../field-types/fold.ts';
import { typeOf } from '../field-types/index.ts';
import { MISSING } from '../field-types/sort-key.ts';
import type { FieldKeys } from '../listing/filter-sql.ts';
import type { Values } from './check-values.ts';

/** The sort keys of an entry by field key; a list for a repeated field. A field without a value is absent. */
export type SortKeys = Record<string, string | string[]>;

/** A row of `entry_index`, except for account and entry. */
export interface IndexRow {
  field_key: number;
  sort_key: string;
}

export function sortKeysOf(collection: Collection, values: Values): SortKeys {
  const keys: SortKeys = {};
  for (const field of collection.fields) {
    const value = values[field.id];
    if (value === undefined || !Object.hasOwn(values, field.id)) continue;
    const type = typeOf(field);
    if (type.structure === 'fields') addNestedReferences(keys, field, [value].flat() as Values[]);
    if (!field.repeated) keys[field.key] = type.sortKey(value);
    else if ((value as unknown[]).length > 0) {
      keys[field.key] = [...new Set((value as unknown[]).map((item) => type.sortKey(item)))];
    }
  }
  return keys;
}

/** References in groups are indexed as well, so that the usages of an entry can be found. */
function addNestedReferences(keys: SortKeys, { fields }: Field, groups: readonly Values[]): void {
  for (const { id, key } of (fields ?? []).filter(isReference)) {
    const ids = groups.flatMap((group) => (Object.hasOwn(group, id) ? (group[id] as string) : []));
    if (ids.length > 0) keys[key] = [...new Set(ids)];
  }
}

const isReference = (field: NestedField) => typeOf(field).structure === 'reference';

/**
 * The rows of an entry in `entry_index`: one for each value, and one for each of `fields` without a value; of the fields in
 * groups only references, where they have values.
 */
export function indexRowsOf(keys: SortKeys, fields: readonly Field[]): IndexRow[] {
  const rows: IndexRow[] = [];
  for (const { key, fields: nested } of fields) {
    for (const sort_key of [keys[key] ?? MISSING].flat()) rows.push({ field_key: key, sort_key });
    for (const each of nested ?? []) {
      for (const sort_key of [keys[each.key] ?? []].flat()) rows.push({ field_key: each.key, sort_key });
    }
  }
  return rows;
}

/** Which rows to delete, insert and keep in order to turn the rows `before` into the rows `after`. */
export function diffIndexRows(
  before: IndexRow[],
  after: IndexRow[],
): Record<'deleted' | 'inserted' | 'kept', IndexRow[]> {
  const kept: IndexRow[] = [];
  const [old, current] = [new Map<string, IndexRow>(), new Map<string, IndexRow>()];
  const name = ({ field_key, sort_key }: IndexRow) => `${field_key} ${sort_key}`;
  // Most rows are the same at the same position, which is found without names.
  for (let i = 0; i < Math.max(before.length, after.length); i++) {
    const [a, b] = [before[i], after[i]];
    if (a && b && a.field_key === b.field_key && a.sort_key === b.sort_key) kept.push(b);
    else {
      if (a) old.set(name(a), a);
      if (b) current.set(name(b), b);
    }
  }
  for (const [key, row] of current) {
    if (!old.delete(key)) continue;
    current.delete(key);
    kept.push(row);
  }
  return { deleted: [...old.values()], inserted: [...current.values()], kept };
}

// The search text of an entry consists of sections, one for each text field: START, the field's key, CONTENT, its values
// separated by SEPARATOR, and START again. Folded text has no control characters, so a search never matches a delimiter or
// spans two values; the digits of the key are written as control characters, too.
const START = '\u0002';
const CONTENT = '\u0003';
const SEPARATOR = '\u0004';

/** What the section of a field starts with in the search text; it ends at the next `SECTION_END`. */
export function sectionStart(fieldKey: number): string {
  const digits = String(fieldKey).replace(/\d/g, (digit) => String.fromCharCode(14 + Number(digit)));
  return START + digits + CONTENT;
}
export const SECTION_END = START;

/** The folded text of all text fields of an entry, including nested and deleted ones; undefined if there is none. */
export function searchTextOf(collection: Collection, values: Values): string | undefined {
  const sections: string[] = [];
  const add = (field: NestedField, owners: unknown[]) => {
    const texts = owners
      .filter((owner) => Object.hasOwn(owner as Values, field.id))
      .flatMap((owner): unknown => (owner as Values)[field.id]);
    const { textOf } = typeOf(field);
    const folded = texts.map((text) => fold(textOf ? textOf(text) : (text as string)));
    if (texts.length > 0) sections.push(sectionStart(field.key) + folded.join(SEPARATOR));
  };
  for (const field of collection.fields) {
    if (typeOf(field).isSearchable) add(field, [values]);
    if (typeOf(field).structure !== 'fields' || !Object.hasOwn(values, field.id)) continue;
    const groups = [values[field.id]].flat();
    for (const nested of field.fields ?? []) if (typeOf(nested).isSearchable) add(nested, groups);
  }
  return sections.length > 0 ? sections.join('') + SECTION_END : undefined;
}

/**
 * The keys of the active text fields, including nested ones, each followed by those of its fallbacks in the view of a locale, and
 * whether there are deleted ones.
 */
export function searchableFields(collection: Collection): { active: FieldKeys[]; hasDeleted: boolean } {
  const active: FieldKeys[] = [];
  let hasDeleted = false;
  for (const field of collection.fields) {
    const fallbacks = field.sources?.slice(1) ?? [];
    for (const each of [field, ...(field.fields ?? [])]) {
      if (!typeOf(each).isSearchable) continue;
      const same = (fallback: Field) =>
        each === field ? fallback.key : (fallback.fields?.find(({ id }) => id === each.id)?.key ?? each.key);
      if (isActive(field) && isActive(each)) active.push([each.key, ...fallbacks.map(same)]);
      else hasDeleted = true;
    }
  }
  return { active, hasDeleted };
}

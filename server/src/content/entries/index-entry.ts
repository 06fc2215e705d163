import {
  type Collection,
  everyField,
  type Field,
  fieldsOfRow,
  isActive,
  membersOf,
  type NestedField,
} from '../collections/collection.ts';
import { fold } from '../field-types/fold.ts';
import { sortsAlike, typeOf } from '../field-types/index.ts';
import { indexKeyOf, MISSING } from '../field-types/sort-key.ts';
import type { Values } from './check-values.ts';

/** How an entry is indexed. What was written otherwise is written again; see `reindex-entries.ts`. */
export const INDEX_FORMAT = 3;

/**
 * The sort keys of a set of values by field key, those in groups included; a list for a field that is repeated or in a repeated
 * group. A field without a value is absent.
 */
export interface SortKeys {
  [fieldKey: number]: string | string[];
  /** The rows of repeated groups, by the group's key. */
  rows?: Record<number, RowKeys[]>;
  /** The entries that texts link to, by the key of the field; absent if there are none. */
  links?: Record<number, string[]>;
  /** 2: final forms of letters and their like have places of their own. Absent: in addition, only references in groups have keys. */
  format?: 2 | typeof INDEX_FORMAT;
}

/** The sort keys of a row of a repeated group. */
interface RowKeys extends SortKeys {
  /** Its number among all rows of the entry, which its texts have, too. */
  n: number;
  /** The ID of its type of block. */
  block?: string;
}

/** A row of `entry_index`, except for account and entry. */
export interface IndexRow {
  field_key: number;
  sort_key: string;
}

/** Visits a set of values: its fields and the rows of its repeated groups, which are numbered in this order. */
class Walk {
  #rows = 0;
  readonly links: Record<number, string[]> = {};
  readonly #onText: ((field: NestedField, value: unknown, row: number | undefined) => void) | undefined;

  constructor(onText?: (field: NestedField, value: unknown, row: number | undefined) => void) {
    this.#onText = onText;
  }

  keysOf(fields: readonly NestedField[], values: Values, row?: number): SortKeys {
    const keys: SortKeys = {};
    for (const field of fields) this.#add(keys, field, values, row);
    return keys;
  }

  #add(keys: SortKeys, field: NestedField, values: Values, row: number | undefined): void {
    const value = values[field.id];
    if (value === undefined || value === null || !Object.hasOwn(values, field.id)) return;
    const type = typeOf(field);
    const items = field.repeated ? (value as unknown[]) : [value];
    if (type.isSearchable) for (const item of items) this.#onText?.(field, item, row);
    if (type.structure === 'fields') this.#addGroups(keys, field, items as Values[], row);
    const links = type.otherKeys ? items.flatMap((item) => type.otherKeys?.(item) ?? []) : [];
    if (links.length > 0) this.links[field.key] = [...new Set([...(this.links[field.key] ?? []), ...links])];
    if (!field.repeated) keys[field.key] = type.sortKey(value);
    else if (type.structure === 'fields' && items.length > 0) keys[field.key] = [type.sortKey(items[0])];
    else if (items.length > 0) keys[field.key] = items.map((item) => type.sortKey(item));
  }

  #addGroups(keys: SortKeys, field: NestedField, groups: readonly Values[], row: number | undefined): void {
    if (!field.repeated) {
      for (const group of groups) {
        const { rows, ...own } = this.keysOf(fieldsOfRow(field, group), group, row);
        Object.assign(keys, own);
        if (rows) keys.rows = { ...keys.rows, ...rows };
      }
      return;
    }
    const all = groups.map((group): RowKeys => {
      const n = ++this.#rows;
      const own = this.keysOf(fieldsOfRow(field, group), group, n);
      return { ...own, n, ...(field.blocks && { block: String(group._block) }) };
    });
    if (all.length > 0) keys.rows = { ...keys.rows, [field.key]: all };
    // A field in several rows has all of their values.
    for (const { n: _, block: __, rows, ...own } of all) {
      for (const [key, some] of Object.entries(own) as unknown as [number, string | string[]][]) {
        keys[key] = [keys[key] ?? [], some].flat();
      }
      for (const [key, some] of Object.entries(rows ?? {}) as unknown as [number, RowKeys[]][]) {
        keys.rows = { ...keys.rows, [key]: [...(keys.rows?.[key] ?? []), ...some] };
      }
    }
  }
}

export function sortKeysOf(collection: Collection, values: Values): SortKeys {
  const walk = new Walk();
  const keys = walk.keysOf(collection.fields, values);
  return { ...keys, ...(Object.keys(walk.links).length > 0 && { links: walk.links }), format: INDEX_FORMAT };
}

/**
 * The rows of an entry in `entry_index`: one for each place that its values have in the order of a field, and one for each of
 * `fields` without a value; of the fields in groups only where they have values.
 */
export function indexRowsOf(keys: SortKeys, fields: readonly Field[]): IndexRow[] {
  const isFormer = keys.format === undefined;
  const rows: IndexRow[] = [];
  const add = (field: NestedField, found: string | string[]) => {
    for (const sort_key of keys.links?.[field.key] ?? []) rows.push({ field_key: field.key, sort_key });
    const isCut = !isFormer && sortsAlike(field);
    if (typeof found === 'string') rows.push({ field_key: field.key, sort_key: isCut ? indexKeyOf(found) : found });
    else {
      for (const sort_key of new Set(isCut ? found.map(indexKeyOf) : found))
        rows.push({ field_key: field.key, sort_key });
    }
  };
  for (const field of fields) {
    add(field, keys[field.key] ?? MISSING);
    if (!field.fields && !field.blocks) continue;
    for (const member of everyField(membersOf(field))) add(member, keys[member.key] ?? []);
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
// separated by SEPARATOR, and START again. A value in a row of a repeated group is followed by ROW and the row's number. Folded
// text has no control characters, so a search never matches a delimiter or spans two values; the digits of numbers are written as
// control characters, too.
const START = '\u0002';
const CONTENT = '\u0003';
/** Between two values of a section. */
export const SEPARATOR = '\u0004';
/** Between a value and the number of its row. */
export const ROW = '\u0005';
/** The digits of numbers in the search text. */
export const DIGITS = '\u000e\u000f\u0010\u0011\u0012\u0013\u0014\u0015\u0016\u0017';
const ZERO = DIGITS.charCodeAt(0);

const digitsOf = (number: number) =>
  String(number).replace(/\d/g, (digit) => String.fromCharCode(ZERO + Number(digit)));

/** What the section of a field starts with in the search text; it ends at the next `SECTION_END`. */
export function sectionStart(fieldKey: number): string {
  return START + digitsOf(fieldKey) + CONTENT;
}
export const SECTION_END = START;

/** The folded text of all text fields of an entry, including nested and deleted ones; undefined if there is none. */
export function searchTextOf(collection: Collection, values: Values): string | undefined {
  const sections = new Map<number, string[]>();
  const walk = new Walk((field, value, row) => {
    const { textOf } = typeOf(field);
    const folded = fold(textOf ? textOf(value) : (value as string));
    const texts = sections.get(field.key) ?? [];
    if (texts.push(row === undefined ? folded : folded + ROW + digitsOf(row)) === 1) sections.set(field.key, texts);
  });
  walk.keysOf(collection.fields, values);
  if (sections.size === 0) return undefined;
  return [...sections].map(([key, texts]) => sectionStart(key) + texts.join(SEPARATOR)).join('') + SECTION_END;
}

/** The texts of the active text fields of an entry, including nested ones. */
export function textsOf(collection: Collection, values: Values): { field: NestedField; text: string }[] {
  const texts: { field: NestedField; text: string }[] = [];
  const walk = new Walk((field, value) => {
    const { textOf } = typeOf(field);
    if (isActive(field)) texts.push({ field, text: textOf ? textOf(value) : (value as string) });
  });
  const { active } = searchableFields(collection);
  const keys = new Set(active.map(([key]) => key));
  walk.keysOf(collection.fields, values);
  return texts.filter(({ field }) => keys.has(field.key));
}

/** The key of a field; in the view of a locale followed by those of its fallbacks. */
export type FieldKeys = readonly [number, ...number[]];

/**
 * The keys of the active text fields, including nested ones, each followed by those of its fallbacks in the view of a locale, and
 * whether there are deleted ones.
 */
export function searchableFields(collection: Collection): { active: FieldKeys[]; hasDeleted: boolean } {
  const active: FieldKeys[] = [];
  let hasDeleted = false;
  const visit = (field: NestedField, fallbacks: readonly NestedField[], isShown: boolean) => {
    const isShownToo = isShown && isActive(field);
    if (typeOf(field).isSearchable) {
      if (isShownToo) active.push([field.key, ...fallbacks.map(({ key }) => key)]);
      else hasDeleted = true;
    }
    const others = fallbacks.map(membersOf);
    const archived = new Set(field.blocks?.filter((block) => !isActive(block)).flatMap(({ fields }) => fields));
    for (const [i, member] of membersOf(field).entries()) {
      // A translation has the same members in the same order.
      visit(
        member,
        others.flatMap((members) => members[i] ?? []),
        isShownToo && !archived.has(member),
      );
    }
  };
  for (const field of collection.fields) visit(field, field.sources?.slice(1) ?? [], true);
  return { active, hasDeleted };
}

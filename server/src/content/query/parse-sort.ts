import type { Fault } from '../../shared/errors.ts';
import type { Collection } from '../collections/collection.ts';
import type { Field } from '../collections/field.ts';
import { typeOf } from '../field-types/index.ts';
import { LIMITS } from '../limits.ts';
import type { Reader } from './parse-where.ts';
import { findPlace, hintOf, ownerOf } from './paths.ts';
import type { SystemColumn } from './where.ts';

/** A key that entries are sorted by. */
export interface SortKey {
  by:
    | { kind: 'system'; column: SystemColumn }
    /** How well the entry matches the words of a search. */
    | { kind: 'relevance'; words: readonly string[] }
    | {
        kind: 'field';
        field: Field;
        /** Where its value is, for each of its sources. */
        names: readonly (readonly string[])[];
        /** The reference that leads to the entry with the field; none for the entry itself. */
        path: readonly { field: Field; names: readonly (readonly string[])[] }[];
        /** Of the entry that has the field, by collection (UUID). */
        fields?: ReadonlyMap<string, { field: Field; names: readonly (readonly string[])[] }>;
        /** The collections of these entries, as they are read. */
        views?: readonly Collection[];
      }
    /** A column of a referenced entry. */
    | {
        kind: 'target';
        column: TargetColumn;
        path: readonly { field: Field; names: readonly (readonly string[])[] }[];
      };
  descending: boolean;
}

export type TargetColumn = 'id' | 'createdAt' | 'updatedAt';
const TARGET_COLUMNS: readonly string[] = ['id', 'createdAt', 'updatedAt'] satisfies TargetColumn[];

/** Parses `a:asc,b.c:desc`, or `relevance`. @param words of `q` @returns undefined for the default order */
export async function parseSort(
  collection: Collection,
  sort: string | undefined,
  faults: Fault[],
  reader: Reader,
  words: readonly string[] = [],
): Promise<SortKey[] | undefined> {
  if (sort === undefined) return undefined;
  const fault = (code: string, detail: string): undefined => {
    faults.push({ pointer: '?sort', code, detail });
  };
  const parts = sort.split(',').map((part) => part.trim());
  if (parts.length > LIMITS.sortKeys) return fault('too_many', `A query has at most ${LIMITS.sortKeys} sort keys.`);
  const keys: SortKey[] = [];
  for (const part of parts) {
    if (part === 'relevance') {
      if (words.length > 0) keys.push({ by: { kind: 'relevance', words }, descending: true });
      else fault('sort_invalid', 'Only a search with q can be sorted by relevance.');
      continue;
    }
    const [, path = '', direction] = /^([^:]*):(asc|desc)$/.exec(part) ?? [];
    if (direction === undefined) {
      fault(
        'sort_invalid',
        'Write sort as <fieldId>:asc or <fieldId>:desc, several separated by commas; or relevance, with q.',
      );
      continue;
    }
    const by = await parseKey(collection, path.split('.'), fault, reader, 0);
    if (by) keys.push({ by, descending: direction === 'desc' });
  }
  return keys;
}

async function parseKey(
  collection: Collection,
  path: readonly string[],
  fault: (code: string, detail: string) => undefined,
  reader: Reader,
  references: number,
): Promise<SortKey['by'] | undefined> {
  const place = findPlace(ownerOf(collection, reader.isPublic), path);
  switch (place.kind) {
    case 'system':
      return { kind: 'system', column: place.column };
    case 'unknown':
      return fault(
        'field_unknown',
        `There is no active field with the ID "${place.name.slice(0, 100)}".${hintOf(place)}`,
      );
    case 'rows':
      return fault('field_not_sortable', `Entries cannot be sorted by "${place.field.label}". ${NOT_SORTABLE}`);
    case 'field': {
      const { field, names } = place;
      // In a locale, by the values of the locale alone, as the index has them.
      const own = names.slice(0, 1);
      if (!field.repeated && typeOf(field).isSortable) return { kind: 'field', field, names: own, path: [] };
      return fault('field_not_sortable', `Entries cannot be sorted by "${field.label}". ${NOT_SORTABLE}`);
    }
    case 'reference': {
      const { field, rest } = place;
      if (references > 0) return fault('too_deep', 'Entries can be sorted by fields one reference away.');
      if (field.repeated)
        return fault('field_not_sortable', `Entries cannot be sorted by "${field.label}". ${NOT_SORTABLE}`);
      const fields = new Map<string, { field: Field; names: readonly (readonly string[])[] }>();
      const faults: [string, string][] = [];
      let column: TargetColumn | undefined;
      const views = await reader.load(field.collectionIds ?? []);
      for (const view of views) {
        const note = (code: string, detail: string): undefined => void faults.push([code, detail]);
        const found = await parseKey(view, rest, note, reader, 1);
        if (found?.kind === 'field') fields.set(view.id, found);
        else if (found?.kind === 'system' && TARGET_COLUMNS.includes(found.column))
          column = found.column as TargetColumn;
        else if (found) faults.push(['field_not_sortable', `Entries cannot be sorted by "${rest.join('.')}".`]);
      }
      const names = pathTo(collection, path, rest);
      if (column !== undefined && fields.size === 0) return { kind: 'target', column, path: [{ field, names }] };
      const [first] = fields.values();
      if (!first)
        return fault(...(faults[0] ?? ['field_unknown', `"${field.label}" leads to no entries that can be read.`]));
      return { kind: 'field', ...first, path: [{ field, names }], fields, views };
    }
  }
}

/** Where the reference is that a path leads through. */
const pathTo = (collection: Collection, path: readonly string[], rest: readonly string[]) => {
  const own = path.slice(0, path.length - rest.length).filter((name, i) => !(i === 0 && name === 'values'));
  const [first = '', ...others] = own;
  const sources = collection.byId.get(first)?.sources?.map(({ id }) => id) ?? [collection.byId.get(first)?.id ?? first];
  return sources.map((id) => [id, ...others]);
};

export const NOT_SORTABLE = 'Repeated fields, groups and assets have no order.';

import type { Collection } from '../collections/collection.ts';
import type { NestedField } from '../collections/field.ts';

/** What the names of a GraphQL schema stand for. */
export interface Registry {
  /** By the name of an object type: its fields by their names. */
  fields: Map<string, ReadonlyMap<string, NestedField>>;
  /** By the name of the type of a block: its ID. */
  blocks: Map<string, string>;
  /** By public ID: the types of the entries of collections. */
  entries: Map<string, string>;
  /** By the name of an input type: what its members compare. */
  filters: Map<string, ReadonlyMap<string, FilterMember>>;
  /** By the name of a field that has entries: the name of their type, if they are all of one collection. */
  collections: Map<string, Collection>;
}

export interface FilterMember {
  /** Of the path that a condition names. */
  id: string;
  kind: 'value' | 'group' | 'rows' | 'reference';
  /** The name of the input type of a group, of rows, or of referenced entries. */
  within?: string | undefined;
}

export const newRegistry = (): Registry => ({
  fields: new Map(),
  blocks: new Map(),
  entries: new Map(),
  filters: new Map(),
  collections: new Map(),
});

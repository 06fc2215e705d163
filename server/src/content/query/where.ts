import type { Collection } from '../collections/collection.ts';
import type { Field } from '../collections/field.ts';
import type { KeyRanges } from '../listing/key-ranges.ts';

/** Columns of an entry that a query can name. */
export type SystemColumn = 'id' | 'createdAt' | 'updatedAt' | 'publishedAt' | 'version';

/**
 * What an entry of a collection with publishing is: a draft that is not published, published without changes since, or with some. Besides,
 * it can wait for the time of a release.
 */
export const PUBLISHING_STATES = ['draft', 'published', 'changed', 'scheduled'] as const;
export type PublishingState = (typeof PUBLISHING_STATES)[number];

/** How a text is compared, with case and accents ignored. */
export type TextMatch = 'contains' | 'startsWith' | 'endsWith' | 'equals';

/** A condition on an entry, or on a row of it, checked against the collection as its reader may see it. */
export type Where =
  | { kind: 'and' | 'or'; items: readonly Where[] }
  | { kind: 'not'; item: Where }
  /** A key of the field is in `ranges`; with `negated`, none is. */
  | { kind: 'keys'; field: Field; ranges: KeyRanges; negated: boolean }
  /** A value of the field. */
  | { kind: 'text'; field: Field; match: TextMatch; text: string }
  /** A place within a distance of another. @property path where its value is, for each of its sources */
  | { kind: 'near'; paths: readonly (readonly string[])[]; lat: number; lng: number; metres: number }
  | { kind: 'system'; column: SystemColumn; operator: 'eq' | 'lt' | 'lte' | 'gt' | 'gte' | 'present'; value: string }
  /** It is published, changed since, or a scheduled release has it. */
  | { kind: 'publishing'; state: PublishingState }
  /** It is published in one of these locales. @property includesUnnamed or without naming any */
  | { kind: 'shown'; locales: readonly string[]; includesUnnamed: boolean }
  /** A value of a repeated field that fulfils all of these. */
  | { kind: 'value'; field: Field; items: readonly Where[] }
  /** A row of a repeated group. @property block the type of its rows, of a field with blocks */
  | { kind: 'row'; field: Field; block: string | undefined; where: Where }
  /** A referenced entry that matches, of any of these collections. */
  | { kind: 'reference'; field: Field; targets: readonly Target[] };

export interface Target {
  /** As its entries are read. */
  view: Collection;
  where: Where;
}

export const ALL: Where = { kind: 'and', items: [] };
export const NONE: Where = { kind: 'or', items: [] };

export const and = (items: readonly Where[]): Where =>
  items.length === 1 ? (items[0] ?? ALL) : { kind: 'and', items };

export const not = (item: Where): Where => (item.kind === 'not' ? item.item : { kind: 'not', item });

/** The conditions that all have to hold. */
export const conjuncts = (where: Where): readonly Where[] =>
  where.kind === 'and' ? where.items.flatMap(conjuncts) : [where];

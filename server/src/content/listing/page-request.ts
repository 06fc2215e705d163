import type { Conditions, Scope } from './filter-sql.ts';
import type { KeyRanges } from './key-ranges.ts';

/** The last entry of the previous page. */
export interface Cursor {
  /** Its sort key, or `updated_at` as PostgreSQL writes it. Unused if the order is that of the IDs. */
  key: string;
  id: string;
}

/** Where entries are read in the order of the listing. */
export type Source =
  /** All active entries, by time. */
  | { by: 'created_at' | 'updated_at' }
  /** Entries with a key of the field in `ranges`, by key; then, if requested, those without a value, by ID. */
  | { by: 'key'; fieldKey: number; ranges: KeyRanges; missing: 'none' | 'in index' | 'in entries' }
  /** Entries with one of the keys, by ID, which is the order of creation. */
  | { by: 'id'; fieldKey: number; points: string[] };

export interface PageRequest {
  scope: Scope;
  source: Source;
  descending: boolean;
  conditions: Conditions;
  limit: number;
  cursor: Cursor | undefined;
}

/** Columns of a page's rows, as text. */
export type PageRow = [
  sortKey: string | null,
  entryId: string | null,
  /** Of a bounded walk: how many entries were read up to this one. */
  step: string | null,
  /** `t` or `f`: whether the entry matches. */
  matches: string | null,
  values: string | null,
  version: string | null,
  updatedAt: string | null,
  /** Only in collections with publishing. */
  publishedVersion?: string | null,
  publishedAt?: string | null,
  publishedLocales?: string | null,
];

import { DynamicParameters } from '../../shared/postgres/statement.ts';
import type { Field } from '../collections/field.ts';
import type { FieldKeys } from '../entries/index-entry.ts';
import type { KeyRanges } from './key-ranges.ts';

/** Entries with a key of the field in `ranges`; with `negated`, entries without one. */
export interface KeyFilter {
  field: Field;
  ranges: KeyRanges;
  negated: boolean;
}

/** The collection that is listed, at the version that the statement is made for. */
export interface Scope {
  accountId: string;
  collectionId: string;
  version: number;
  /** In a collection with publishing: whether its drafts are listed or what is published. */
  state?: 'draft' | 'published' | undefined;
}

/** The parameters of a listing statement. */
export class ListingParameters extends DynamicParameters {
  readonly account: string;
  readonly collection: string;
  /** The tables that are read. */
  readonly entries: string;
  readonly texts: string;

  constructor({ accountId, collectionId, state }: Scope) {
    super();
    this.entries = state === 'published' ? 'published_entries' : 'entries';
    this.texts = state === 'published' ? 'published_texts' : 'entry_texts';
    this.account = this.add('uuid', accountId);
    this.collection = this.add('uuid', collectionId);
  }

  /**
   * A table of parameters. The planner assumes ten rows for an array of unknown length, and replans a statement each time
   * because that seems to pay off. So a table of one row, by far the most common, is written without arrays.
   */
  table(name: string, columns: [column: string, type: 'text' | 'uuid', values: string[]][]): string {
    if (columns[0]?.[2].length !== 1) {
      const arrays = columns.map(([, type, values]) => this.add(`${type}[]`, values));
      return `unnest(${arrays.join(', ')}) as ${name} (${columns.map(([column]) => column).join(', ')})`;
    }
    const row = columns.map(([column, type, [value = '']]) => `${this.add(type, value)} as ${column}`);
    return `(select ${row.join(', ')}) as ${name}`;
  }
}

export function keysOf({ key, sources = [] }: Field): FieldKeys {
  return [key, ...sources.slice(1).map((source) => source.key)];
}

/** `MISSING`, written as SQL. */
export const MISSING_SQL = 'chr(1114111)';

// width_bucket tells between which two bounds a key lies: after an odd number of them, it is in a range.
export function keyCondition(
  parameters: ListingParameters,
  { field, ranges, negated }: KeyFilter,
  alias: string,
): string {
  const names = keysOf(field).map((key) => parameters.add('text', String(key)));
  const first = (operator: string) => names.map((name) => `${alias}.sort_keys ${operator} ${name}`).join(', ');
  const isIn = (key: string) => `width_bucket(${key} collate "C", ${parameters.add('text[]', ranges)}) % 2 <> 0`;
  if (!field.repeated) return isIn(`coalesce(${first('->>')}, ${MISSING_SQL})`);
  const keys = `jsonb_array_elements_text(coalesce(${first('->')}, jsonb_build_array(${MISSING_SQL})))`;
  return `${negated ? 'not ' : ''}exists (select from ${keys} as each (key) where ${isIn('each.key')})`;
}

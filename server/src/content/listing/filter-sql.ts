import type { Field } from '../collections/collection.ts';
import { type FieldKeys, SECTION_END, sectionStart } from '../entries/index-entry.ts';
import { sortsAlike } from '../field-types/index.ts';
import type { Where } from '../query/where.ts';
import { whereSql } from '../query/where-sql.ts';
import { allowedBuckets } from './filter-bitmap.ts';
import { bounds, indexRanges } from './key-ranges.ts';
import { type KeyFilter, keyCondition, keysOf, ListingParameters, type Scope } from './key-sql.ts';

/** A statement as it is sent. */
export interface Sql {
  text: string;
  values: unknown[];
}

/** What an entry of a listing must match, besides its position in the order. */
export interface Conditions {
  keys: KeyFilter[];
  contains: { fieldKeys: FieldKeys; text: string }[];
  /** Each must occur in one of the text fields. */
  words: string[];
  /** The text fields in which words are searched; undefined: all of them. */
  wordFields: FieldKeys[] | undefined;
  /** Anything else. */
  where: Where | undefined;
}

/** A filter that can be looked up in an index: rows of `entry_index`, or texts that contain all of these. */
export type IndexLookup =
  | {
      filter: KeyFilter;
      /** Filters of which the bitmaps of the rows are checked. */
      others?: KeyFilter[];
    }
  | { texts: string[] }
  /** What any of these finds. */
  | { any: readonly IndexLookup[] };

export function isEmpty({ keys, contains, words, where }: Conditions): boolean {
  return keys.length + contains.length + words.length === 0 && !where;
}

/** `indexKeyOf`, written as SQL. */
export const indexKeySql = (key: string) =>
  `case when strpos(${key}, chr(1)) > 0 then coalesce(nullif(split_part(${key}, chr(1), 1), ''), chr(1)) else ${key} end`;

// Both conditions below are written with `<>`, which the planner considers true for nearly every row. For `=` it would
// expect hardly any row to pass, read the whole index and start parallel workers for it, which takes 10 ms and more.

/** Conditions on a filter bitmap that are false for entries which cannot match. */
export function bitmapConditions(parameters: ListingParameters, keys: KeyFilter[], bitmap: string): string[] {
  return keys.flatMap(({ field, ranges, negated }) => {
    const allowed = negated ? undefined : allowedBuckets(field, ranges);
    if (allowed === undefined || !field.filterBits) return [];
    const { offset, width } = field.filterBits;
    const mask = parameters.add('bigint', 2 ** width - 1);
    const bucket = `(${bitmap} >> ${parameters.add('integer', offset)}) & ${mask}`;
    return `((${parameters.add('bigint', allowed)} >> (${bucket})::integer) & 1 <> 0) is not false`;
  });
}

/** Whether an entry matches, from its own row `alias` (`sort_keys`, `id`). */
export function entryCondition(parameters: ListingParameters, conditions: Conditions, alias: string): string {
  const all = conditions.keys.map((filter) => keyCondition(parameters, filter, alias));
  const texts = textCondition(parameters, conditions);
  if (texts !== '') {
    all.push(`(select ${texts} from ${parameters.texts} t
      where t.account_id = ${parameters.account} and t.entry_id = ${alias}.id) is true`);
  }
  if (conditions.where) all.push(whereSql(parameters, conditions.where, alias));
  return all.join(' and ');
}

function textCondition(parameters: ListingParameters, { contains, words, wordFields }: Conditions): string {
  const end = () => parameters.add('text', SECTION_END);
  const section = (start: string) => `split_part(split_part(t.text, ${start}, 2), ${end()}, 1)`;
  // Of a field with fallbacks, the first of its sections that the text has.
  const present = (starts: string[]) =>
    starts.length <= 1
      ? (starts[0] ?? '')
      : `coalesce(${starts.map((start) => `case when strpos(t.text, ${start}) > 0 then ${start} end`).join(', ')}, ${starts[0]})`;
  const all = contains.map(({ fieldKeys, text }) => {
    const start = present(fieldKeys.map((key) => parameters.add('text', sectionStart(key))));
    return `${section(start)} like ${parameters.add('text', containsPattern(text))}`;
  });
  if (words.length > 0) {
    // There can be thousands of fields and a hundred words, so both are arrays.
    const patterns = parameters.add('text[]', words.map(containsPattern));
    const depth = Math.max(0, ...(wordFields ?? []).map((keys) => keys.length));
    const columns = Array.from({ length: depth }, (_, i) => `start_${i}`);
    const starts = columns.map((_, i) => {
      const column = (wordFields ?? []).map((keys) => (keys[i] === undefined ? null : sectionStart(keys[i])));
      return parameters.add('text[]', column);
    });
    const sections = `unnest(${starts.join(', ')}) as s (${columns.join(', ')})`;
    const searched =
      wordFields === undefined
        ? 't.text'
        : depth === 0
          ? `''`
          : `(select coalesce(string_agg(${section(present(columns.map((name) => `s.${name}`)))}, ${end()}), '') from ${sections})`;
    all.push(`${searched} like all (${patterns})`);
  }
  return all.join(' and ');
}

/** The `entry_id`s that a lookup finds; those of a repeated field may occur more than once. */
export function lookupRows(parameters: ListingParameters, lookup: IndexLookup): string {
  const { account, collection, texts } = parameters;
  if ('any' in lookup) return lookup.any.map((each) => `(${lookupRows(parameters, each)})`).join(' union all ');
  if ('filter' in lookup) {
    const { field, ranges } = lookup.filter;
    const [starts, ends] = bounds(indexRanges(ranges, sortsAlike(field)));
    const table = parameters.table('range', [
      ['range_start', 'text', starts],
      ['range_end', 'text', ends],
    ]);
    const bitmap = bitmapConditions(parameters, lookup.others ?? [], 'i.filter_bitmap');
    const passes = bitmap.map((condition) => ` and ${condition}`).join('');
    return `select i.entry_id from ${table}
      cross join lateral (
        select i.entry_id from entry_index i
        where i.account_id = ${account} and ${isField(parameters, field)}
          and i.sort_key >= range.range_start and i.sort_key < range.range_end${passes}
        offset 0
      ) as i`;
  }
  // The account is compared outside. Inside, the planner could choose the account's index, by statistics that do not
  // distinguish accounts.
  const like = lookup.texts.map((text) => `t.text like ${parameters.add('text', containsPattern(text))}`);
  return `select t.entry_id from (
      select t.account_id, t.entry_id from ${texts} t
      where t.collection_id = ${collection} and ${like.join(' and ')}
      offset 0
    ) as t where t.account_id = ${account}`;
}

/** A value of a fallback counts only without one of the field, which the sort keys of the entry tell. */
function isField(parameters: ListingParameters, field: Field): string {
  const keys = keysOf(field);
  if (keys.length === 1) return `i.field_key = ${parameters.add('bigint', field.key)}`;
  return `i.field_key = any(${parameters.add('bigint[]', keys)})`;
}

/** Returns a row `lookup, count` for each lookup: how many rows it finds, counted up to `bound` + 1. */
export function countSql(scope: Scope, lookups: IndexLookup[], bound: number): Sql {
  return probeSql(scope, lookups, bound, false);
}

/** As `countSql`, with the `ids` of the entries of a lookup that finds at most `bound`. */
export function collectSql(scope: Scope, lookups: IndexLookup[], bound: number): Sql {
  return probeSql(scope, lookups, bound, true);
}

function probeSql(scope: Scope, lookups: IndexLookup[], bound: number, withIds: boolean): Sql {
  const parameters = new ListingParameters(scope);
  const limit = parameters.add('bigint', bound + 1);
  const ids = withIds ? `case when count(*) < ${limit} then coalesce(array_agg(entry_id), '{}') end` : 'null::uuid[]';
  const probes = lookups.map(
    (lookup, i) =>
      `select ${i} as lookup, count(*)::integer as count, ${ids} as ids
       from (${lookupRows(parameters, lookup)} limit ${limit}) as found`,
  );
  // PostgreSQL infers no type for a parameter that a statement does not use; some lookups do not use these.
  const text = `select * from (${probes.join(' union all ')}) as probes
    where ${parameters.account} is not null and ${parameters.collection} is not null`;
  return { text, values: parameters.values };
}

function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

/** Whether the trigram index can find a text: with fewer than three letters or digits in a row, it is read as a whole. */
export function hasTrigram(text: string): boolean {
  return /[\p{L}\p{N}]{3}/u.test(text);
}

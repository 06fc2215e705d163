import { SECTION_END, sectionMark } from './index-entry.ts';
import { bounds } from './key-ranges.ts';
import type { KeyFilter } from './read-listing.ts';
import { allowedMarks } from './signature.ts';

/** A statement as it is sent. Its first two parameters are the account and the collection. */
export interface Sql {
  text: string;
  values: unknown[];
}

/** The collection that is listed, at the version by which the statement is made. */
export interface Scope {
  accountId: string;
  collectionId: string;
  version: number;
}

/** What an entry of a listing must fulfil besides its place in the order. */
export interface Checks {
  keys: KeyFilter[];
  contains: ContainsCheck[];
  /** Each must occur in some text field. */
  words: string[];
  /** The text fields they may occur in; undefined: in any there is. */
  wordFields: number[] | undefined;
}

export interface ContainsCheck {
  fieldKey: number;
  text: string;
}

/** A filter that is searched for by itself: rows of `entry_index`, or texts in all of which occurs each of these. */
export type Driver = { filter: KeyFilter } | { texts: string[] };

export const NO_CHECKS: Checks = { keys: [], contains: [], words: [], wordFields: undefined };

export function isEmpty({ keys, contains, words }: Checks): boolean {
  return keys.length + contains.length + words.length === 0;
}

/** `MISSING`, which nothing else in a statement should look like. */
export const NOWHERE = 'chr(1114111)';

/** The parameters of a statement. */
export class Params {
  readonly values: unknown[];

  constructor(values: unknown[]) {
    this.values = values;
  }

  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/**
 * A table of parameters. One of a single row, the commonest by far, is written so that the planner knows it to be one: it
 * takes an array of unknown length for ten rows, and plans the statement anew each time because that seems to pay.
 */
export function table(
  params: Params,
  name: string,
  columns: [name: string, type: string, values: unknown[]][],
): string {
  const [, , [...rows]] = columns[0] ?? ['', '', []];
  if (rows.length !== 1) {
    const arrays = columns.map(([, type, values]) => `${params.add(values)}::${type}[]`);
    return `unnest(${arrays.join(', ')}) as ${name} (${columns.map(([column]) => column).join(', ')})`;
  }
  const row = columns.map(([column, type, [value]]) => `${params.add(value)}::${type} as ${column}`);
  return `(select ${row.join(', ')}) as ${name}`;
}

// Both conditions below are written with `<>`, which the planner takes for true of nearly every row. Of `=` it would think
// that hardly any row passes, so that the whole index will be read, and would start parallel workers for it: 10 ms and more.

/** What the signature of an entry, in `signature`, tells of the filters: false where it cannot fulfil them. */
export function signatureConditions(params: Params, checks: Checks, signature: string): string[] {
  return checks.keys.flatMap(({ field, ranges, negated }) => {
    const marks = negated ? undefined : allowedMarks(field, ranges);
    if (marks === undefined || !field.slot) return [];
    const { offset, width } = field.slot;
    const mark = `(${signature} >> ${params.add(offset)}::integer) & ${params.add(2 ** width - 1)}::bigint`;
    return `((${params.add(marks)}::bigint >> (${mark})::integer) & 1 <> 0) is not false`;
  });
}

/** Whether an entry fulfils the checks, told from its own row (`keys`, `id`), which goes by `alias`. */
export function conditions(params: Params, checks: Checks, alias: string): string {
  const texts = textConditions(params, checks);
  return [
    ...checks.keys.map((filter) => keyCondition(params, filter, alias)),
    ...(texts === ''
      ? []
      : [`(select ${texts} from entry_texts t where t.account_id = $1 and t.entry_id = ${alias}.id) is true`]),
  ].join(' and ');
}

// width_bucket tells between which two of the bounds a key lies: behind an odd number of them it is in a range.
function keyCondition(params: Params, { field, ranges, negated }: KeyFilter, alias: string): string {
  const name = `${params.add(String(field.key))}::text`;
  const isIn = (key: string) => `width_bucket(${key} collate "C", ${params.add(ranges)}::text[]) % 2 <> 0`;
  if (!field.repeated) return isIn(`coalesce(${alias}.keys ->> ${name}, ${NOWHERE})`);
  const keys = `jsonb_array_elements_text(coalesce(${alias}.keys -> ${name}, jsonb_build_array(${NOWHERE})))`;
  return `${negated ? 'not ' : ''}exists (select from ${keys} as each (key) where ${isIn('each.key')})`;
}

function textConditions(params: Params, { contains, words, wordFields }: Checks): string {
  const section = (fieldKey: number) =>
    `split_part(split_part(t.text, ${params.add(sectionMark(fieldKey))}, 2), ${params.add(SECTION_END)}, 1)`;
  return [
    ...contains.map(({ fieldKey, text }) => `${section(fieldKey)} like ${params.add(pattern(text))}`),
    ...words.map((word) => {
      const like = `like ${params.add(pattern(word))}`;
      if (wordFields === undefined) return `t.text ${like}`;
      return `(${wordFields.map((fieldKey) => `${section(fieldKey)} ${like}`).join(' or ') || 'false'})`;
    }),
  ].join(' and ');
}

/** The `entry_id`s that a driver finds; an entry of a repeated field perhaps more than once. */
export function driverRows(params: Params, driver: Driver): string {
  if ('filter' in driver) {
    const { field, ranges } = driver.filter;
    const [lows, highs] = bounds(ranges);
    const columns: Parameters<typeof table>[2] = [
      ['low', 'text', lows],
      ['high', 'text', highs],
    ];
    return `select i.entry_id from ${table(params, 'range', columns)}
      cross join lateral (
        select i.entry_id from entry_index i
        where i.account_id = $1 and i.field_key = ${params.add(field.key)}::bigint
          and i.sort_key >= range.low and i.sort_key < range.high
        offset 0
      ) as i`;
  }
  // The account is asked outside: inside, its index would be one more for the planner to choose, by statistics which
  // know nothing of this account.
  return `select t.entry_id from (
      select t.account_id, t.entry_id from entry_texts t
      where t.collection_id = $2 and ${driver.texts.map((text) => `t.text like ${params.add(pattern(text))}`).join(' and ')}
      offset 0
    ) as t where t.account_id = $1`;
}

/** For each driver a row `driver, count`: how many rows it finds, counted no further than to `bound` + 1. */
export function countSql(scope: Scope, drivers: Driver[], bound: number): Sql {
  return probeSql(scope, drivers, bound, 'null::text');
}

/** The same with `ids`, an array as PostgreSQL writes it: the entries, where they are no more than `bound`. */
export function collectSql(scope: Scope, drivers: Driver[], bound: number): Sql {
  return probeSql(scope, drivers, bound, `case when count(*) <= $4 then coalesce(array_agg(entry_id), '{}')::text end`);
}

function probeSql({ accountId, collectionId }: Scope, drivers: Driver[], bound: number, ids: string): Sql {
  const params = new Params([accountId, collectionId, bound + 1, bound]);
  const probes = drivers.map(
    (driver, i) =>
      `select ${i} as driver, count(*)::integer as count, ${ids} as ids
       from (${driverRows(params, driver)} limit $3) as found`,
  );
  // Every parameter has to be used; these have no part in some drivers.
  const text = `select * from (${probes.join(' union all ')}) as probes
    where $1::uuid is not null and $2::uuid is not null and $4::bigint is not null`;
  return { text, values: params.values };
}

function pattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

/** Whether the trigram index can find the text: below three letters or digits in a row it would be read as a whole. */
export function hasTrigram(text: string): boolean {
  return /[\p{L}\p{N}]{3}/u.test(text);
}

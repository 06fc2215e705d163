import type { Collection } from '../collections/collection.ts';
import type { Field } from '../collections/field.ts';
import type { ListingParameters, Scope } from '../listing/key-sql.ts';
import { conditionOf } from '../roles/collection-access.ts';
import {
  bitsOfKey,
  doubleOfBits,
  extremeOfBits,
  hasExactKeys,
  scaledDouble,
  storedKey,
  sumOfDoubles,
} from './aggregate-keys.ts';
import type { Measure } from './contract.ts';
import { type Aggregated, isDate, isNumeric, type Key, type Source } from './parse-aggregate.ts';
import type { SystemColumn } from './where.ts';
import { columnOf, publicIdSql, whereSql } from './where-sql.ts';

/** Whether it is a field of the collection itself whose keys tell values apart. Others may have no key until they are indexed anew. */
export const isOwnField = ({ field, jsonPaths }: Extract<Source, { kind: 'field' }>): boolean =>
  hasExactKeys(field) && jsonPaths.every((path) => MEMBERS.test(path) && path.match(MEMBER)?.length === 1);

interface Column {
  columns: string[];
  joins: string;
  result: string;
  /** How the key of a group is read from one of its entries, `r`, if groups are formed by something else. */
  value?: string;
}

interface Stored {
  field: Field;
  key(): string;
  jsonPaths: readonly string[];
}

/** The keys and measures of an aggregation as columns of one statement. */
export class AggregateSql {
  readonly targets: string[] = [];
  /** The numbers that are read by their keys: columns of their bits, doubles and scaled doubles. */
  readonly numbers = new Map<string, { bits: string; double: string; scaled: string }>();
  readonly #parameters: ListingParameters;
  readonly #scope: Scope;
  readonly #indexedKey: string | undefined;

  /** @param indexedKey the key of the only field that is measured, if entries are not read */
  constructor(parameters: ListingParameters, scope: Scope, indexedKey?: string) {
    this.#parameters = parameters;
    this.#scope = scope;
    this.#indexedKey = indexedKey;
  }

  /** The columns that are read of an entry, beside those of keys and measures. */
  get columns(): string[] {
    return [...this.numbers].map(([name, { bits }]) => `${bits} as ${name}`);
  }

  /** A key that the rows of an index have. */
  keyOfIndex({ source }: Key): Column {
    const jsonPaths = source.kind === 'field' ? source.jsonPaths : [];
    return { columns: [], joins: '', result: '', value: this.#one('r', jsonPaths) };
  }

  /** A key as JSON text. */
  key({ source, by, timeZone }: Key, name: string): Column {
    const stored = this.#stored(source);
    if (by === undefined && stored) {
      return {
        columns: [`${stored.key()} as ${name}`],
        joins: '',
        result: name,
        value: this.#one('r', stored.jsonPaths),
      };
    }
    const { value, joins } = stored ? { value: '', joins: '' } : this.#each(source, name);
    if (by === undefined) return { columns: [`${value} as ${name}`], joins, result: name };
    const text = stored?.key() ?? `${value} #>> '{}'`;
    // A date has no time zone.
    const local = isDate(source)
      ? `(${text})::timestamp`
      : `((${text})::timestamptz at time zone ${this.#parameters.add('text', timeZone)})`;
    return { columns: [`to_jsonb(date_trunc('${by}', ${local})::date) as ${name}`], joins, result: name };
  }

  measure({ kind, source }: Aggregated, name: string): Column {
    if (!source) return { columns: [], joins: '', result: 'count(*)' };
    if (source.kind === 'reference' && source.isMany) return this.#measureOfMany(kind, source, name);
    const isMany = source.kind === 'field' && source.isMany;
    if (kind === 'countDistinct' && isMany) {
      const values = this.#values('e', source.jsonPaths);
      return {
        columns: [`(select coalesce(jsonb_agg(item), '[]') from (${values}) as items (item)) as ${name}`],
        joins: '',
        result: distinctOf(name),
      };
    }
    if (isMany) {
      const type = kind === 'sum' || kind === 'avg' ? 'numeric' : this.#typeOf(source);
      const aggregate = kind === 'avg' ? 'sum' : kind;
      const values = `from (${this.#values('e', source.jsonPaths)}) as items (item)`;
      const columns = [`(select ${aggregate}((item #>> '{}')::${type}) ${values}) as ${name}`];
      if (kind === 'avg') columns.push(`(select count(*) ${values}) as ${name}_n`);
      return {
        columns,
        joins: '',
        result: kind === 'avg' ? `sum(${name}) / nullif(sum(${name}_n), 0)` : `${aggregate}(${name})`,
      };
    }
    const stored = this.#stored(source);
    if (stored && kind === 'countDistinct') {
      return { columns: [`${stored.key()} as ${name}`], joins: '', result: `count(distinct ${name})` };
    }
    if (stored && isNumeric(source)) return { columns: [], joins: '', result: this.#ofNumbers(kind, stored) };
    const { value, joins } = this.#each(source, name);
    if (kind === 'countDistinct') return { columns: [`${value} as ${name}`], joins, result: `count(distinct ${name})` };
    const type = kind === 'sum' || kind === 'avg' ? 'numeric' : this.#typeOf(source);
    return { columns: [`(${value} #>> '{}')::${type} as ${name}`], joins, result: `${kind}(${name})` };
  }

  /** The key of a field of the collection itself, if it tells values apart. */
  #stored(source: Source): Stored | undefined {
    if (source.kind !== 'field' || source.isMany || !isOwnField(source)) return undefined;
    const { field, jsonPaths } = source;
    return { field, key: () => this.#indexedKey ?? storedKey(this.#parameters, field, 'e'), jsonPaths };
  }

  /** Several measures of a field read its keys once. */
  #ofNumbers(kind: keyof Measure, { field, key }: Stored): string {
    const name = `n${field.key}`;
    const { bits } = this.numbers.get(name) ?? { bits: bitsOfKey(key()) };
    this.numbers.set(name, { bits, double: doubleOfBits(name), scaled: scaledDouble(`${name}_double`) });
    if (kind === 'min' || kind === 'max') return extremeOfBits(kind, name);
    const sum = sumOfDoubles(`${name}_double`, `${name}_scaled`);
    return kind === 'avg' ? `${sum} / nullif(count(${name}), 0)` : sum;
  }

  /** The columns of numbers, each level of which is made of the one within. */
  withNumbers(base: string): string {
    const numbers = [...this.numbers];
    if (numbers.length === 0) return base;
    const doubles = numbers.map(([name, { double }]) => `${double} as ${name}_double`);
    const scaled = numbers.map(([name, each]) => `${each.scaled} as ${name}_scaled`);
    return `select base.*, ${scaled.join(', ')} from (
        select base.*, ${doubles.join(', ')} from (${base}) as base offset 0
      ) as base offset 0`;
  }

  /** Of referenced entries: which of them a role may read. */
  #readable(collection: Collection): string {
    const where = conditionOf(collection, 'read');
    if (!where) return '';
    const isPublished = this.#scope.state === 'published' && collection.publishing;
    return ` and ${whereSql(this.#parameters, where, 't', isPublished)}`;
  }

  #typeOf(source: Source): string {
    if (isNumeric(source)) return 'numeric';
    return 'text collate "C"';
  }

  /** As a measure of a field with several values, of those that references lead to. */
  #measureOfMany(kind: keyof Measure, source: Extract<Source, { kind: 'reference' }>, name: string): Column {
    const from = this.#rowsThrough(source, name);
    const isNumber = kind === 'sum' || kind === 'avg';
    const value = `(item #>> '{}')::${isNumber ? 'numeric' : this.#typeOf(source)}`;
    const own =
      kind === 'countDistinct'
        ? 'jsonb_agg(distinct item) filter (where item is not null)'
        : `${kind === 'avg' ? 'sum' : kind}(${value})`;
    this.targets.push(
      `${name}_items as materialized (select id, ${own} as value, count(item) as n from (${from}) as all_rows group by id)`,
    );
    const joins = `left join ${name}_items on ${name}_items.id = e.id`;
    const columns = [`${name}_items.value as ${name}`, `${name}_items.n as ${name}_n`];
    if (kind === 'countDistinct') return { columns, joins, result: distinctOf(name) };
    if (kind === 'avg') return { columns, joins, result: `sum(${name}) / nullif(sum(${name}_n), 0)` };
    return { columns, joins, result: `${kind}(${name})` };
  }

  /** The values at one of these places: in a locale, at the first one that has some. */
  #values(alias: string, jsonPaths: readonly string[]): string {
    const [first = '$', ...others] = jsonPaths;
    const read = (path: string) =>
      `jsonb_path_query(${alias}."values"::jsonb, ${this.#parameters.add('text', `${path}[*]`)}::jsonpath)`;
    if (others.length === 0) return `select ${read(first)}`;
    const all = jsonPaths.map((path, i) => `select ${i} as place, ${read(path)} as item`).join(' union all ');
    return `select item from (select item, place, min(place) over () as least from (${all}) as sources) as ranked where place = least`;
  }

  /** A path of members alone is read from the text as it is stored: five times as fast as to parse all of it. */
  #one(alias: string, jsonPaths: readonly string[]): string {
    const read = jsonPaths.map((path) => {
      const names = MEMBERS.test(path) ? path.match(MEMBER) : null;
      if (!names)
        return `jsonb_path_query_first(${alias}."values"::jsonb, ${this.#parameters.add('text', path)}::jsonpath)`;
      const members = names.map((name) => this.#parameters.add('text', JSON.parse(name) as string));
      return `(${alias}."values" -> ${members.join(' -> ')})::jsonb`;
    });
    return read.length === 1 ? (read[0] ?? '') : `coalesce(${read.join(', ')})`;
  }

  /** One value of a row: of an entry, or of each of its values. */
  #each(source: Source, name: string): { value: string; joins: string } {
    if (source.kind === 'system') return { value: this.#column('e', source.column, this.#isPublished), joins: '' };
    if (!source.isMany) return this.#single('e', source, name);
    const items = `${name}_values`;
    if (source.kind === 'field') {
      const values = this.#values('e', source.jsonPaths);
      const joins = `left join lateral (select distinct item from (${values}) as items (item)) as ${items} on true`;
      return { value: `${items}.item`, joins };
    }
    this.targets.push(
      `${items} as materialized (select distinct id, item from (${this.#rowsThrough(source, name)}) as all_rows)`,
    );
    return { value: `${items}.item`, joins: `left join ${items} on ${items}.id = e.id` };
  }

  get #isPublished(): boolean {
    return this.#scope.state === 'published';
  }

  #column(alias: string, column: SystemColumn, isPublished: boolean): string {
    return `to_jsonb(${alias}.${columnOf(column, isPublished)})`;
  }

  /** The value of `alias` where each has at most one. */
  #single(
    alias: string,
    source: Source,
    name: string,
    isPublished = this.#isPublished,
  ): { value: string; joins: string } {
    if (source.kind === 'system') return { value: this.#column(alias, source.column, isPublished), joins: '' };
    if (source.kind === 'field') return { value: this.#one(alias, source.jsonPaths), joins: '' };
    const targets = this.#targetsOf(source, name);
    const id = `${this.#one(alias, source.jsonPaths)} #>> '{}'`;
    return { value: `${targets}.item`, joins: `left join ${targets} on ${targets}.ref = ${id}` };
  }

  /** The entries that a reference leads to with a value of each: `ref`, `item`. @returns the name of the table */
  #targetsOf({ targets }: Extract<Source, { kind: 'reference' }>, name: string): string {
    const parts = targets.map(({ view, source }, i) => {
      const isPublished = this.#isPublished && view.publishing;
      const inner = `${name}_${i}`;
      const where = `where t.account_id = ${this.#parameters.account}
        and t.collection_id = ${this.#parameters.add('uuid', view.id)} and t.status = 'active'${this.#readable(view)}`;
      const from = `${isPublished ? 'published_entries' : 'entries'} t`;
      if (source.kind === 'system' || !source.isMany) {
        const { value, joins } = this.#single('t', source, inner, isPublished);
        return `select ${publicIdSql('t.id')} as ref, ${value} as item from ${from} ${joins} ${where}`;
      }
      if (source.kind === 'field') {
        const items = `lateral (${this.#values('t', source.jsonPaths)}) as items (item)`;
        return `select ${publicIdSql('t.id')} as ref, item from ${from} cross join ${items} ${where}`;
      }
      const next = this.#targetsOf(source, inner);
      const ids = `lateral (${this.#values('t', source.jsonPaths)}) as ids (id)`;
      return `select ${publicIdSql('t.id')} as ref, ${next}.item from ${from}
        cross join ${ids} join ${next} on ${next}.ref = ids.id #>> '{}' ${where}`;
    });
    const table = `${name}_targets`;
    this.targets.push(`${table} as materialized (${parts.join(' union all ')})`);
    return table;
  }

  /** For each entry, the values that its references lead to: `id`, `item`. */
  #rowsThrough(source: Extract<Source, { kind: 'reference' }>, name: string): string {
    const targets = this.#targetsOf(source, name);
    return `select s.id, ${targets}.item from ${this.#parameters.entries} s
      cross join lateral (${this.#values('s', source.jsonPaths)}) as ids (id)
      join ${targets} on ${targets}.ref = ids.id #>> '{}'
      where s.account_id = ${this.#parameters.account} and s.collection_id = ${this.#parameters.collection}
        and s.status = 'active' and ${targets}.item is not null`;
  }
}

const MEMBER = /"(?:[^"\\]|\\.)*"/g;
const MEMBERS = /^\$(?:\."(?:[^"\\]|\\.)*")+$/;

/** How many different values the lists of a group have together. */
const distinctOf = (name: string) =>
  `(select count(distinct item) from unnest(array_agg(${name})) as lists, jsonb_array_elements(lists) as item)`;

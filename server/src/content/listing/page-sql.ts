import { MAX_PAGE_SIZE } from '../../shared/http/keyset-page.ts';
import { FIRST_ID, LAST_ID, uuidTime } from '../../shared/ids.ts';
import { isoTime } from '../../shared/time.ts';
import { sortsAlike } from '../field-types/index.ts';
import { compareKeys, MISSING } from '../field-types/sort-key.ts';
import {
  bitmapConditions,
  entryCondition,
  type IndexLookup,
  indexKeySql,
  isEmpty,
  lookupRows,
  type Sql,
} from './filter-sql.ts';
import { END, type KeyRanges } from './key-ranges.ts';
import { ListingParameters, MISSING_SQL } from './key-sql.ts';
import type { Cursor, PageRequest } from './page-request.ts';

// A literal tells the planner how little of the order will be read; a parameter would hide it.
export const MAX_ROWS = MAX_PAGE_SIZE + 1;

/** How many index rows a bounded walk reads at most for each entry of its bound, with those that the filter bitmap excludes. */
const ROWS_PER_STEP = 20;

export const PUBLISHED_COLUMNS = {
  none: '',
  draft: ', e.published_version, e.published_at, e.published_locales::text',
  published: ', e.version as published_version, e.updated_at as published_at, e.locales::text as published_locales',
};

/**
 * A page in its order. No row: the collection is not at the version of the request anymore. One row without an entry: the
 * page is empty.
 *
 * With `bound`, at most that many entries are read (for each of a source's two parts), and at most `ROWS_PER_STEP` times as
 * many rows of the index. The entry at which the walk stopped is returned whether it matches or not: what follows is unknown.
 */
export function pageSql(request: PageRequest, bound?: number): Sql {
  return new PageStatement(request, { bound }).page();
}

/** A page of entries that were found already. */
export function gatherSql(request: PageRequest, ids: string[]): Sql {
  return new PageStatement(request, {}).gather(ids);
}

/**
 * A page of all entries that a lookup finds, however many. For the order of creation, their IDs are sorted; any other order
 * is read and filtered by a table of them.
 */
export function lookupSql(request: PageRequest, lookup: IndexLookup): Sql {
  if (request.source.by === 'created_at') return new PageStatement(request, {}).sort(lookup);
  return new PageStatement(request, { sieve: lookup }).page();
}

class PageStatement {
  readonly #request: PageRequest;
  readonly #sieve: IndexLookup | undefined;
  readonly #parameters: ListingParameters;
  readonly #version: string;
  readonly #limit: string;
  readonly #bound: string | undefined;
  readonly #beyond: string;
  readonly #direction: string;
  readonly #maxRows: number;
  readonly #columns: string;

  constructor(request: PageRequest, { bound, sieve }: { bound?: number | undefined; sieve?: IndexLookup }) {
    this.#request = request;
    this.#sieve = sieve;
    this.#parameters = new ListingParameters(request.scope);
    this.#version = this.#parameters.add('bigint', request.scope.version);
    this.#limit = this.#parameters.add('bigint', request.limit);
    this.#bound = bound === undefined ? undefined : this.#parameters.add('bigint', bound);
    this.#beyond = request.descending ? '<' : '>';
    this.#direction = request.descending ? 'desc' : 'asc';
    this.#columns = `e."values", e.version, e.updated_at${PUBLISHED_COLUMNS[request.scope.state ?? 'none']}`;
    this.#maxRows = Math.max(MAX_ROWS, request.limit);
  }

  page(): Sql {
    const { source } = this.#request;
    if (source.by === 'id') return this.#joined(this.#byId(source.fieldKey, source.points));
    if (source.by !== 'key') return this.#joined(this.#byTime(source.by));
    const { key } = source.field;
    const present = this.#byKey(key, this.#isPastValues() ? [] : source.ranges);
    if (source.missing === 'none') return this.#joined(present);
    if (source.missing === 'in index') return this.#joined(present, this.#missingInIndex(key));
    return this.#joined(present, this.#missingInEntries(key));
  }

  gather(ids: string[]): Sql {
    const { source, conditions, descending } = this.#request;
    const parameters = this.#parameters;
    const found = parameters.add('uuid[]', ids);
    if (source.by === 'created_at' || source.by === 'id') return this.#sorted(`select unnest(${found}) as entry_id`);
    let key = 'e.updated_at';
    let returnedKey = 'e.updated_at::text';
    if (source.by === 'key') {
      const stored = `(e.sort_keys ->> ${parameters.add('text', String(source.field.key))})`;
      const own = sortsAlike(source.field) ? indexKeySql(stored) : stored;
      // One comparison that puts entries without a value last in both directions.
      key = `coalesce(${own}, ${descending ? "''" : MISSING_SQL}) collate "C"`;
      returnedKey = `coalesce(${own}, ${MISSING_SQL})`;
    }
    const where = isEmpty(conditions) ? 'true' : entryCondition(parameters, conditions, 'e');
    return this.#joined(
      `select ${returnedKey} as sort_key, e.id as entry_id, null::bigint as step, true as matches
       ${this.#activeEntries()} and e.id = any(${found}) and ${this.#after(key, 'e.id')} and ${where}
       order by ${this.#by(key, 'e.id')} limit ${this.#limit}`,
    );
  }

  /** A page in the order of creation of all entries that a lookup finds. */
  sort(lookup: IndexLookup): Sql {
    return this.#sorted(lookupRows(this.#parameters, lookup));
  }

  /** The order of creation is that of the IDs, so no entry is read beyond those that fill the page. */
  #sorted(found: string): Sql {
    const rows = `select distinct on (each.entry_id) each.entry_id as id from (${found}) as each
      where ${this.#afterId('each.entry_id', this.#request.cursor?.id)} order by ${this.#by('each.entry_id')} offset 0`;
    return this.#joined(this.#matching(rows, ['id'], "''"));
  }

  /** Adds the entries to the found rows. The second part is only read if the first one does not fill the page. */
  #joined(present: string, missing?: string): Sql {
    const isUnbroken = this.#bound === undefined ? '' : ` and coalesce(max(step), 0) < ${this.#bound}`;
    const both = `select * from present union all select * from (${missing}) as missing
      where (select count(*) < ${this.#limit}${isUnbroken} from present)`;
    return this.#done(
      `with collection as materialized (
         select from collections c where ${this.#isCurrent('c')}
       ), present as materialized (
         ${present}
       ), found as materialized (
         select * from (${missing === undefined ? 'select * from present' : both}) as parts limit ${this.#limit}
       )
       select found.*, e.* from collection
       left join found on true
       left join lateral (
         select ${this.#columns} from ${this.#parameters.entries} e
         where e.account_id = ${this.#parameters.account} and e.id = found.entry_id and e.status = 'active'
           and found.matches
         limit 1
       ) as e on true`,
    );
  }

  #byTime(column: 'created_at' | 'updated_at'): string {
    // Without a sieve, an entry is checked as it is read; with one, the index is enough to read the order.
    const inline = this.#sieve === undefined;
    return this.#matching(
      `select e.${column} as at, e.id${inline ? ', e.sort_keys' : ''} ${this.#activeEntries()}
         and ${this.#after(`e.${column}`, 'e.id')}`,
      ['at', 'id'],
      'at::text',
      inline,
    );
  }

  /**
   * Each range starts after a cursor of its own, and so does its scan: of a comparison with the cursor and another with the
   * start of a range, PostgreSQL would use only one to find where to start.
   */
  #byKey(fieldKey: number, ranges: KeyRanges): string {
    const { descending, cursor } = this.#request;
    const starts: Cursor[] = [];
    const ends: string[] = [];
    for (let i = 0; i < ranges.length; i += 2) {
      const [low = '', high = ''] = ranges.slice(i, i + 2);
      const [toLow, toHigh] = cursor ? [compareKeys(cursor.key, low), compareKeys(cursor.key, high)] : [0, 0];
      const isPast = cursor !== undefined && (descending ? toLow < 0 : toHigh >= 0);
      if (isPast) continue;
      const isInside = cursor !== undefined && toLow >= 0 && toHigh < 0;
      starts.push(isInside ? cursor : { key: descending ? high : low, id: FIRST_ID });
      ends.push(descending ? low : high);
    }
    const rows = `select i.sort_key, i.entry_id as id, i.filter_bitmap ${this.#indexRows(fieldKey)}
        and (i.sort_key, i.entry_id) ${this.#beyond} (range.start_key, range.start_id)
        and i.sort_key ${descending ? '>=' : '<'} range.end_key`;
    const range = this.#parameters.table('range', [
      ['start_key', 'text', starts.map(({ key }) => key)],
      ['start_id', 'uuid', starts.map(({ id }) => id)],
      ['end_key', 'text', ends],
    ]);
    return `select i.* from ${range}
      cross join lateral (${this.#matching(rows, ['sort_key', 'id'], 'sort_key')}) as i
      order by ${this.#by('i.sort_key', 'i.entry_id')}`;
  }

  #byId(fieldKey: number, points: string[]): string {
    const rows = `select i.entry_id as id, i.filter_bitmap ${this.#indexRows(fieldKey)}
        and i.sort_key = point.key and ${this.#afterId('i.entry_id', this.#request.cursor?.id)}`;
    return `select '' as sort_key, i.entry_id, max(i.step) as step, bool_or(i.matches) as matches
      from ${this.#parameters.table('point', [['key', 'text', points]])}
      cross join lateral (${this.#matching(rows, ['id'], "''")}) as i
      group by i.entry_id
      order by ${this.#by('i.entry_id')}`;
  }

  #missingInIndex(fieldKey: number): string {
    const rows = `select i.entry_id as id, i.filter_bitmap ${this.#indexRows(fieldKey)}
        and i.sort_key = ${MISSING_SQL} and ${this.#afterId('i.entry_id', this.#missingCursor())}`;
    return this.#matching(rows, ['id'], MISSING_SQL);
  }

  /** While the index rows of a new field are being written, nearly all entries have no value, so they are read directly. */
  #missingInEntries(fieldKey: number): string {
    const id = this.#missingCursor();
    const start = `(${this.#parameters.add('timestamptz', this.#createdAt(id))}, ${this.#idOrStart(id)})`;
    const rows = `select e.created_at as at, e.id, e.sort_keys ${this.#activeEntries()}
        and (e.created_at, e.id) ${this.#beyond} ${start}
        and not e.sort_keys ? ${this.#parameters.add('text', String(fieldKey))}`;
    return this.#matching(rows, ['at', 'id'], MISSING_SQL, true);
  }

  /**
   * The rows that match, in order: `sort_key, entry_id, step, matches`.
   * @param order columns of `rows`
   * @param inline whether `rows` contain the entries' sort keys, so that the entries need not be read
   */
  #matching(rows: string, order: string[], sortKey: string, inline = false): string {
    const condition = this.#condition(inline);
    const orderBy = `order by ${this.#by(...order)}`;
    const columns = `${sortKey} as sort_key, id as entry_id`;
    if (condition === undefined || this.#bound === undefined) {
      const [where, limit] = condition === undefined ? ['', this.#maxRows] : [`where ${condition}`, this.#limit];
      return `select ${columns}, null::bigint as step, true as matches from (${rows}) as i
        ${where} ${orderBy} limit ${limit}`;
    }
    // Each level repeats the order of the one below. Otherwise the planner would sort, and not stop when the page is full.
    const walk = (read: string) =>
      `select ${columns}, step, matches from (
        select i.*, row_number() over (${orderBy}) as step, (${condition}) is true as matches
        from (${read} ${orderBy} limit ${this.#bound}) as i ${orderBy}
      ) as checked where matches or step = ${this.#bound} ${orderBy} limit ${this.#limit}`;
    const passing = inline ? [] : this.#bitmapConditions('i.filter_bitmap');
    if (passing.length === 0) return walk(rows);
    // The last row that may be read is read apart: to number each row would take as long as to read it.
    const before = `${this.#bound} * ${ROWS_PER_STEP} - 1`;
    return `with walked as materialized (
        ${walk(`select i.* from (${rows} ${orderBy} limit ${before}) as i where ${passing.join(' and ')}`)}
      )
      select * from walked
      union all
      select ${columns}, ${this.#bound} as step, (${condition}) is true as matches
      from (
        ${rows} and (select count(*) < ${this.#limit} and coalesce(max(step), 0) < ${this.#bound} from walked)
        ${orderBy} offset ${before} limit 1
      ) as i`;
  }

  #condition(inline: boolean): string | undefined {
    const { conditions } = this.#request;
    const parameters = this.#parameters;
    const all: string[] = [];
    // The planner assumes that an array has few elements, and makes a hash table of them in any case.
    if (this.#sieve) all.push(`(i.id in (select unnest(array(${lookupRows(parameters, this.#sieve)})))) is true`);
    if (!isEmpty(conditions)) {
      all.push(
        // Other conditions than those on keys and texts need the whole entry.
        inline && !conditions.where
          ? entryCondition(parameters, conditions, 'i')
          : `(select ${entryCondition(parameters, conditions, 'e')} from ${parameters.entries} e
              where e.account_id = ${parameters.account} and e.id = i.id)`,
      );
    }
    return all.length === 0 ? undefined : all.join(' and ');
  }

  #activeEntries(): string {
    const { account, collection, entries } = this.#parameters;
    return `from ${entries} e
      where e.account_id = ${account} and e.collection_id = ${collection} and e.status = 'active'`;
  }

  #bitmapConditions(bitmap: string): string[] {
    return bitmapConditions(this.#parameters, this.#request.conditions.keys, bitmap);
  }

  /** Index rows of a field; without those that the filter bitmap excludes, unless a walk counts these. */
  #indexRows(fieldKey: number): string {
    const parameters = this.#parameters;
    const fieldIs = `i.field_key = ${parameters.add('bigint', fieldKey)}`;
    const bitmap = this.#bound === undefined ? this.#bitmapConditions('i.filter_bitmap') : [];
    return `from entry_index i
      where ${[`i.account_id = ${parameters.account}`, fieldIs, ...bitmap].join(' and ')}`;
  }

  #isCurrent(alias: string): string {
    const { account, collection } = this.#parameters;
    return `${alias}.account_id = ${account} and ${alias}.id = ${collection} and ${alias}.version = ${this.#version}
      and ${alias}.status = 'active'`;
  }

  /** After the cursor, in the order of `key` and then `id`. */
  #after(key: string, id: string): string {
    const { cursor, source } = this.#request;
    const start = this.#parameters.add(source.by === 'key' ? 'text' : 'timestamptz', this.#startKey());
    return `(${key}, ${id}) ${this.#beyond} (${start}, ${this.#idOrStart(cursor?.id)})`;
  }

  #startKey(): string {
    const { source, cursor, descending } = this.#request;
    if (source.by === 'updated_at' && cursor) return cursor.key;
    if (source.by !== 'key') return this.#createdAt(cursor?.id);
    if (cursor === undefined) return descending ? END : '';
    return this.#isPastValues() && descending ? '' : cursor.key;
  }

  #createdAt(id: string | undefined): string {
    if (id !== undefined) return isoTime(uuidTime(id));
    return this.#request.descending ? 'infinity' : '-infinity';
  }

  #afterId(column: string, id: string | undefined): string {
    return `${column} ${this.#beyond} ${this.#idOrStart(id)}`;
  }

  #idOrStart(id: string | undefined): string {
    return this.#parameters.add('uuid', id ?? (this.#request.descending ? LAST_ID : FIRST_ID));
  }

  /** Whether the previous page ended among the entries without a value. */
  #isPastValues(): boolean {
    return this.#request.cursor?.key === MISSING;
  }

  #missingCursor(): string | undefined {
    return this.#isPastValues() ? this.#request.cursor?.id : undefined;
  }

  #by(...columns: string[]): string {
    return columns.map((column) => `${column} ${this.#direction}`).join(', ');
  }

  #done(text: string): Sql {
    return { text, values: this.#parameters.values };
  }
}

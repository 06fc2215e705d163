import { uuidTime } from '../shared/ids.ts';
import { isoTime } from '../shared/time.ts';
import { MAX_PAGE_SIZE } from './contract.ts';
import {
  type Checks,
  conditions,
  type Driver,
  driverRows,
  isEmpty,
  NOWHERE,
  Params,
  type Scope,
  type Sql,
  signatureConditions,
  table,
} from './filter-sql.ts';
import { END, type KeyRanges } from './key-ranges.ts';
import { compareKeys, MISSING } from './sort-key.ts';

/** The end of the page before: its last entry, and the key by which that stood there. */
export interface Place {
  /** A sort key; of `updated_at` the time as PostgreSQL writes it. Of no meaning where the id alone is the order. */
  key: string;
  id: string;
}

/** Where entries are read in the order of the listing. */
export type Source =
  /** All active entries, by time. */
  | { by: 'created_at' | 'updated_at' }
  /** Those with a key of the field in `ranges`, by that key; then, if wanted, those without a value, by id. */
  | { by: 'key'; fieldKey: number; ranges: KeyRanges; missing: 'none' | 'in index' | 'in entries' }
  /** Those with one of the keys, by id, which is the order of creation. */
  | { by: 'id'; fieldKey: number; points: string[] };

export interface PageRequest {
  scope: Scope;
  source: Source;
  descending: boolean;
  checks: Checks;
  /** How many entries are wanted. */
  limit: number;
  place: Place | undefined;
}

/** Columns of a page's rows. */
export type PageRow = [
  sortKey: string | null,
  entryId: string | null,
  /** Of a bounded walk: how many entries were looked at up to this one. */
  step: string | null,
  /** `t`, `f`: whether it is one of the page. */
  fits: string | null,
  values: string | null,
  version: string | null,
  updatedAt: string | null,
];

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

// The planner is told by a number, which a parameter would hide from it, how little of the order will be read.
const ENOUGH = MAX_PAGE_SIZE + 1;

/**
 * A page, in its order. No row at all: the collection is not at the version of the request any more. One row without an
 * entry: the page is empty.
 *
 * With `bound` no more than that many entries are looked at (for each of a source's two parts), those not counted which
 * their signature keeps out. The one at which the walk broke off comes back, whether it fits or not: then nothing is known
 * of what lies behind it.
 */
export function pageSql(request: PageRequest, bound?: number): Sql {
  return new PageStatement(request, { bound }).page();
}

/** A page out of entries that were found already: `ids` is an array as PostgreSQL writes it. */
export function gatherSql(request: PageRequest, ids: string): Sql {
  return new PageStatement(request, {}).gather(ids);
}

/**
 * A page out of all entries that a driver finds, in whatever number. In the order of creation their ids are sorted; in any
 * other it is the order that is read, through a table of them.
 */
export function driverSql(request: PageRequest, driver: Driver): Sql {
  if (request.source.by === 'created_at') return new PageStatement(request, {}).sort(driver);
  return new PageStatement(request, { sieve: driver }).page();
}

class PageStatement {
  readonly #request: PageRequest;
  readonly #bound: string | undefined;
  readonly #sieve: Driver | undefined;
  readonly #params: Params;
  readonly #limit: string;
  readonly #beyond: string;
  readonly #enough: number;
  readonly #direction: string;

  constructor(request: PageRequest, { bound, sieve }: { bound?: number | undefined; sieve?: Driver }) {
    const { accountId, collectionId, version } = request.scope;
    this.#request = request;
    this.#sieve = sieve;
    this.#params = new Params([accountId, collectionId, version]);
    this.#limit = this.#params.add(request.limit);
    this.#enough = Math.max(ENOUGH, request.limit);
    this.#bound = bound === undefined ? undefined : `${this.#params.add(bound)}::bigint`;
    this.#beyond = request.descending ? '<' : '>';
    this.#direction = request.descending ? 'desc' : 'asc';
  }

  page(): Sql {
    const { source, checks } = this.#request;
    if (source.by === 'id') return this.#joined(this.#byId(source.fieldKey, source.points));
    if (source.by !== 'key') {
      const plain = isEmpty(checks) && this.#sieve === undefined;
      return plain ? this.#direct(source.by) : this.#joined(this.#byTime(source.by));
    }
    const present = this.#byKey(source.fieldKey, this.#isPastValues() ? [] : source.ranges);
    if (source.missing === 'none') return this.#joined(present);
    if (source.missing === 'in index') return this.#joined(present, this.#missingInIndex(source.fieldKey));
    return this.#joined(present, this.#missingInEntries(source.fieldKey));
  }

  gather(ids: string): Sql {
    const { source, checks, descending } = this.#request;
    const params = this.#params;
    if (source.by === 'created_at' || source.by === 'id') {
      return this.#sorted(`select unnest(${params.add(ids)}::uuid[]) as entry_id`);
    }
    let key = 'e.updated_at';
    let shown = 'e.updated_at::text';
    if (source.by === 'key') {
      const own = `e.keys ->> ${params.add(String(source.fieldKey))}::text`;
      // Last both ways, in one comparison.
      key = `coalesce(${own}, ${descending ? "''" : NOWHERE}) collate "C"`;
      shown = `coalesce(${own}, ${NOWHERE})`;
    }
    const where = isEmpty(checks) ? 'true' : conditions(params, checks, 'e');
    return this.#joined(
      `select ${shown} as sort_key, e.id as entry_id, null::bigint as step, true as fits
       from entries e
       where e.account_id = $1 and e.id = any(${params.add(ids)}::uuid[])
         and e.collection_id = $2 and e.status = 'active' and ${this.#behind(key, 'e.id')} and ${where}
       order by ${this.#by(key, 'e.id')} limit ${this.#limit}`,
    );
  }

  /** A page, in the order of creation, out of all that a driver finds. */
  sort(driver: Driver): Sql {
    return this.#sorted(driverRows(this.#params, driver));
  }

  /** The ids are the order of creation: none is looked up beyond those that fill the page. */
  #sorted(found: string): Sql {
    const rows = `select distinct on (each.entry_id) each.entry_id as id from (${found}) as each
      where ${this.#behindId('each.entry_id', this.#request.place?.id)} order by ${this.#by('each.entry_id')} offset 0`;
    return this.#joined(this.#checked(rows, ['id'], "''"));
  }

  /** By time, and nothing to check: entries are read as they come. */
  #direct(column: 'created_at' | 'updated_at'): Sql {
    return this.#done(
      `select e.* from collections c left join lateral (
         select e.${column}::text as sort_key, e.id as entry_id, null::bigint as step, true as fits,
           e."values"::text, e.version, e.updated_at
         from entries e
         where e.account_id = $1 and e.collection_id = $2 and e.status = 'active'
           and ${this.#behind(`e.${column}`, 'e.id')}
         order by ${this.#by(`e.${column}`, 'e.id')} limit ${this.#enough}
       ) as e on true
       where c.account_id = $1 and c.id = $2 and c.version = $3 and c.status = 'active'
       limit ${this.#limit}`,
    );
  }

  /** The entries of the parts, the second read only where the first did not fill the page. */
  #joined(present: string, missing?: string): Sql {
    const broken = this.#bound === undefined ? '' : ` and coalesce(max(step), 0) < ${this.#bound}`;
    const both = `select * from present union all select * from (${missing}) as missing
      where (select count(*) < ${this.#limit}${broken} from present)`;
    return this.#done(
      `with collection as materialized (
         select from collections where account_id = $1 and id = $2 and version = $3 and status = 'active'
       ), present as materialized (
         ${present}
       ), found as materialized (
         select * from (${missing === undefined ? 'select * from present' : both}) as parts limit ${this.#limit}
       )
       select found.*, e.* from collection
       left join found on true
       left join lateral (
         select e."values"::text, e.version, e.updated_at from entries e
         where e.account_id = $1 and e.id = found.entry_id and e.status = 'active' and found.fits
         limit 1
       ) as e on true`,
    );
  }

  #byTime(column: 'created_at' | 'updated_at'): string {
    // Without a sieve an entry is judged as it is passed; with one the index is enough to read the order.
    const inline = this.#sieve === undefined;
    return this.#checked(
      `select e.${column} as at, e.id${inline ? ', e.keys' : ''} from entries e
       where e.account_id = $1 and e.collection_id = $2 and e.status = 'active'
         and ${this.#behind(`e.${column}`, 'e.id')}`,
      ['at', 'id'],
      'at::text',
      inline,
    );
  }

  /**
   * Each range begins behind a place of its own, so that the scan does: of a comparison with the place, beside those with
   * the range's ends, PostgreSQL takes just one to find where to begin.
   */
  #byKey(fieldKey: number, ranges: KeyRanges): string {
    const { descending, place } = this.#request;
    const starts: Place[] = [];
    const ends: string[] = [];
    for (let i = 0; i < ranges.length; i += 2) {
      const [low = '', high = ''] = ranges.slice(i, i + 2);
      const [toLow, toHigh] = place ? [compareKeys(place.key, low), compareKeys(place.key, high)] : [0, 0];
      const isPast = place !== undefined && (descending ? toLow < 0 : toHigh >= 0);
      if (isPast) continue;
      const isInside = place !== undefined && toLow >= 0 && toHigh < 0;
      starts.push(isInside ? place : { key: descending ? high : low, id: FIRST_ID });
      ends.push(descending ? low : high);
    }
    const start = `(range.start_key, range.start_id)`;
    const rows = `select i.sort_key, i.entry_id as id from entry_index i
      where i.account_id = $1 and i.field_key = ${this.#params.add(fieldKey)}::bigint ${this.#signed()}
        and (i.sort_key, i.entry_id) ${this.#beyond} ${start} and i.sort_key ${descending ? '>=' : '<'} range.end_key`;
    const range = table(this.#params, 'range', [
      ['start_key', 'text', starts.map(({ key }) => key)],
      ['start_id', 'uuid', starts.map(({ id }) => id)],
      ['end_key', 'text', ends],
    ]);
    return `select i.* from ${range}
      cross join lateral (${this.#checked(rows, ['sort_key', 'id'], 'sort_key')}) as i
      order by ${this.#by('i.sort_key', 'i.entry_id')}`;
  }

  #byId(fieldKey: number, points: string[]): string {
    const rows = `select i.entry_id as id from entry_index i
      where i.account_id = $1 and i.field_key = ${this.#params.add(fieldKey)}::bigint ${this.#signed()}
        and i.sort_key = point.key and ${this.#behindId('i.entry_id', this.#request.place?.id)}`;
    return `select '' as sort_key, i.entry_id, max(i.step) as step, bool_or(i.fits) as fits
      from ${table(this.#params, 'point', [['key', 'text', points]])}
      cross join lateral (${this.#checked(rows, ['id'], "''")}) as i
      group by i.entry_id
      order by ${this.#by('i.entry_id')}`;
  }

  #missingInIndex(fieldKey: number): string {
    const rows = `select i.entry_id as id from entry_index i
      where i.account_id = $1 and i.field_key = ${this.#params.add(fieldKey)}::bigint ${this.#signed()}
        and i.sort_key = ${NOWHERE} and ${this.#behindId('i.entry_id', this.#missingBehind())}`;
    return this.#checked(rows, ['id'], NOWHERE);
  }

  /** While the rows of a new field are being written nearly all entries are without a value: they are read themselves. */
  #missingInEntries(fieldKey: number): string {
    const place = this.#missingBehind();
    const at = this.#params.add(this.#createdAt(place));
    const rows = `select e.created_at as at, e.id, e.keys from entries e
      where e.account_id = $1 and e.collection_id = $2 and e.status = 'active'
        and (e.created_at, e.id) ${this.#beyond} (${at}::timestamptz, ${this.#params.add(this.#idOr(place))}::uuid)
        and not e.keys ? ${this.#params.add(String(fieldKey))}::text`;
    return this.#checked(rows, ['at', 'id'], NOWHERE, true);
  }

  /**
   * Those of `rows` that pass, in order: `sort_key, entry_id, step, fits`.
   * @param order columns of `rows`
   * @param inline `rows` are entries with their keys, so that none has to be looked up
   */
  #checked(rows: string, order: string[], sortKey: string, inline = false): string {
    const test = this.#test(inline);
    const inOrder = `order by ${this.#by(...order)}`;
    const columns = `${sortKey} as sort_key, id as entry_id`;
    if (test === undefined || this.#bound === undefined) {
      return `select ${columns}, null::bigint as step, true as fits from (${rows}) as i
        ${test === undefined ? '' : `where ${test}`} ${inOrder} limit ${test === undefined ? this.#enough : this.#limit}`;
    }
    // Each level says its order, though it has it from the one below: only so the planner knows that there is nothing to
    // sort, and stops when the page is full.
    return `select ${columns}, step, fits from (
        select i.*, row_number() over (${inOrder}) as step, (${test}) is true as fits
        from (${rows} ${inOrder} limit ${this.#bound}) as i ${inOrder}
      ) as judged where fits or step = ${this.#bound} ${inOrder} limit ${this.#limit}`;
  }

  /** Keeps those out of a scan of the index that cannot fulfil the checks. */
  #signed(): string {
    return signatureConditions(this.#params, this.#request.checks, 'i.signature')
      .map((condition) => `and ${condition}`)
      .join(' ');
  }

  #test(inline: boolean): string | undefined {
    const { checks } = this.#request;
    const tests: string[] = [];
    // An array has, for the planner, few elements: it makes a hash table of them, whatever they are.
    if (this.#sieve) tests.push(`(i.id in (select unnest(array(${driverRows(this.#params, this.#sieve)})))) is true`);
    if (!isEmpty(checks)) {
      const lookUp = (test: string) => `(select ${test} from entries e where e.account_id = $1 and e.id = i.id)`;
      tests.push(inline ? conditions(this.#params, checks, 'i') : lookUp(conditions(this.#params, checks, 'e')));
    }
    return tests.length === 0 ? undefined : tests.join(' and ');
  }

  /** Behind the place, in the order of `key` and then `id`. */
  #behind(key: string, id: string): string {
    const { place } = this.#request;
    const type = this.#request.source.by === 'key' ? 'text' : 'timestamptz';
    const start = `(${this.#params.add(this.#start())}::${type}, ${this.#params.add(this.#idOr(place?.id))}::uuid)`;
    return `(${key}, ${id}) ${this.#beyond} ${start}`;
  }

  #start(): string {
    const { source, place, descending } = this.#request;
    if (source.by === 'updated_at' && place) return place.key;
    if (source.by !== 'key') return this.#createdAt(place?.id);
    if (place === undefined) return descending ? END : '';
    return this.#isPastValues() && descending ? '' : place.key;
  }

  #createdAt(id: string | undefined): string {
    if (id !== undefined) return isoTime(uuidTime(id));
    return this.#request.descending ? 'infinity' : '-infinity';
  }

  #behindId(id: string, place: string | undefined): string {
    return `${id} ${this.#beyond} ${this.#params.add(this.#idOr(place))}::uuid`;
  }

  #idOr(place: string | undefined): string {
    return place ?? (this.#request.descending ? LAST_ID : FIRST_ID);
  }

  /** Whether the page before ended among the entries without a value. */
  #isPastValues(): boolean {
    return this.#request.place?.key === MISSING;
  }

  #missingBehind(): string | undefined {
    return this.#isPastValues() ? this.#request.place?.id : undefined;
  }

  #by(...columns: string[]): string {
    return columns.map((column) => `${column} ${this.#direction}`).join(', ');
  }

  #done(text: string): Sql {
    return { text, values: this.#params.values };
  }
}

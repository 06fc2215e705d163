import type { Tx } from '../../shared/postgres/database.ts';
import { readBinary } from '../../shared/postgres/driver/binary-rows.ts';
import type { Collection, Field } from '../collections/collection.ts';
import { sortsAlike } from '../field-types/index.ts';
import { entryCondition, indexKeySql, isEmpty } from '../listing/filter-sql.ts';
import { conditionsOf } from '../listing/find-page.ts';
import { keysOf, ListingParameters, type Scope } from '../listing/key-sql.ts';
import { PageRow } from '../listing/page-request.ts';
import { PUBLISHED_COLUMNS } from '../listing/page-sql.ts';
import type { Listing } from '../listing/parse-listing.ts';
import { nameOf } from '../listing/statement-names.ts';
import type { SortKey } from './parse-sort.ts';

/** Which entries of a collection are joined to which others. */
export interface JoinRequest {
  scope: Scope;
  collection: Collection;
  listing: Listing;
  /** The reference. */
  field: Field;
  /** The entries that are referenced: public IDs. */
  parents: readonly string[];
  sortKeys: readonly SortKey[] | undefined;
  /** How many are returned for each. */
  limit: number;
  /** How many entries are read at most. */
  most: number;
}

/** The first entries of each parent, in their order, and how many it has. */
export type JoinedRows = Map<string, { rows: PageRow[]; total: number }>;

/**
 * The joined entries by one statement, which sorts by the keys that are stored with entries and reads the values of those alone that
 * are returned.
 * @returns `other order`: the sort keys are others; undefined: the collection has changed
 */
export async function findJoined(
  tx: Tx,
  request: JoinRequest,
): Promise<JoinedRows | 'other order' | 'too many' | undefined> {
  const { scope, collection, listing, field, parents, limit, most } = request;
  const parameters = new ListingParameters(scope);
  const { account } = parameters;
  const order = orderOf(parameters, collection, request.sortKeys ?? []);
  if (order === undefined) return 'other order';
  const conditions = conditionsOf(collection, listing, listing.keyFilters);
  const matches = isEmpty(conditions) ? '' : ` and ${entryCondition(parameters, conditions, 'e')}`;
  const keys = keysOf(field);
  const max = parameters.add('bigint', most);
  // An entry can reference a parent in several locales. Only one with several references is counted once for all of them.
  const bound = field.repeated || keys.length > 1 ? 'group by entry_id, sort_key' : `limit ${max} + 1`;
  const text = `with collection as materialized (
      select from collections c where c.account_id = ${account} and c.id = ${parameters.collection}
        and c.version = ${parameters.add('bigint', scope.version)} and c.status = 'active'
    ), referencing as materialized (
      select entry_id, sort_key as parent from entry_index
      where account_id = ${account} and field_key = any(${parameters.add('bigint[]', keys)})
        and sort_key = any(${parameters.add('text[]', [...parents])}) ${bound}
    ), counted as materialized (
      select count(*) <= ${max} as are_few from (select from referencing group by entry_id limit ${max} + 1) as entry
    ), ranked as materialized (
      select referencing.parent, e.id, row_number() over (partition by referencing.parent order by ${order}) as place,
        count(*) over (partition by referencing.parent) as total
      from referencing
      cross join lateral (
        select e.id, e.created_at, e.sort_keys from ${parameters.entries} e
        where e.account_id = ${account} and e.id = referencing.entry_id and e.status = 'active'${matches} limit 1
      ) as e
      where (select are_few from counted)
    )
    select ranked.parent, ranked.id, ranked.total, counted.are_few, e.*
    from collection cross join counted left join ranked on ranked.place <= ${parameters.add('bigint', limit)}
    left join lateral (
      select e."values", e.version, e.updated_at${PUBLISHED_COLUMNS[scope.state ?? 'none']}
      from ${parameters.entries} e where e.account_id = ${account} and e.id = ranked.id limit 1
    ) as e on true
    order by ranked.parent, ranked.place`;
  const rows = await readBinary(tx, { name: nameOf(text), text, values: parameters.values }, PageRow);
  if (rows.length === 0) return undefined;
  if (!rows[0]?.matches) return 'too many';
  const joined: JoinedRows = new Map();
  for (const row of rows) {
    if (!row.isThere) continue;
    const parent = row.cursor.key;
    const known = joined.get(parent);
    if (known) known.rows.push(row);
    else joined.set(parent, { rows: [row], total: row.step ?? 0 });
  }
  return joined;
}

/** Those without a value come last, and those that are equal by age, as in lists. */
function orderOf(
  parameters: ListingParameters,
  collection: Collection,
  sortKeys: readonly SortKey[],
): string | undefined {
  const direction = (descending: boolean) => (descending ? 'desc' : 'asc');
  const all = sortKeys.map(({ by, descending }) => {
    if (by.kind === 'system' && by.column === 'createdAt') return `e.created_at ${direction(descending)}`;
    const [[name = '', ...deeper] = []] = by.kind === 'field' ? by.names : [];
    if (by.kind !== 'field' || by.path.length > 0 || deeper.length > 0 || by.field.pending) return undefined;
    if (collection.byId.get(name)?.key !== by.field.key) return undefined;
    const stored = `(e.sort_keys ->> ${parameters.add('text', String(by.field.key))})`;
    const key = sortsAlike(by.field) ? indexKeySql(stored) : stored;
    return `(${key}) collate "C" ${direction(descending)} nulls last`;
  });
  if (all.includes(undefined)) return undefined;
  return [...all, `e.id ${direction(sortKeys.at(-1)?.descending ?? false)}`].join(', ');
}

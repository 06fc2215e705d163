import { GroupCommit } from '../../shared/group-commit.ts';
import { FIRST_ID, LAST_ID, uuidTime } from '../../shared/ids.ts';
import type { Database } from '../../shared/postgres/database.ts';
import { readBinary } from '../../shared/postgres/driver/binary-rows.ts';
import { isoTime } from '../../shared/time.ts';
import type { Sql } from './filter-sql.ts';
import type { Scope } from './key-sql.ts';
import { type Cursor, PageRow } from './page-request.ts';
import { MAX_ROWS, PUBLISHED_COLUMNS } from './page-sql.ts';
import type { Listing, Order } from './parse-listing.ts';
import { nameOf } from './statement-names.ts';

/** An order of time, which all entries have, and nothing to check. */
interface PlainListing extends Listing {
  order: TimeOrder;
}

interface TimeOrder extends Order {
  by: 'createdAt' | 'updatedAt';
}

export function isPlain(listing: Listing): listing is PlainListing {
  const { order, keyFilters, containsFilters, words, where } = listing;
  return !where && typeof order.by === 'string' && keyFilters.length + containsFilters.length + words.length === 0;
}

interface PlainRequest {
  scope: Scope;
  order: TimeOrder;
  limit: number;
  cursor: Cursor | undefined;
}

/** A page has up to a hundred entries of any size, so few pages are read at once. */
const BATCHES = { maxBatch: 8, maxConcurrent: 4, maxQueued: 20_000 };

/**
 * Reads pages of plain listings. Requests for pages of a collection that arrive at the same time share a statement, which takes
 * PostgreSQL and the service half as long for each as one of its own.
 */
class PlainPages {
  readonly #db: Database;
  readonly #groups = new Map<string, GroupCommit<Cursor | undefined, PageRow[] | undefined>>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** @returns as `findPage` */
  read(request: PlainRequest): Promise<PageRow[] | undefined> {
    const { scope, order, limit } = request;
    const { accountId, collectionId, version, state } = scope;
    const name = `${accountId} ${collectionId} ${version} ${state} ${order.by} ${order.descending} ${limit}`;
    let group = this.#groups.get(name);
    if (group === undefined) {
      group = new GroupCommit((cursors) => this.#find(request, cursors), {
        ...BATCHES,
        // The pages of an export are ten times as long.
        ...(limit > MAX_ROWS && { maxBatch: 1 }),
        onIdle: () => this.#groups.delete(name),
      });
      this.#groups.set(name, group);
    }
    return group.submit(request.cursor);
  }

  async #find(request: PlainRequest, cursors: (Cursor | undefined)[]): Promise<(PageRow[] | undefined)[]> {
    const { text, values } = pagesSql(request, cursors);
    const rows = await readBinary(this.#db, { name: nameOf(text), text, values }, PageRow);
    if (rows.length === 0) return cursors.map(() => undefined);
    const pages = cursors.map((): PageRow[] => []);
    for (const row of rows) if (row.matches) pages[row.step ?? 0]?.push(row);
    return pages;
  }
}

const all = new WeakMap<Database, PlainPages>();

export function pagesOf(db: Database): PlainPages {
  const known = all.get(db);
  if (known) return known;
  const pages = new PlainPages(db);
  all.set(db, pages);
  return pages;
}

/**
 * Pages that differ in their cursors alone. Each row has the position of its cursor as its `step`; a page without entries is one row
 * that does not match. No row: the collection is not at the version of the request anymore.
 */
function pagesSql({ scope, order, limit }: PlainRequest, cursors: readonly (Cursor | undefined)[]): Sql {
  const { accountId, collectionId, version, state } = scope;
  const { by, descending } = order;
  const values = [
    accountId,
    collectionId,
    version,
    limit,
    cursors.map((cursor) => startOf(order, cursor)),
    cursors.map((cursor) => cursor?.id ?? (descending ? LAST_ID : FIRST_ID)),
  ];
  return { text: textOf(by, descending, state, Math.max(MAX_ROWS, limit)), values };
}

/** After which time a page begins. A cursor in the order of creation needs only its ID. */
function startOf({ by, descending }: TimeOrder, cursor: Cursor | undefined): string {
  if (cursor === undefined) return descending ? 'infinity' : '-infinity';
  return by === 'updatedAt' ? cursor.key : isoTime(uuidTime(cursor.id));
}

const texts = new Map<string, string>();

function textOf(by: TimeOrder['by'], descending: boolean, state: Scope['state'], maxRows: number): string {
  const name = `${by} ${descending} ${state} ${maxRows}`;
  const known = texts.get(name);
  if (known !== undefined) return known;
  const [column, key] = by === 'createdAt' ? ['created_at', "''"] : ['updated_at', 'e.updated_at::text'];
  const [beyond, direction] = descending ? ['<', 'desc'] : ['>', 'asc'];
  const columns = `e."values", e.version, e.updated_at`;
  const published = state ? ', e.published_version, e.published_at, e.published_locales' : '';
  // Of an array in a subquery PostgreSQL does not see how long it is, and keeps the plan. The inner limit tells the planner how
  // little of the order is read.
  const text = `select e.sort_key, e.entry_id, page.number - 1 as step, e.matches, ${columns}${published}
    from collections c
    cross join unnest((select $5::timestamptz[]), $6::uuid[]) with ordinality as page (at, id, number)
    left join lateral (
      select first.* from (
        select ${key} as sort_key, e.id as entry_id, true as matches, ${columns}${PUBLISHED_COLUMNS[state ?? 'none']}
        from ${state === 'published' ? 'published_entries' : 'entries'} e
        where e.account_id = $1::uuid and e.collection_id = $2::uuid and e.status = 'active'
          and (e.${column}, e.id) ${beyond} (page.at, page.id)
        order by e.${column} ${direction}, e.id ${direction} limit ${maxRows}
      ) as first limit $4::bigint
    ) as e on true
    where c.account_id = $1::uuid and c.id = $2::uuid and c.version = $3::bigint and c.status = 'active'`;
  texts.set(name, text);
  return text;
}

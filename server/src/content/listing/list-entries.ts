import { setImmediate } from 'node:timers/promises';
import { ByteWriter } from '../../shared/byte-writer.ts';
import { type Fault, refuse } from '../../shared/errors.ts';
import { keysetPage } from '../../shared/http/keyset-page.ts';
import type { PageTokens } from '../../shared/page-token.ts';
import type { Database } from '../../shared/postgres/database.ts';
import type { Collection } from '../collections/collection.ts';
import { type CollectionCache, STALE } from '../collections/collection-cache.ts';
import type { Values } from '../entries/check-values.ts';
import type { EntriesQuery } from '../entries/contract.ts';
import { hasComputedValues, type Presentation, serializeValues } from '../entries/serialize-entry.ts';
import { localeView, requestedLocale, type ViewInLocale } from '../locales/locale-view.ts';
import { publishedOf } from '../publishing/published-of.ts';
import { EXPANSIONS, type ExpandDeps, type Expansion, expandEntries } from '../references/expand-entries.ts';
import { type ExpandTree, parseExpand } from '../references/expand-tree.ts';
import { findPage } from './find-page.ts';
import type { PageRow } from './page-request.ts';
import { type Listing, parseListing } from './parse-listing.ts';
import { entryWriter, type WriteEntry } from './write-entry.ts';

/** How entries of a listing are read and returned. */
export interface PageOptions {
  /** Distinguishes page tokens. */
  scope: string;
  state: 'draft' | 'published';
  /** The collection as it is listed. @throws ApiError */
  viewOf: (stored: Collection) => Collection;
  publicUrl: string;
  presentation?: Presentation;
  /** Writes what is around the values of an entry. */
  writerOf: (collection: Collection) => WriteEntry;
  /** How references are returned; undefined: as IDs. */
  expansion: Expansion | undefined;
  /** Which locale is returned if none is requested: by default all, as they are stored. */
  inLocale?: ViewInLocale;
  /** The query as it is answered, by the collection as it is listed; undefined: as it was sent. */
  restrict?: (collection: Collection) => Promise<EntriesQuery>;
}

/**
 * A page of a collection's active entries as JSON: `{entries, nextPageToken}`.
 * @throws ApiError 404 if there is no such active collection; 400 with every fault of sort and filters, or of the token
 */
export function listEntries(
  db: Database,
  cache: CollectionCache,
  tokens: PageTokens,
  accountId: string,
  collectionId: string,
  query: EntriesQuery,
  publicUrl: string,
): Promise<Buffer> {
  const { state = 'draft' } = query;
  return listPage(db, cache, tokens, accountId, collectionId, query, {
    scope: 'entries',
    state,
    viewOf: (stored) => (state === 'published' ? publishedOf(stored, '?state') : stored),
    publicUrl,
    writerOf: entryWriter,
    expansion: query.expand ? EXPANSIONS[state] : undefined,
  });
}

/** Values are copied as bytes from the database into the response unless some of them are computed. */
export function listPage(
  db: Database,
  cache: CollectionCache,
  tokens: PageTokens,
  accountId: string,
  collectionId: string,
  sent: EntriesQuery,
  options: PageOptions,
): Promise<Buffer> {
  return cache.use(db, accountId, collectionId, async (stored) => {
    const locale = await requestedLocale(db, accountId, stored, sent.locale);
    const collection = (options.inLocale ?? localeView)(options.viewOf(stored), locale);
    const query = (await options.restrict?.(collection)) ?? sent;
    const faults: Fault[] = [];
    const listing = parseListing(collection, query, faults);
    refuse(faults);
    const tree = parseExpand(query.expand);
    let isStale = false;
    const page = await keysetPage<PageRow, [key: string, id: string]>({
      tokens,
      scope: [
        accountId,
        collection.publicId,
        options.scope,
        options.state,
        ...identityOf(listing, query),
        ...(collection.locale ? [collection.locale] : []),
      ],
      query,
      async read(after, limit) {
        const cursor = after && { key: after[0], id: after[1] };
        const { id, version, publishing } = collection;
        const scope = { accountId, collectionId: id, version, state: publishing ? options.state : undefined };
        const rows = await findPage(db, scope, collection, listing, cursor, limit);
        isStale = rows === undefined;
        return rows ?? [];
      },
      positionOf: ({ cursor: { key, id } }) => [key, id],
    });
    if (isStale) return STALE;
    const rows = page.rows.filter(({ isThere }) => isThere);
    const deps = { tx: db, cache, accountId, publicUrl: options.publicUrl, locale };
    const values = await returnedValues(deps, collection, rows, tree, options);
    if (values === STALE) return STALE;
    return pageJson(rows, values, options.writerOf(collection), page.nextPageToken);
  });
}

/** What distinguishes one listing from another. Contains the effective order, since a collection's default can change. */
function identityOf({ order }: Listing, query: EntriesQuery): unknown[] {
  const by = typeof order.by === 'string' ? order.by : order.by.key;
  const filters = Object.entries(query).filter(([name]) => name.startsWith('filter['));
  return [by, order.descending, query.q ?? '', filters.sort(([a], [b]) => (a < b ? -1 : 1))];
}

function pageJson(
  rows: PageRow[],
  values: Buffer[] | undefined,
  write: WriteEntry,
  nextPageToken: string | null,
): Buffer {
  const size = (row: PageRow, i: number) => ENTRY_BYTES + (values?.[i]?.length ?? row.valuesSize);
  const out = new ByteWriter(rows.reduce((sum, row, i) => sum + size(row, i), PAGE_BYTES));
  out.ascii('{"entries":[');
  for (let i = 0; i < rows.length; i++) {
    if (i > 0) out.bytes(COMMA);
    write(out, rows[i] as PageRow, values?.[i]);
  }
  out.ascii(`],"nextPageToken":${JSON.stringify(nextPageToken)}}`);
  return out.written;
}

const COMMA = Buffer.from(',');

/** About what an entry has besides its values, and a page besides its entries. */
const ENTRY_BYTES = 300;
const PAGE_BYTES = 500;

/** @returns undefined: as they are stored */
async function returnedValues(
  deps: ExpandDeps,
  collection: Collection,
  rows: PageRow[],
  tree: ExpandTree | undefined,
  { presentation, expansion }: PageOptions,
): Promise<Buffer[] | undefined | typeof STALE> {
  const expands = expansion && (tree || collection.hasReferences) ? expansion : undefined;
  if (!hasComputedValues(collection) && !expands && !presentation?.richText) return undefined;
  const stored = rows.flatMap(({ values }) => values ?? []);
  const sizeOf = (_: unknown, i: number) => stored[i]?.length ?? 0;
  const parsed = await mapInTurns(stored, sizeOf, (bytes): Values => JSON.parse(bytes.toString()));
  const serialized = await serializeValues(deps.tx, deps.accountId, collection, parsed, deps.publicUrl, presentation);
  const expanded = expands && (await expandEntries(deps, expands, collection, serialized, tree));
  if (expanded === STALE) return STALE;
  return mapInTurns(serialized, sizeOf, (values) => Buffer.from(JSON.stringify(values)));
}

/** Of JSON that is processed before other requests get their turn. */
const BYTES_PER_TURN = 2_000_000;

async function mapInTurns<Item, Result>(
  items: readonly Item[],
  sizeOf: (item: Item, index: number) => number,
  map: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  let size = 0;
  for (const [i, item] of items.entries()) {
    size += sizeOf(item, i);
    if (size > BYTES_PER_TURN) {
      await setImmediate();
      size = 0;
    }
    results.push(map(item));
  }
  return results;
}

import { setImmediate } from 'node:timers/promises';
import { type Fault, refuse } from '../../shared/errors.ts';
import { keysetPage } from '../../shared/http/keyset-page.ts';
import type { PageTokens } from '../../shared/page-token.ts';
import type { Database } from '../../shared/postgres/database.ts';
import type { Collection } from '../collections/collection.ts';
import { type CollectionCache, STALE } from '../collections/collection-cache.ts';
import type { Values } from '../entries/check-values.ts';
import type { EntriesQuery } from '../entries/contract.ts';
import { type EntryFrame, type EntryJsonRow, entryFrame } from '../entries/entry-json.ts';
import { hasComputedValues, type Presentation, serializeValues } from '../entries/serialize-entry.ts';
import { localeView, requestedLocale, type ViewInLocale } from '../locales/locale-view.ts';
import { publishedOf } from '../publishing/published-of.ts';
import { EXPANSIONS, type ExpandDeps, type Expansion, expandEntries } from '../references/expand-entries.ts';
import { type ExpandTree, parseExpand } from '../references/expand-tree.ts';
import { findPage } from './find-page.ts';
import type { PageRow } from './page-request.ts';
import { type Listing, parseListing } from './parse-listing.ts';

/** How entries of a listing are read and returned. */
export interface PageOptions {
  /** Distinguishes page tokens. */
  scope: string;
  state: 'draft' | 'published';
  /** The collection as it is listed. @throws ApiError */
  viewOf: (stored: Collection) => Collection;
  publicUrl: string;
  presentation?: Presentation;
  frame: (collection: Collection, row: EntryJsonRow) => EntryFrame;
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
    frame: entryFrame,
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
    const rows = page.rows.filter(({ values }) => values !== undefined);
    const deps = { tx: db, cache, accountId, publicUrl: options.publicUrl, locale };
    const values = await returnedValues(deps, collection, rows, tree, options);
    if (values === STALE) return STALE;
    const frames = rows.map((row) => options.frame(collection, jsonRowOf(row)));
    return pageJson(frames, values, page.nextPageToken);
  });
}

/** What distinguishes one listing from another. Contains the effective order, since a collection's default can change. */
function identityOf({ order }: Listing, query: EntriesQuery): unknown[] {
  const by = typeof order.by === 'string' ? order.by : order.by.key;
  const filters = Object.entries(query).filter(([name]) => name.startsWith('filter['));
  return [by, order.descending, query.q ?? '', filters.sort(([a], [b]) => (a < b ? -1 : 1))];
}

function jsonRowOf(row: PageRow): EntryJsonRow {
  const { uuidBytes, version, updatedAt, publishedVersion, publishedAt, publishedLocales } = row;
  return {
    id: uuidBytes,
    status: 'active',
    version,
    updated_at: updatedAt,
    published_version: publishedVersion,
    published_at: publishedAt,
    published_locales: publishedLocales,
  };
}

function pageJson(frames: EntryFrame[], values: Buffer[], nextPageToken: string | null): Buffer {
  const texts = ['{"entries":['];
  for (const [before, after] of frames) {
    texts[texts.length - 1] += texts.length === 1 ? before : `,${before}`;
    texts.push(after);
  }
  texts[texts.length - 1] += `],"nextPageToken":${JSON.stringify(nextPageToken)}}`;
  const size = texts.reduce((sum, { length }) => sum + length, 0) + values.reduce((sum, { length }) => sum + length, 0);
  const json = Buffer.allocUnsafe(size);
  let at = 0;
  for (const [i, text] of texts.entries()) {
    at += json.write(text, at, 'latin1');
    at += values[i]?.copy(json, at) ?? 0;
  }
  return json;
}

async function returnedValues(
  deps: ExpandDeps,
  collection: Collection,
  rows: PageRow[],
  tree: ExpandTree | undefined,
  { presentation, expansion }: PageOptions,
): Promise<Buffer[] | typeof STALE> {
  const stored = rows.flatMap(({ values }) => values ?? []);
  const expands = expansion && (tree || collection.hasReferences) ? expansion : undefined;
  if (!hasComputedValues(collection) && !expands && !presentation?.richText) return stored;
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

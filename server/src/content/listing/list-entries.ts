import { ByteWriter } from '../../shared/byte-writer.ts';
import { keysetPage } from '../../shared/http/keyset-page.ts';
import { publicId } from '../../shared/ids.ts';
import { parseExactly, readJson } from '../../shared/json.ts';
import type { PageTokens } from '../../shared/page-token.ts';
import type { Database } from '../../shared/postgres/database.ts';
import { mapInTurns } from '../../shared/turns.ts';
import type { Collection, SchemaView } from '../collections/collection.ts';
import { stateView } from '../collections/collection.ts';
import { STALE } from '../collections/stale.ts';
import type { Values } from '../entries/check-values.ts';
import type { EntriesQuery } from '../entries/contract.ts';
import { hasComputedValues, isPresented, type Presentation, serializeValues } from '../entries/serialize-entry.ts';
import { localeView, requestedLocale, type ViewInLocale } from '../locales/locale-view.ts';
import { valuesText } from '../ordering/lift-order.ts';
import { publishedOf } from '../publishing/published-of.ts';
import type { ExpandQuery, Join, QueryBody } from '../query/contract.ts';
import { explaining } from '../query/explain.ts';
import { applyExpandQueries, ChangedMeanwhile, checkExtras, type ExtraDeps, readJoins } from '../query/page-extras.ts';
import { parseAsRead, resolvedListing } from '../query/readers.ts';
import { parseSelect, type Selection, selectValues } from '../query/select.ts';
import { findSortedPage, type SortedRow } from '../query/sorted-page.ts';
import { inTime } from '../query/too-expensive.ts';
import { EXPANSIONS, type ExpandDeps, type Expansion, expandEntries } from '../references/expand-entries.ts';
import { type ExpandTree, parseExpand } from '../references/expand-tree.ts';
import { readableOfAny, refuseExplaining } from '../roles/permitted.ts';
import { countEntries } from './count-entries.ts';
import { findPage } from './find-page.ts';
import type { PageRow } from './page-request.ts';
import { type Listing, type OwnQuery, parseListing } from './parse-listing.ts';
import { entryWriter, type WriteEntry } from './write-entry.ts';

/** JSON of members beside the values, each after a comma, by public ID. */
type EntryMembers = ReadonlyMap<string, string>;

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
  writerOf: (collection: Collection, members?: EntryMembers) => WriteEntry;
  /** More members of entries. */
  membersOf?: (stored: Collection, rows: readonly PageRow[], locale: string | undefined) => Promise<EntryMembers>;
  /** Replaces the values of entries (public ID). */
  vary?: (id: string, values: Values) => Values;
  /** How references are returned; undefined: as IDs. */
  expansion: Expansion | undefined;
  /** Which locale is returned if none is requested: by default all, as they are stored. */
  inLocale?: ViewInLocale;
  /** Referenced collections as their entries are read; undefined if they cannot be. */
  targetView: (stored: Collection) => Collection | undefined;
  /** Reads referenced entries. */
  findTargets: Expansion['find'];
  /** Whether everyone can read the result: it must not depend on what is not public. */
  isPublic?: boolean;
  /** How references are expanded that are left out of `expand`, and whether something is joined. */
  extras?: { expand?: Record<string, ExpandQuery> | undefined; join?: Record<string, Join> | undefined };
  /** How `extras` are returned, if `expansion` expands nothing. */
  extraExpansion?: Expansion;
}

/**
 * A page of a collection's active entries as JSON: `{entries, nextPageToken}`.
 * @throws ApiError 404 if there is no such active collection; 400 with every fault of sort and filters, or of the token
 */
export async function listEntries(
  db: Database,
  cache: SchemaView,
  tokens: PageTokens,
  accountId: string,
  collectionId: string,
  { explain, ...query }: Parameters<typeof listPlainly>[5] & { explain?: boolean },
  publicUrl: string,
): Promise<Buffer> {
  if (!explain) return listPlainly(db, cache, tokens, accountId, collectionId, query, publicUrl);
  refuseExplaining(cache);
  const traced = explaining(db);
  const page = await listPlainly(traced.db, cache, tokens, accountId, collectionId, query, publicUrl);
  return Buffer.from(`${page.subarray(0, -1).toString()},"explain":${JSON.stringify(traced.explanation)}}`);
}

function listPlainly(
  db: Database,
  cache: SchemaView,
  tokens: PageTokens,
  accountId: string,
  collectionId: string,
  { expand, join, ...sent }: Omit<EntriesQuery, 'expand'> & Pick<QueryBody, 'expand' | 'join'> & OwnQuery,
  publicUrl: string,
): Promise<Buffer> {
  const query: EntriesQuery & OwnQuery = { ...sent, ...(typeof expand === 'string' && { expand }) };
  const { state = 'draft' } = query;
  return listPage(db, cache, tokens, accountId, collectionId, query, {
    scope: 'entries',
    state,
    viewOf: (stored) => (state === 'published' ? publishedOf(stored, '?state') : stored),
    publicUrl,
    writerOf: entryWriter,
    expansion: query.expand ? EXPANSIONS[state] : undefined,
    targetView: stateView(state),
    findTargets: EXPANSIONS[state].find,
    extras: { expand: typeof expand === 'object' ? expand : undefined, join },
    extraExpansion: EXPANSIONS[state],
  });
}

/** Values are copied as bytes from the database into the response unless some of them are computed. */
export function listPage(
  db: Database,
  cache: SchemaView,
  tokens: PageTokens,
  accountId: string,
  collectionId: string,
  query: EntriesQuery & OwnQuery,
  options: PageOptions,
): Promise<Buffer> {
  const read = cache.use<Buffer>(db, accountId, collectionId, async (stored) => {
    const locale = await requestedLocale(db, accountId, stored, query.locale);
    const collection = (options.inLocale ?? localeView)(options.viewOf(stored), locale);
    const inLocale = options.inLocale ?? localeView;
    const { isPublic = false, findTargets } = options;
    const viewOf = (each: Collection) => {
      const view = options.targetView(each);
      return view && inLocale(view, locale);
    };
    const { parsed, selection } = await parseAsRead(
      db,
      { cache, accountId, viewOf, isPublic },
      async (reader, faults) => {
        const parsed = await parseListing(collection, query, faults, reader);
        const selection = await parseSelect(collection, query.select, faults, reader);
        if (options.extras) await checkExtras(db, accountId, collection, options.extras, reader, faults);
        return { parsed, selection };
      },
    );
    const tree = parseExpand(query.expand);
    const { id, version, publishing } = collection;
    const scope = { accountId, collectionId: id, version, state: publishing ? options.state : undefined };
    const listing = await resolvedListing(db, scope, parsed, isPublic ? findTargets : undefined);
    const { sortKeys } = listing;
    let isStale = false;
    const page = await keysetPage<SortedRow, string[]>({
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
        let rows: SortedRow[] | undefined;
        if (sortKeys) {
          const find = async (ids: string[]) => {
            const found = await findTargets(db, { account_id: accountId, ids, expanded: ids });
            return readableOfAny(db, accountId, cache, found, options.state);
          };
          rows = await findSortedPage(db, scope, collection, { ...listing, sortKeys }, after, limit, find);
        } else {
          const cursor = after && { key: after[0] ?? '', id: after[1] ?? '' };
          const found = await findPage(db, scope, collection, listing, cursor, limit);
          rows = found?.map((row) => ({ row, keys: [row.cursor.key] }));
        }
        isStale = rows === undefined;
        return rows ?? [];
      },
      positionOf: ({ row, keys }) => [...keys, row.id],
    });
    if (isStale) return STALE;
    const rows = page.rows.flatMap(({ row }) => (row.isThere ? row : []));
    const deps = { tx: db, cache, accountId, publicUrl: options.publicUrl, locale };
    const values = await returnedValues(deps, collection, rows, tree, selection, options);
    if (values === STALE) return STALE;
    const total = query.count === undefined ? undefined : await countEntries(db, scope, collection, listing);
    const more = { nextPageToken: page.nextPageToken, ...(total !== undefined && { total }) };
    const members = await options.membersOf?.(stored, rows, locale);
    const json = pageJson(rows, values, options.writerOf(collection, members), more);
    const { extras = {}, expansion, extraExpansion = expansion, writerOf, presentation } = options;
    if (!extraExpansion || (!extras.expand && !extras.join)) return json;
    const reader = { cache, accountId, viewOf, isPublic };
    const extraDeps = { ...deps, reader, state: options.state, expansion: extraExpansion, presentation, writerOf };
    return withExtras(extraDeps, collection, json, extras).catch((error: unknown) => {
      if (error instanceof ChangedMeanwhile) return STALE;
      throw error;
    });
  });
  return inTime(read);
}

/** A page with what a query expands and joins. */
async function withExtras(
  deps: ExtraDeps,
  collection: Collection,
  json: Buffer,
  { expand, join }: NonNullable<PageOptions['extras']>,
): Promise<Buffer> {
  const { entries, ...more } = readJson(json.toString()) as { entries: { id: string; values: Values }[] };
  if (expand)
    await applyExpandQueries(
      deps,
      collection,
      entries.map(({ values }) => values),
      expand,
    );
  const ids = entries.map(({ id }) => id);
  const joined = join && (await readJoins(deps, ids, join));
  const texts = entries.map((entry) => {
    const text = JSON.stringify(entry);
    return joined ? `${text.slice(0, -1)},"joined":${joined.get(entry.id)}}` : text;
  });
  return Buffer.from(`{"entries":[${texts.join(',')}],${JSON.stringify(more).slice(1)}`);
}

/** What distinguishes one listing from another. Contains the effective order, since a collection's default can change. */
function identityOf({ order, sortKeys }: Listing, query: EntriesQuery): unknown[] {
  const by = typeof order.by === 'string' ? order.by : order.by.key;
  const filters = Object.entries(query).filter(([name]) => name.startsWith('filter['));
  const { where } = query;
  const more = where === undefined && !sortKeys ? [] : [canonical(where), query.sort ?? ''];
  return [by, order.descending, query.q ?? '', filters.sort(([a], [b]) => (a < b ? -1 : 1)), ...more];
}

/** Conditions as JSON, which a URL has as a text and a body does not. */
const canonical = (where: unknown): unknown => (typeof where === 'string' ? parseExactly(where) : (where ?? ''));

function pageJson(
  rows: PageRow[],
  values: Buffer[] | undefined,
  write: WriteEntry,
  more: { nextPageToken: string | null; total?: number },
): Buffer {
  const size = (row: PageRow, i: number) => ENTRY_BYTES + (values?.[i]?.length ?? row.valuesSize);
  const out = new ByteWriter(rows.reduce((sum, row, i) => sum + size(row, i), PAGE_BYTES));
  out.ascii('{"entries":[');
  for (let i = 0; i < rows.length; i++) {
    if (i > 0) out.bytes(COMMA);
    write(out, rows[i] as PageRow, values?.[i]);
  }
  out.ascii(`],${JSON.stringify(more).slice(1)}`);
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
  selection: Selection | undefined,
  { presentation, expansion, vary }: PageOptions,
): Promise<Buffer[] | undefined | typeof STALE> {
  const expands = expansion && (tree || collection.hasReferences) ? expansion : undefined;
  if (!hasComputedValues(collection) && !expands && !isPresented(collection, presentation) && !selection && !vary)
    return undefined;
  const stored = rows.flatMap(({ values }) => values ?? []);
  const read = await mapInTurns(stored, (bytes): Values => readJson(bytes.toString()));
  const parsed = vary ? read.map((values, i) => vary(publicId('ent', rows[i]?.id ?? ''), values)) : read;
  const serialized = await serializeValues(deps.tx, deps.accountId, collection, parsed, deps.publicUrl, presentation);
  const expanded = expands && (await expandEntries(deps, expands, collection, serialized, tree));
  if (expanded === STALE) return STALE;
  const selected = (values: Values) => (selection ? selectValues(collection, values, selection) : values);
  return mapInTurns(serialized, (values) => Buffer.from(valuesText(collection, selected(values))));
}

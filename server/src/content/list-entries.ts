import { type Fault, refuse } from '../shared/errors.ts';
import { publicId, uuidTime } from '../shared/ids.ts';
import type { PageTokens } from '../shared/page-token.ts';
import type { Database } from '../shared/postgres/database.ts';
import { isoTime } from '../shared/time.ts';
import type { Collection } from './collection.ts';
import { DEFAULT_PAGE_SIZE, type EntriesQuery } from './contract.ts';
import { answerValues } from './entry-answer.ts';
import { findPage } from './find-page.ts';
import { type KnownCollections, STALE } from './known-collections.ts';
import type { PageRow, Place } from './page-sql.ts';
import { type Listing, readListing } from './read-listing.ts';

/**
 * A page of a collection's active entries, as JSON text: `{entries, nextPageToken}`. The values go from the database into
 * the answer as they are stored, unless some of them are answered otherwise.
 * @throws ApiError 404 where there is no such active collection; 400 with every fault of sort and filters, or for the token
 */
export async function listEntries(
  db: Database,
  known: KnownCollections,
  pageTokens: PageTokens,
  accountId: string,
  collectionId: string,
  query: EntriesQuery,
  publicUrl: string,
): Promise<string> {
  return known.use(db, accountId, collectionId, async (collection) => {
    const faults: Fault[] = [];
    const listing = readListing(collection, query, faults);
    refuse(faults);
    const tokenScope = [accountId, collection.publicId, 'entries', ...identityOf(listing, query)];
    const place = query.pageToken ? readPlace(pageTokens.read(tokenScope, query.pageToken)) : undefined;
    const pageSize = query.pageSize ?? DEFAULT_PAGE_SIZE;
    const scope = { accountId, collectionId: collection.id, version: collection.version };
    // One more than the page holds tells whether there is a next one.
    const rows = await findPage(db, scope, collection, listing, place, pageSize + 1);
    if (rows === undefined) return STALE;
    const last = rows.length > pageSize ? rows[pageSize - 1] : undefined;
    const shown = rows.slice(0, pageSize).filter(([, , , , values]) => values !== null);
    const values = await answeredValues(db, accountId, collection, shown, publicUrl);
    const entries = shown.map((row, i) => entryText(collection, row, values[i] ?? '{}'));
    const token = last ? JSON.stringify(pageTokens.write(tokenScope, [last[0], last[1]])) : 'null';
    return `{"entries":[${entries.join(',')}],"nextPageToken":${token}}`;
  });
}

/** What makes a listing another one. The effective order is part of it: a collection's default may change between pages. */
function identityOf({ order }: Listing, query: EntriesQuery): unknown[] {
  const by = typeof order.by === 'string' ? order.by : order.by.key;
  const filters = Object.entries(query).filter(([name]) => name.startsWith('filter['));
  return [by, order.descending, query.q ?? '', filters.sort(([a], [b]) => (a < b ? -1 : 1))];
}

function readPlace(position: unknown): Place {
  const [key, id] = position as [string, string];
  return { key, id };
}

async function answeredValues(
  db: Database,
  accountId: string,
  collection: Collection,
  rows: PageRow[],
  publicUrl: string,
): Promise<string[]> {
  const stored = rows.map(([, , , , values]) => values ?? '{}');
  if (!collection.rewritten) return stored;
  const parsed = stored.map((text) => JSON.parse(text));
  const answered = await answerValues(db, accountId, collection, parsed, publicUrl);
  return answered.map((values) => JSON.stringify(values));
}

/** An active entry as JSON. Nothing in it but the values can hold a character that JSON escapes. */
function entryText(collection: Collection, row: PageRow, values: string): string {
  const [, id, , , , version, updatedAt] = row;
  const uuid = id ?? '';
  const createdAt = isoTime(uuidTime(uuid));
  return `{"id":"${publicId('ent', uuid)}","collectionId":"${collection.publicId}","values":${values},"status":"active","version":${version},"createdAt":"${createdAt}","updatedAt":"${isoOfText(updatedAt ?? '')}"}`;
}

/** The time that PostgreSQL writes, `2026-11-20 08:00:00.12+00`, as the API does; by its letters where it is in UTC. */
function isoOfText(text: string): string {
  if (!text.endsWith('+00') || text.length > 26) return isoTime(new Date(text));
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(3, '0')}Z`;
}

import { type Fault, refuse } from '../../shared/errors.ts';
import { uuidTime } from '../../shared/ids.ts';
import { readJson } from '../../shared/json.ts';
import type { Database } from '../../shared/postgres/database.ts';
import type { Collection, SchemaView } from '../collections/collection.ts';
import { findCollection } from '../collections/queries.ts';
import type { Values } from '../entries/check-values.ts';
import type { EntriesQuery } from '../entries/contract.ts';
import { publishedOf } from '../publishing/published-of.ts';
import { freshReader, resolvedListing } from '../query/readers.ts';
import { findPage } from './find-page.ts';
import type { Cursor } from './page-request.ts';
import { parseListing } from './parse-listing.ts';

const PAGE_SIZE = 1_000;

export interface ReadEntry {
  id: string;
  /** As stored: including those of deleted fields, and assets as references. */
  values: Values;
  /** Milliseconds since 1970. */
  createdAt: number;
  updatedAt: Date;
  /** Of a collection with publishing. */
  publishedVersion: number | null;
  publishedAt: Date | null;
}

/**
 * Reads all active entries of a listing, in their latest or published version, in pages, each in a statement of its own, so
 * that writes in between neither repeat nor hide other entries. Ends early if the collection is deleted.
 * @throws ApiError 400 if a field that the listing uses was deleted, or `publishing_disabled`
 */
export async function* readEntries(
  db: Database,
  schema: SchemaView,
  accountId: string,
  collectionId: string,
  { state = 'draft', ...query }: EntriesQuery,
): AsyncGenerator<{ collection: Collection; entries: ReadEntry[] }> {
  let cursor: Cursor | undefined;
  for (let stored = await readCollection(db, schema, accountId, collectionId); stored; ) {
    const collection = state === 'published' ? publishedOf(stored, '/state') : stored;
    const { version, publishing } = collection;
    const scope = { accountId, collectionId, version, state: publishing ? state : undefined };
    const faults: Fault[] = [];
    const reader = freshReader(db, schema, accountId, state);
    const parsed = await parseListing(collection, query, faults, reader);
    refuse(faults);
    const listing = await resolvedListing(db, scope, parsed);
    for (;;) {
      const rows = await findPage(db, scope, collection, listing, cursor, PAGE_SIZE);
      if (rows === undefined) break;
      const entries = rows.flatMap(({ id, values, updatedAt, publishedVersion, publishedAt }): ReadEntry[] => {
        if (values === undefined) return [];
        const published = {
          publishedVersion: publishedVersion ?? null,
          publishedAt: publishedAt === undefined ? null : new Date(publishedAt),
        };
        const times = { createdAt: uuidTime(id), updatedAt: new Date(updatedAt) };
        return [{ id, values: readJson(values.toString()), ...times, ...published }];
      });
      yield { collection, entries };
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE_SIZE) return;
      cursor = last.cursor;
    }
    stored = await readCollection(db, schema, accountId, collectionId);
  }
}

async function readCollection(
  db: Database,
  schema: SchemaView,
  accountId: string,
  id: string,
): Promise<Collection | undefined> {
  const [row] = await findCollection(db, { account_id: accountId, id });
  return row && schema.read(db, accountId, row);
}

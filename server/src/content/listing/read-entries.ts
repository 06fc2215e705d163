import { type Fault, refuse } from '../../shared/errors.ts';
import { uuidTime } from '../../shared/ids.ts';
import type { Database } from '../../shared/postgres/database.ts';
import { type Collection, collectionOf, isActive } from '../collections/collection.ts';
import { findCollection } from '../collections/queries.ts';
import type { Values } from '../entries/check-values.ts';
import type { EntriesQuery } from '../entries/contract.ts';
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
}

/**
 * Reads all active entries of a listing in pages, each in a statement of its own, so that writes in between neither repeat
 * nor hide other entries. Ends early if the collection is deleted.
 * @throws ApiError 400 if a field that the listing uses was deleted
 */
export async function* readEntries(
  db: Database,
  accountId: string,
  collectionId: string,
  query: EntriesQuery,
): AsyncGenerator<{ collection: Collection; entries: ReadEntry[] }> {
  let cursor: Cursor | undefined;
  for (let collection = await readCollection(db, accountId, collectionId); collection; ) {
    const scope = { accountId, collectionId, version: collection.version };
    const faults: Fault[] = [];
    const listing = parseListing(collection, query, faults);
    refuse(faults);
    for (;;) {
      const rows = await findPage(db, scope, collection, listing, cursor, PAGE_SIZE);
      if (rows === undefined) break;
      const entries = rows.flatMap(([, id, , , values, , updatedAt]): ReadEntry[] => {
        if (id === null || values === null) return [];
        return [{ id, values: JSON.parse(values), createdAt: uuidTime(id), updatedAt: new Date(updatedAt ?? 0) }];
      });
      yield { collection, entries };
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE_SIZE) return;
      cursor = { key: last[0] ?? '', id: last[1] ?? '' };
    }
    collection = await readCollection(db, accountId, collectionId);
  }
}

async function readCollection(db: Database, accountId: string, id: string): Promise<Collection | undefined> {
  const [row] = await findCollection(db, { account_id: accountId, id });
  return row && isActive(row) ? collectionOf(row) : undefined;
}

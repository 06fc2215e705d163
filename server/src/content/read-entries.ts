import { refuse } from '../shared/errors.ts';
import { uuidTime } from '../shared/ids.ts';
import type { Database } from '../shared/postgres/database.ts';
import type { Values } from './check-values.ts';
import { type Collection, collectionOf, isActive } from './collection.ts';
import type { EntriesQuery } from './contract.ts';
import { findPage } from './find-page.ts';
import type { Place } from './page-sql.ts';
import { findCollection } from './queries.ts';
import { readListing } from './read-listing.ts';

const PAGE_SIZE = 1_000;

export interface ReadEntry {
  id: string;
  /** As they are stored: those of deleted fields included, assets by their id. */
  values: Values;
  /** Milliseconds since 1970. */
  createdAt: number;
  updatedAt: Date;
}

/**
 * All active entries that a listing has, page by page in its order, each page by itself: what is written meanwhile neither
 * repeats nor hides others. Ends early where the collection is deleted.
 * @throws ApiError 400 where a field that the listing names was deleted
 */
export async function* readEntries(
  db: Database,
  accountId: string,
  collectionId: string,
  query: EntriesQuery,
): AsyncGenerator<{ collection: Collection; entries: ReadEntry[] }> {
  let place: Place | undefined;
  for (let collection = await readCollection(db, accountId, collectionId); collection; ) {
    const { version } = collection;
    const faults: Parameters<typeof readListing>[2] = [];
    const listing = readListing(collection, query, faults);
    refuse(faults);
    for (;;) {
      const scope = { accountId, collectionId, version };
      const rows = await findPage(db, scope, collection, listing, place, PAGE_SIZE);
      if (rows === undefined) break;
      const entries = rows.flatMap(([, id, , , values, , updatedAt]): ReadEntry[] => {
        if (id === null || values === null) return [];
        return [{ id, values: JSON.parse(values), createdAt: uuidTime(id), updatedAt: new Date(updatedAt ?? 0) }];
      });
      yield { collection, entries };
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE_SIZE) return;
      place = { key: last[0] ?? '', id: last[1] ?? '' };
    }
    collection = await readCollection(db, accountId, collectionId);
  }
}

async function readCollection(db: Database, accountId: string, id: string): Promise<Collection | undefined> {
  const [row] = await findCollection(db, accountId, id);
  return row && isActive(row) ? collectionOf(row) : undefined;
}

import { notFound } from '../shared/errors.ts';
import { parseId } from '../shared/ids.ts';
import type { PageTokens } from '../shared/page-token.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { isoTime } from '../shared/time.ts';
import { nameAuthors } from '../users/index.ts';
import { type Collection, isActive } from './collection.ts';
import { DEFAULT_PAGE_SIZE, type EntryVersion, type EntryVersionWithValues } from './contract.ts';
import { answerValues } from './entry-answer.ts';
import { type KnownCollections, STALE } from './known-collections.ts';
import { type EntryRow, findEntry } from './queries.ts';
import { readVersion } from './read-version.ts';
import { findVersion, listVersions, type VersionRow } from './version-queries.ts';

interface EntryPath {
  collectionId: string;
  entryId: string;
}

/** Beyond every version. */
const END = 2_147_483_647;

/**
 * The versions of an entry that are kept, without their values, the newest, which is the current one, first.
 * @throws ApiError 404, for a deleted entry, too, unless `includeDeleted`
 */
export async function listEntryVersions(
  tx: Tx,
  known: KnownCollections,
  pageTokens: PageTokens,
  accountId: string,
  path: EntryPath,
  query: { pageSize?: number; pageToken?: string; includeDeleted?: boolean },
): Promise<{ versions: EntryVersion[]; nextPageToken: string | null }> {
  return ofEntry(tx, known, accountId, path, query.includeDeleted, async (_collection, { id }) => {
    const { pageSize = DEFAULT_PAGE_SIZE, pageToken } = query;
    const scope = [accountId, 'versions', id];
    const before = pageToken ? (pageTokens.read(scope, pageToken) as number) : END;
    // One more than the page holds tells whether there is a next one.
    const rows = await listVersions(tx, accountId, id, before, pageSize + 1);
    const shown = rows.slice(0, pageSize);
    const last = rows.length > pageSize ? shown.at(-1) : undefined;
    return {
      versions: await versionAnswers(tx, accountId, shown),
      nextPageToken: last ? pageTokens.write(scope, last.version) : null,
    };
  });
}

/** One of them, with its values. @throws ApiError 404 */
export async function getEntryVersion(
  tx: Tx,
  known: KnownCollections,
  accountId: string,
  path: EntryPath & { version: string },
  includeDeleted: boolean | undefined,
  publicUrl: string,
): Promise<EntryVersionWithValues> {
  return ofEntry(tx, known, accountId, path, includeDeleted, async (collection, { id }) => {
    const [row] = await findVersion(tx, accountId, id, readVersion(path.version));
    if (!row) throw notFound('version');
    const [version] = await versionAnswers(tx, accountId, [row]);
    const [values = {}] = await answerValues(tx, accountId, collection, [JSON.parse(row.values)], publicUrl);
    return { ...(version as EntryVersion), values };
  });
}

function ofEntry<T>(
  tx: Tx,
  known: KnownCollections,
  accountId: string,
  path: EntryPath,
  includeDeleted = false,
  work: (collection: Collection, entry: EntryRow) => Promise<T>,
): Promise<T> {
  return known.use<T>(tx, accountId, path.collectionId, async (collection) => {
    const id = parseId('ent', path.entryId);
    const [entry] = id === undefined ? [] : await findEntry(tx, accountId, collection.id, id);
    if (!entry || !(isActive(entry) || includeDeleted)) throw notFound('entry');
    return entry.collection_version === collection.version ? work(collection, entry) : STALE;
  });
}

async function versionAnswers(tx: Tx, accountId: string, rows: readonly VersionRow[]): Promise<EntryVersion[]> {
  const authors = await nameAuthors(tx, accountId, rows);
  return rows.map((row, i) => ({
    version: row.version,
    current: row.is_current,
    change: row.change ?? (row.version === 1 ? 'created' : 'changed'),
    changedFields: row.changed_fields,
    restoredFrom: row.restored_from,
    status: row.status,
    at: isoTime(row.made_at),
    by: authors[i] ?? null,
  }));
}

import type { Deps } from '../../shared/deps.ts';
import { notFound } from '../../shared/errors.ts';
import { keysetPage } from '../../shared/http/keyset-page.ts';
import { readJson } from '../../shared/json.ts';
import type { ControlTx } from '../../shared/postgres/database.ts';
import { isoTime } from '../../shared/time.ts';
import { nameAuthors } from '../../users/index.ts';
import type { Collection, SchemaView } from '../collections/collection.ts';
import type { EntryVersion, EntryVersionWithValues } from '../entries/contract.ts';
import { useEntry } from '../entries/get-entry.ts';
import { serializeValues } from '../entries/serialize-entry.ts';
import type { EntryPath } from '../entries/update-entry.ts';
import { findVersion, listVersions, type VersionRow } from './queries.ts';

const MAX_VERSION = 2_147_483_647;

/**
 * The current version of an entry and the earlier ones that are kept, without their values, newest first.
 * @throws ApiError 404 if the entry is deleted, unless `includeDeleted`
 */
export async function listEntryVersions(
  { db, control, pageTokens: tokens }: Deps,
  cache: SchemaView,
  accountId: string,
  path: EntryPath,
  query: { pageSize?: number; pageToken?: string; includeDeleted?: boolean },
): Promise<{ versions: EntryVersion[]; nextPageToken: string | null }> {
  return useEntry(db, cache, accountId, path, query.includeDeleted ?? false, async (collection, { id }) => {
    const { rows, nextPageToken } = await keysetPage<VersionRow, number>({
      tokens,
      scope: [accountId, 'versions', id],
      query,
      read: (before = MAX_VERSION, limit) => listVersions(db, { account_id: accountId, id, before, limit }),
      positionOf: ({ version }) => version,
    });
    return { versions: await serializeVersions(control, accountId, collection, rows), nextPageToken };
  });
}

/** A version with its values. @throws ApiError 404 */
export async function getEntryVersion(
  { db, control, publicUrl }: Deps,
  cache: SchemaView,
  accountId: string,
  path: EntryPath & { version: string },
  includeDeleted: boolean,
): Promise<EntryVersionWithValues> {
  return useEntry(db, cache, accountId, path, includeDeleted, async (collection, { id }) => {
    const [row] = await findVersion(db, { account_id: accountId, id, version: parseVersion(path.version) });
    const [version] = row ? await serializeVersions(control, accountId, collection, [row]) : [];
    if (!row || !version) throw notFound('version');
    const stored = [readJson(row.values)];
    const [values = {}] = await serializeValues(db, accountId, collection, stored, publicUrl());
    return { ...version, values };
  });
}

/** The number of a version in a path. @throws ApiError 404 if no version can have it */
export function parseVersion(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw notFound('version');
  return Number(text);
}

async function serializeVersions(
  control: ControlTx,
  accountId: string,
  { byId }: Collection,
  rows: readonly VersionRow[],
): Promise<EntryVersion[]> {
  const authors = await nameAuthors(control, accountId, rows);
  return rows.map((row, i) => ({
    version: row.version,
    current: row.is_current,
    change: row.change ?? (row.version === 1 ? 'created' : 'changed'),
    changedFields: row.changed_fields?.filter((id) => !byId.get(id)?.hidden) ?? null,
    restoredFrom: row.restored_from,
    status: row.status,
    at: isoTime(row.created_at),
    by: authors[i] ?? null,
  }));
}

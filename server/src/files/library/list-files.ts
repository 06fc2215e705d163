import { pageById } from '../../shared/http/keyset-page.ts';
import type { FilesQuery, ListedAsset } from '../contract.ts';
import type { FileDeps } from '../file-deps.ts';
import { serializeFile } from './asset-response.ts';
import { folderIdOf } from './folders.ts';
import { listAssets } from './queries.ts';
import { countUsesOfMany } from './use-queries.ts';

/** Counting stops here: an account may use one file a million times. */
const MAX_COUNTED_USES = 1_000;

/** An account's files, newest first. */
export async function listFiles(
  { db, pageTokens, publicUrl }: FileDeps,
  account_id: string,
  query: FilesQuery,
): Promise<{ files: ListedAsset[]; nextPageToken: string | null }> {
  const { type, name, unused, missingAlt, tag, deleted, folderId } = query;
  const scope = [account_id, '/v1/files', type, name, unused, missingAlt, tag, deleted, folderId];
  const isInFolder = folderId !== undefined && folderId !== 'none';
  const folder = isInFolder ? await folderIdOf(db, account_id, folderId, '?folderId') : folderId && null;
  const pattern = name && `%${name.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
  const { rows, nextPageToken } = await pageById(pageTokens, scope, query, 'newest first', (before, limit) =>
    listAssets(db, account_id, before, limit, { type, name: pattern, unused, missingAlt, tag, deleted, folder }),
  );
  const asset_ids = rows.map(({ id }) => id);
  const counts = await countUsesOfMany(db, { account_id, asset_ids, max: MAX_COUNTED_USES });
  const uses = new Map(counts.map((count) => [count.id, count.uses]));
  const url = publicUrl();
  return {
    files: rows.map((row) => ({ ...serializeFile(row, url), usedByCount: uses.get(row.id) ?? 0 })),
    nextPageToken,
  };
}

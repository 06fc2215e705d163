import type { PageTokens } from '../shared/page-token.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { fileAnswer } from './asset-url.ts';
import { DEFAULT_PAGE_SIZE, type FilesQuery, type ListedAsset } from './contract.ts';
import { countUsesOfMany, listAssets } from './queries.ts';

const BEHIND_ALL = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Counting goes no further: an account may show one file a million times. */
const MOST_COUNTED = 1_000;

/** The files of an account, the newest first. */
export async function listFiles(
  tx: Tx,
  pageTokens: PageTokens,
  accountId: string,
  { pageSize = DEFAULT_PAGE_SIZE, pageToken, type, name, unused }: FilesQuery,
  publicUrl: string,
): Promise<{ files: ListedAsset[]; nextPageToken: string | null }> {
  const scope = [accountId, '/v1/files', type, name, unused];
  const before = pageToken ? (pageTokens.read(scope, pageToken) as string) : BEHIND_ALL;
  const pattern = name && `%${name.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
  // One more than the page holds tells whether there is a next one.
  const rows = await listAssets(tx, accountId, before, pageSize + 1, { type, name: pattern, unused });
  const last = rows.length > pageSize ? rows[pageSize - 1] : undefined;
  const page = rows.slice(0, pageSize);
  const ids = page.map(({ id }) => id);
  const uses = await countUsesOfMany(tx, accountId, ids, MOST_COUNTED);
  return {
    files: page.map((row, i) => ({ ...fileAnswer(row, publicUrl), usedByCount: uses[i]?.uses ?? 0 })),
    nextPageToken: last ? pageTokens.write(scope, last.id) : null,
  };
}

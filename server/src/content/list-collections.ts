import { uuidTime } from '../shared/ids.ts';
import type { PageTokens } from '../shared/page-token.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { collectionAnswer } from './collection.ts';
import { type Collection, DEFAULT_PAGE_SIZE } from './contract.ts';
import { listCollections } from './queries.ts';

const START = '00000000-0000-0000-0000-000000000000';

/** The active collections of an account, oldest first (interface: GET /v1/cms/collections). */
export async function listCollectionPage(
  tx: Tx,
  pageTokens: PageTokens,
  accountId: string,
  query: { pageSize?: number; pageToken?: string },
): Promise<{ collections: Collection[]; nextPageToken: string | null }> {
  const { pageSize = DEFAULT_PAGE_SIZE, pageToken } = query;
  const scope = [accountId, '/v1/cms/collections'];
  const after = pageToken ? (pageTokens.read(scope, pageToken) as string) : START;
  // One more than the page holds tells whether there is a next one.
  const rows = await listCollections(tx, accountId, new Date(uuidTime(after)), after, pageSize + 1);
  const last = rows.length > pageSize ? rows[pageSize - 1] : undefined;
  return {
    collections: rows.slice(0, pageSize).map(collectionAnswer),
    nextPageToken: last ? pageTokens.write(scope, last.id) : null,
  };
}

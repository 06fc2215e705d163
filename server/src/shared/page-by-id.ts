import type { PageTokens } from './page-token.ts';

const DEFAULT_SIZE = 50;
const FIRST = '00000000-0000-0000-0000-000000000000';
const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * A page of a listing in the order of its ids, which is the order of creation.
 * @param scope whatever the listing depends on: account, path, filter
 * @param list the rows that come behind an id in the listing's order, at most so many
 */
export async function pageById<Row extends { id: string }>(
  tokens: PageTokens,
  scope: readonly unknown[],
  query: { pageSize?: number; pageToken?: string },
  order: 'oldest first' | 'newest first',
  list: (after: string, limit: number) => Promise<Row[]>,
): Promise<{ rows: Row[]; nextPageToken: string | null }> {
  const { pageSize = DEFAULT_SIZE, pageToken } = query;
  const start = order === 'oldest first' ? FIRST : LAST;
  const after = pageToken ? (tokens.read(scope, pageToken) as string) : start;
  // One more than the page holds tells whether there is a next one.
  const rows = await list(after, pageSize + 1);
  const last = rows.length > pageSize ? rows[pageSize - 1] : undefined;
  return { rows: rows.slice(0, pageSize), nextPageToken: last ? tokens.write(scope, last.id) : null };
}

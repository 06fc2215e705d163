import { Type } from 'typebox';
import type { PageTokens } from '../page-token.ts';

/** Parameters of a listing that is read page by page. */
export const PAGING = {
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50, description: '50 unless sent' })),
  pageToken: Type.Optional(
    Type.String({ description: 'The `nextPageToken` of the page before, unchanged; empty is the first page' }),
  ),
};

export const NextPageToken = Type.Union([Type.String(), Type.Null()], {
  description: 'null when there is no further page',
});

/** A listing: whatever it depends on, and where each of its rows stands. */
export interface Listing<Row, Position> {
  pageTokens: PageTokens;
  scope: readonly unknown[];
  query: { pageSize?: number; pageToken?: string };
  /** Rows behind a position, in order, at most `limit`. */
  find(after: Position | null, limit: number): Promise<Row[]>;
  positionOf(row: Row): Position;
}

/** One page of a listing. One row more than it holds tells whether there is a next one. */
export async function readPage<Row, Position>(
  listing: Listing<Row, Position>,
): Promise<{ rows: Row[]; nextPageToken: string | null }> {
  const { pageTokens, scope, query } = listing;
  const { pageSize = 50, pageToken } = query;
  const after = pageToken ? (pageTokens.read(scope, pageToken) as Position) : null;
  const found = await listing.find(after, pageSize + 1);
  const rows = found.slice(0, pageSize);
  const last = found.length > pageSize ? rows.at(-1) : undefined;
  return { rows, nextPageToken: last ? pageTokens.write(scope, listing.positionOf(last)) : null };
}

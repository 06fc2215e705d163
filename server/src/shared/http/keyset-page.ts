import { Type } from 'typebox';
import { FIRST_ID, LAST_ID } from '../ids.ts';
import type { PageTokens } from '../page-token.ts';

const DEFAULT_PAGE_SIZE = 50;
export const MAX_PAGE_SIZE = 100;

/** Query parameters of every paged list. */
export const pageQuery = {
  pageSize: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_PAGE_SIZE,
      description: `Items per page, ${DEFAULT_PAGE_SIZE} by default`,
    }),
  ),
  pageToken: Type.Optional(
    Type.String({
      description: 'The `nextPageToken` of the previous page, unchanged. Empty or `null`: the first page',
    }),
  ),
};

/** The same in the body of a request, where the `nextPageToken` of the last page is null. */
export const BodyPageToken = Type.Optional(
  Type.Union([Type.String(), Type.Null()], {
    description: 'The `nextPageToken` of the previous page, unchanged. Empty or null: the first page',
  }),
);

export const isFirstPage = (token: string | null | undefined): token is undefined | null | '' | 'null' =>
  token === undefined || token === null || token === '' || token === 'null';

export const NextPageToken = Type.Union([Type.String(), Type.Null()], {
  title: 'NextPageToken',
  description: 'null when there is no further page',
});

interface KeysetPage<Row, Position> {
  tokens: PageTokens;
  /** Everything the list depends on: account, path, sort and filter. A token of another list is refused. */
  scope: readonly unknown[];
  query: { pageSize?: number; pageToken?: string | null };
  /** Reads up to `limit` rows behind a position in the list's order; undefined: from the start. */
  read(after: Position | undefined, limit: number): Promise<Row[]>;
  positionOf(row: Row): Position;
}

/** Reads one page of a list by keyset. @throws ApiError 400 `page_token_invalid` */
export async function keysetPage<Row, Position>(
  page: KeysetPage<Row, Position>,
): Promise<{ rows: Row[]; nextPageToken: string | null }> {
  const { tokens, scope, query, read, positionOf } = page;
  const { pageSize = DEFAULT_PAGE_SIZE, pageToken } = query;
  const after = isFirstPage(pageToken) ? undefined : (tokens.read(scope, pageToken) as Position);
  // One row more than the page holds shows whether there is a next page.
  const rows = await read(after, pageSize + 1);
  const last = rows.length > pageSize ? rows[pageSize - 1] : undefined;
  return { rows: rows.slice(0, pageSize), nextPageToken: last ? tokens.write(scope, positionOf(last)) : null };
}

/** A page in the order of the rows' ids, which is the order of creation. */
export function pageById<Row extends { id: string }>(
  tokens: PageTokens,
  scope: readonly unknown[],
  query: { pageSize?: number; pageToken?: string },
  order: 'oldest first' | 'newest first',
  read: (after: string, limit: number) => Promise<Row[]>,
): Promise<{ rows: Row[]; nextPageToken: string | null }> {
  const start = order === 'oldest first' ? FIRST_ID : LAST_ID;
  return keysetPage<Row, string>({
    tokens,
    scope,
    query,
    read: (after = start, limit) => read(after, limit),
    positionOf: ({ id }) => id,
  });
}

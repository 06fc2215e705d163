import { infiniteQueryOptions, type QueryKey } from '@tanstack/react-query';

/** Options of `useInfiniteQuery` for a list route. The query's `data` are the rows of all pages loaded so far. */
export const pagedQuery = <Page extends { nextPageToken: string | null }, Row>(
  queryKey: QueryKey,
  load: (pageToken: string | undefined, signal: AbortSignal) => PromiseLike<Page>,
  rowsOf: (page: Page) => readonly Row[],
  /** How often to refetch, in milliseconds; false: never. */
  intervalOf?: (rows: readonly Row[]) => number | false,
) =>
  infiniteQueryOptions({
    queryKey,
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => load(pageParam, signal),
    getNextPageParam: (page) => page.nextPageToken ?? undefined,
    select: ({ pages }) => pages.flatMap(rowsOf),
    ...(intervalOf && {
      refetchInterval: ({ state }: { state: { data?: { pages: Page[] } | undefined } }) =>
        intervalOf(state.data?.pages.flatMap(rowsOf) ?? []),
    }),
  });

/** What lists need of a query: `useQuery` and `useInfiniteQuery` both return it; `{ data }` alone stands for fixed rows. */
export interface ListQuery<Row> {
  data: readonly Row[] | undefined;
  isError?: boolean;
  error?: unknown;
  refetch?: () => unknown;
  hasNextPage?: boolean;
  isFetchingNextPage?: boolean;
  fetchNextPage?: () => unknown;
}

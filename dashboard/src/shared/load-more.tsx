import { Button } from '@mantine/core';
import type { ListQuery } from './paged-query.ts';

/** Loads the next page of a list; nothing on the last one. */
export function LoadMore({ query }: { query: Omit<ListQuery<unknown>, 'data'> }) {
  if (!query.hasNextPage) return null;
  return (
    <Button variant="default" loading={query.isFetchingNextPage} onClick={() => query.fetchNextPage?.()}>
      Load more
    </Button>
  );
}

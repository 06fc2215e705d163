import { Button } from '@mantine/core';
import { t } from '../languages/translate.ts';
import type { ListQuery } from './paged-query.ts';

/** Loads the next page of a list; nothing on the last one. */
export function LoadMore({ query }: { query: Omit<ListQuery<unknown>, 'data'> }) {
  if (!query.hasNextPage) return null;
  return (
    <Button variant="default" loading={query.isFetchingNextPage} onClick={() => query.fetchNextPage?.()}>
      {t('Load more')}
    </Button>
  );
}

import { Button, Group } from '@mantine/core';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure, Loading } from './states.tsx';

interface ListingProps {
  query: UseInfiniteQueryResult<unknown>;
  isEmpty: boolean;
  /** What stands in the place of an empty listing. */
  empty: ReactNode;
  /** Of the rows while they are loaded. */
  label: string;
  /** The table. */
  children: ReactNode;
}

/** A listing that goes on page by page: its table, or that it loads, failed, or is empty; and a button for what follows. */
export function Listing({ query, isEmpty, empty, label, children }: ListingProps) {
  return (
    <div>
      <div className="surface">
        {query.isError ? (
          <Failure error={query.error} onRetry={() => query.refetch()} />
        ) : query.isPending ? (
          <Loading rows={4} label={label} />
        ) : isEmpty ? (
          empty
        ) : (
          children
        )}
      </div>
      <ShowMore query={query} />
    </div>
  );
}

export function ShowMore({ query }: { query: UseInfiniteQueryResult<unknown> }) {
  if (!query.hasNextPage) return null;
  return (
    <Group justify="center" mt="sm">
      <Button variant="default" loading={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
        Show more
      </Button>
    </Group>
  );
}

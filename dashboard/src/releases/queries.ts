import type { Release } from '@headwater/sdk';
import { queryOptions } from '@tanstack/react-query';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';

/** All releases of a filter, newest first. Scheduled releases change when they are due. */
type ReleaseFilter = NonNullable<Parameters<typeof headwater.listReleases>[0]>;

export const releasesQuery = (filter: ReleaseFilter) =>
  queryOptions({
    queryKey: ['releases', filter],
    queryFn: ({ signal }) => headwater.listReleases({ pageSize: 100, ...filter }, { signal }).all(MAX_SHOWN),
    refetchInterval: 15_000,
  });

export const MAX_SHOWN = 500;

/** Releases that are not finished: open, scheduled or failed. */
export const isPending = ({ status }: Release) => status === 'open' || status === 'scheduled' || status === 'failed';

export const releaseTitle = ({ name, items }: Release) =>
  name ?? items[0]?.title ?? (items[0] ? `Entry ${items[0].entryId.slice(-6)}` : 'Empty release');

/** After releases changed, which may have published entries. */
export function invalidateReleases(): void {
  void queryClient.invalidateQueries({ queryKey: ['releases'] });
  void queryClient.invalidateQueries({ queryKey: ['entries'] });
}

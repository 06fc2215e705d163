import type { Release, ReleaseItem } from '@headwater/sdk';
import { queryOptions } from '@tanstack/react-query';
import { fallbackTitle } from '../content/fallback-title.ts';
import { t } from '../languages/translate.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';

/** Releases of a filter, newest first or by time. Scheduled releases change when they are due. */
type ReleaseFilter = NonNullable<Parameters<typeof headwater.listReleases>[0]>;

export const releasesQuery = (filter: ReleaseFilter) =>
  queryOptions({
    queryKey: ['releases', filter],
    queryFn: ({ signal }) => headwater.listReleases({ pageSize: 100, ...filter }, { signal }).all(MAX_SHOWN),
    refetchInterval: 15_000,
  });

export const MAX_SHOWN = 500;

/** All entries of a release, which are as many as the service accepts. */
export const loadItems = (releaseId: string, signal?: AbortSignal) =>
  headwater.listReleaseItems({ releaseId, pageSize: 100 }, { signal }).all(MAX_SHOWN);

export const releaseItemsQuery = ({ id, version }: Release) =>
  queryOptions({
    queryKey: ['release items', id, version],
    queryFn: ({ signal }) => loadItems(id, signal),
  });

/** Releases that are not finished: open, scheduled or failed. */
export const isPending = ({ status }: Release) => status === 'open' || status === 'scheduled' || status === 'failed';

export const itemTitle = ({ title, entryId }: ReleaseItem) => title ?? fallbackTitle(entryId);

export const releaseTitle = ({ name, item }: Release) => name ?? (item ? itemTitle(item) : t('Empty release'));

/** After releases changed, which may have published entries. */
export function invalidateReleases(): void {
  void queryClient.invalidateQueries({ queryKey: ['releases'] });
  void queryClient.invalidateQueries({ queryKey: ['entries'] });
}

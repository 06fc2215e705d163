import type { UnmatchedCosts } from '@headwater/sdk';
import { queryOptions } from '@tanstack/react-query';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';
import { addDays, today } from '../shared/days.ts';
import { refreshPerformance } from './queries.ts';

export type CostPlatform = Awaited<ReturnType<typeof headwater.listCostPlatforms>>['platforms'][number];
export type UnmatchedCost = UnmatchedCosts['costs'][number];

const POLL_MS = 5_000;
const DAYS = 30;

export const costPlatformsQuery = () =>
  queryOptions({
    queryKey: ['cost platforms'],
    queryFn: async ({ signal }) => (await headwater.listCostPlatforms({ signal })).platforms,
    staleTime: Number.POSITIVE_INFINITY,
  });

export const sourcesQuery = () =>
  queryOptions({
    queryKey: ['cost sources'],
    queryFn: ({ signal }) => headwater.listCostSources({ pageSize: 100 }, { signal }).all(),
    refetchInterval: POLL_MS,
  });

export const unmatchedCostsQuery = () =>
  queryOptions({
    queryKey: ['unmatched costs'],
    queryFn: ({ signal }) =>
      headwater.listUnmatchedCosts({ from: addDays(today(), -DAYS), to: addDays(today(), 1) }, { signal }),
  });

export const refreshSources = () =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: ['cost sources'] }),
    queryClient.invalidateQueries({ queryKey: ['unmatched costs'] }),
    refreshPerformance(),
  ]);

import type { DestinationDelivery } from '@headwater/sdk';
import { queryOptions } from '@tanstack/react-query';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';
import { pagedQuery } from '../shared/paged-query.ts';
import type { DeliveryStatus } from './labels.ts';

/** Polling intervals while a conversion or a change of one is about to be sent, and otherwise. */
const FAST_MS = 2_000;
const SLOW_MS = 5_000;

export const platformsQuery = () =>
  queryOptions({
    queryKey: ['destination platforms'],
    queryFn: async ({ signal }) => (await headwater.listDestinationPlatforms({ signal })).platforms,
    staleTime: Number.POSITIVE_INFINITY,
  });

export const destinationsQuery = () =>
  queryOptions({
    queryKey: ['destinations'],
    queryFn: ({ signal }) => headwater.listDestinations({ pageSize: 100 }, { signal }).all(),
  });

export const destinationQuery = (id: string) =>
  queryOptions({
    queryKey: ['destinations', id],
    queryFn: ({ signal }) => headwater.getDestination({ id }, { signal }),
    refetchInterval: SLOW_MS,
  });

const isDueSoon = ({ nextAttemptAt }: DestinationDelivery) =>
  nextAttemptAt !== null && Date.parse(nextAttemptAt) < Date.now() + SLOW_MS;

export const deliveriesQuery = (id: string, status: DeliveryStatus | null) =>
  pagedQuery(
    ['destinations', id, 'deliveries', status],
    (pageToken, signal) =>
      headwater.listDestinationDeliveries({ id, pageToken, ...(status !== null && { status }) }, { signal }),
    ({ deliveries }) => deliveries,
    (deliveries) => (deliveries.some(isDueSoon) ? FAST_MS : SLOW_MS),
  );

export const conversionDeliveriesQuery = (conversionId: string) =>
  queryOptions({
    queryKey: ['destinations', 'of conversion', conversionId],
    queryFn: async ({ signal }) => (await headwater.listConversionDeliveries({ conversionId }, { signal })).deliveries,
  });

export const refreshDestinations = () => queryClient.invalidateQueries({ queryKey: ['destinations'] });

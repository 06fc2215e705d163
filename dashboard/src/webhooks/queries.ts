import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';

export const webhooksQuery = () =>
  queryOptions({
    queryKey: ['webhooks'],
    queryFn: ({ signal }) => headwater.listWebhooks({ pageSize: 100 }, { signal }).all(),
  });

/** While something is on its way, and else. */
const FAST_MS = 1_000;
const SLOW_MS = 5_000;

const isPending = ({ status }: { status: DeliveryStatus }) => status === 'pending';

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', id],
    queryFn: ({ signal }) => headwater.getWebhook({ id }, { signal }),
    // It may be switched off by what it answers.
    refetchInterval: SLOW_MS,
  });

export type DeliveryStatus = 'pending' | 'delivered' | 'failed';

export const deliveriesQuery = (id: string, status: DeliveryStatus | null) =>
  infiniteQueryOptions({
    queryKey: ['webhooks', id, 'deliveries', status],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) =>
      headwater.listWebhookDeliveries({ id, pageToken: pageParam, ...(status !== null && { status }) }, { signal }),
    getNextPageParam: (page) => page.nextPageToken ?? undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ deliveries }) => deliveries.some(isPending)) ? FAST_MS : SLOW_MS,
  });

export const deliveryQuery = (id: string, deliveryId: string) =>
  queryOptions({
    queryKey: ['webhooks', id, 'delivery', deliveryId],
    queryFn: ({ signal }) => headwater.getWebhookDelivery({ id, deliveryId }, { signal }),
    refetchInterval: ({ state }) => (state.data && isPending(state.data) ? FAST_MS : SLOW_MS),
  });

export const forgetWebhooks = () => queryClient.invalidateQueries({ queryKey: ['webhooks'] });

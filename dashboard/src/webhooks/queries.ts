import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';

export const webhooksQuery = () =>
  queryOptions({
    queryKey: ['webhooks'],
    queryFn: ({ signal }) => headwater.listWebhooks({ pageSize: 100 }, { signal }).all(),
  });

export const webhookQuery = (id: string) =>
  queryOptions({ queryKey: ['webhooks', id], queryFn: ({ signal }) => headwater.getWebhook({ id }, { signal }) });

export type DeliveryStatus = 'pending' | 'delivered' | 'failed';

export const deliveriesQuery = (id: string, status: DeliveryStatus | null) =>
  infiniteQueryOptions({
    queryKey: ['webhooks', id, 'deliveries', status],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) =>
      headwater.listWebhookDeliveries({ id, pageToken: pageParam, ...(status !== null && { status }) }, { signal }),
    getNextPageParam: (page) => page.nextPageToken ?? undefined,
    refetchInterval: 5_000,
  });

export const deliveryQuery = (id: string, deliveryId: string) =>
  queryOptions({
    queryKey: ['webhooks', id, 'delivery', deliveryId],
    queryFn: ({ signal }) => headwater.getWebhookDelivery({ id, deliveryId }, { signal }),
  });

export const forgetWebhooks = () => queryClient.invalidateQueries({ queryKey: ['webhooks'] });

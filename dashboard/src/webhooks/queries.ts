import { queryOptions } from '@tanstack/react-query';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';
import { pagedQuery } from '../shared/paged-query.ts';

export const webhooksQuery = () =>
  queryOptions({
    queryKey: ['webhooks'],
    queryFn: ({ signal }) => headwater.listWebhooks({ pageSize: 100 }, { signal }).all(),
  });

/** Polling intervals while a delivery is pending, and otherwise. */
const FAST_MS = 1_000;
const SLOW_MS = 5_000;

const isPending = ({ status }: { status: DeliveryStatus }) => status === 'pending';

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', id],
    queryFn: ({ signal }) => headwater.getWebhook({ id }, { signal }),
    // Failing deliveries can disable it.
    refetchInterval: SLOW_MS,
  });

export type DeliveryStatus = 'pending' | 'delivered' | 'failed';

export const deliveriesQuery = (id: string, status: DeliveryStatus | null) =>
  pagedQuery(
    ['webhooks', id, 'deliveries', status],
    (pageToken, signal) =>
      headwater.listWebhookDeliveries({ id, pageToken, ...(status !== null && { status }) }, { signal }),
    ({ deliveries }) => deliveries,
    (deliveries) => (deliveries.some(isPending) ? FAST_MS : SLOW_MS),
  );

export const deliveryQuery = (id: string, deliveryId: string) =>
  queryOptions({
    queryKey: ['webhooks', id, 'delivery', deliveryId],
    queryFn: ({ signal }) => headwater.getWebhookDelivery({ id, deliveryId }, { signal }),
    refetchInterval: ({ state }) => (state.data && isPending(state.data) ? FAST_MS : SLOW_MS),
  });

export const refreshWebhooks = () => queryClient.invalidateQueries({ queryKey: ['webhooks'] });

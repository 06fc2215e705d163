import type { WebhookDelivery } from '@headwater/sdk';
import { Badge, Group, SegmentedControl, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { attemptErrorLabel } from '../shared/attempt-errors.ts';
import { type Column, DataTable, timeColumn } from '../shared/data-table.tsx';
import { formatRelativeTime } from '../shared/formats.ts';
import { EmptyState } from '../shared/states.tsx';
import { DeliveryDrawer } from './delivery-drawer.tsx';
import { eventLabel } from './events.ts';
import { type DeliveryStatus, deliveriesQuery } from './queries.ts';

const STATUSES: Record<DeliveryStatus, { label: string; color: string }> = {
  pending: { label: t('Pending'), color: 'gray' },
  delivered: { label: t('Delivered'), color: 'teal' },
  failed: { label: t('Failed'), color: 'red' },
};

const COLUMNS: Column<WebhookDelivery>[] = [
  { id: 'event', label: t('Event'), cell: ({ type }) => eventLabel(type) },
  timeColumn('created', t('Created'), ({ createdAt }) => createdAt),
  {
    id: 'status',
    label: t('Status'),
    cell: ({ status, nextAttemptAt, attempts }) => (
      <Badge variant="light" color={STATUSES[status].color}>
        {status === 'pending' && nextAttemptAt && attempts.length > 0
          ? t('Next attempt {nextAttemptAt}', { nextAttemptAt: formatRelativeTime(nextAttemptAt) })
          : STATUSES[status].label}
      </Badge>
    ),
  },
  { id: 'response', label: t('Last response'), isDimmed: true, cell: ({ attempts }) => responseOf(attempts.at(-1)) },
];

function responseOf(attempt: WebhookDelivery['attempts'][number] | undefined): string {
  if (!attempt) return t('None yet');
  if (attempt.status !== null) return t('{status} in {ms} ms', { status: attempt.status, ms: attempt.ms });
  return attempt.error === null ? t('None') : attemptErrorLabel(attempt.error);
}

export function Deliveries({ webhookId }: { webhookId: string }) {
  const [status, setStatus] = useState<DeliveryStatus | null>(null);
  const [openedId, setOpenedId] = useState<string>();
  const query = useInfiniteQuery(deliveriesQuery(webhookId, status));
  return (
    <div>
      <Group justify="space-between" mb="sm">
        <Title order={2}>{t('Deliveries')}</Title>
        <SegmentedControl
          aria-label={t('Status of deliveries')}
          value={status ?? ''}
          onChange={(next) => setStatus(next === '' ? null : (next as DeliveryStatus))}
          data={[
            { value: '', label: t('All') },
            ...Object.entries(STATUSES).map(([value, { label }]) => ({ value, label })),
          ]}
        />
      </Group>
      <DataTable
        label={t('Deliveries')}
        query={query}
        columns={COLUMNS}
        minWidth={560}
        rowKey={({ id }) => id}
        onOpen={({ id }) => setOpenedId(id)}
        empty={
          <EmptyState
            icon="exports"
            title={status === null ? t('No deliveries yet') : t('No deliveries with this status')}
          >
            {status === null && t('Send a test event to check that your endpoint responds.')}
          </EmptyState>
        }
      />
      <DeliveryDrawer webhookId={webhookId} deliveryId={openedId} onClose={() => setOpenedId(undefined)} />
    </div>
  );
}

import { type DestinationDelivery, type DestinationWithCounts, waitForJob } from '@headwater/sdk';
import { Button, Group, Select, Title } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { type Column, DataTable, timeColumn } from '../shared/data-table.tsx';
import { formatNumber } from '../shared/formats.ts';
import { notify } from '../shared/notify.tsx';
import { EmptyState } from '../shared/states.tsx';
import { useMayWrite } from '../users/rights.ts';
import { DeliveryDrawer } from './delivery-drawer.tsx';
import { DeliveryStatusBadge, sentValue } from './destination-status.tsx';
import { useFixAction } from './fix-action.ts';
import { type DeliveryStatus, reasonLabel, STATUSES } from './labels.ts';
import { deliveriesQuery, refreshDestinations } from './queries.ts';

const COLUMNS: Column<DestinationDelivery>[] = [
  {
    id: 'conversion',
    label: t('Conversion'),
    cell: ({ eventId, conversionId }) => eventId ?? conversionId,
    note: ({ event }) => event,
  },
  { id: 'status', label: t('Status'), cell: ({ status }) => <DeliveryStatusBadge status={status} /> },
  {
    id: 'reason',
    label: t('Reason'),
    isDimmed: true,
    cell: ({ reason }) => (reason === null ? '' : reasonLabel(reason)),
  },
  { id: 'value', label: t('Sent value'), isNumber: true, cell: sentValue },
  timeColumn('updated', t('Updated'), ({ updatedAt }) => updatedAt),
];

/** The log of a platform: each conversion with what was sent for it, or why it was not sent. */
export function Deliveries({ destination }: { destination: DestinationWithCounts }) {
  const { id, counts } = destination;
  const mayEdit = useMayWrite('destinations');
  const fixAction = useFixAction();
  const [status, setStatus] = useState<DeliveryStatus | null>(null);
  const [opened, setOpened] = useState<DestinationDelivery>();
  const query = useInfiniteQuery(deliveriesQuery(id, status));
  const retry = useMutation({
    mutationFn: async (statuses: ('rejected' | 'skipped')[]) =>
      waitForJob(headwater, await headwater.replayDestination({ id }, { statuses })),
    onSuccess: () => notify(t('Retrying. Conversions that still cannot be sent show the reason.')),
    onSettled: refreshDestinations,
  });
  const actions = (delivery: DestinationDelivery) => {
    const action = fixAction(delivery);
    return action ? [action] : [];
  };
  return (
    <div>
      <Group justify="space-between" mb="sm">
        <Title order={2}>{t('Conversions')}</Title>
        <Group gap="xs">
          {mayEdit &&
            (['rejected', 'skipped'] as const)
              .filter((each) => counts[each] > 0)
              .map((each) => (
                <Button key={each} variant="default" loading={retry.isPending} onClick={() => retry.mutate([each])}>
                  {each === 'rejected' ? t('Retry rejected') : t('Retry skipped')}
                </Button>
              ))}
          <Select
            aria-label={t('Status of conversions')}
            placeholder={t('All statuses')}
            clearable
            value={status}
            onChange={(next) => setStatus(next as DeliveryStatus | null)}
            data={Object.entries(STATUSES).map(([value, { label }]) => ({
              value,
              label: `${label} (${formatNumber(counts[value as DeliveryStatus])})`,
            }))}
          />
        </Group>
      </Group>
      <DataTable
        label={t('Conversions')}
        query={query}
        columns={COLUMNS}
        minWidth={640}
        rowKey={({ conversionId }) => conversionId}
        onOpen={setOpened}
        {...(mayEdit && { actions })}
        empty={
          <EmptyState
            icon="send"
            title={status === null ? t('No conversions yet') : t('No conversions with this status')}
          >
            {status === null &&
              t('Each conversion is listed here with the data that was sent, or the reason why it was not sent.')}
          </EmptyState>
        }
      />
      <DeliveryDrawer delivery={opened} onClose={() => setOpened(undefined)} />
    </div>
  );
}

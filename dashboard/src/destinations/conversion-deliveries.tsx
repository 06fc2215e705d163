import type { DestinationDelivery } from '@headwater/sdk';
import { Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { type Column, DataTable, timeColumn } from '../shared/data-table.tsx';
import { DeliveryDrawer } from './delivery-drawer.tsx';
import { DeliveryStatusBadge, sentValue } from './destination-status.tsx';
import { reasonLabel } from './labels.ts';
import { conversionDeliveriesQuery } from './queries.ts';

const COLUMNS: Column<DestinationDelivery>[] = [
  { id: 'platform', label: t('Platform'), cell: ({ destinationName }) => destinationName },
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

/** What became of a conversion at each connected platform; nothing where none is connected. */
export function ConversionDeliveries({ conversionId }: { conversionId: string }) {
  const { data } = useQuery(conversionDeliveriesQuery(conversionId));
  const [opened, setOpened] = useState<DestinationDelivery>();
  if (data === undefined || data.length === 0) return null;
  return (
    <Stack gap="sm">
      <Title order={2}>{t('Ad platforms')}</Title>
      <DataTable
        label={t('Ad platforms')}
        query={{ data }}
        columns={COLUMNS}
        minWidth={560}
        rowKey={({ destinationId }) => destinationId}
        onOpen={setOpened}
      />
      <DeliveryDrawer delivery={opened} onClose={() => setOpened(undefined)} />
    </Stack>
  );
}

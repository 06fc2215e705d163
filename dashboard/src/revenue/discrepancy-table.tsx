import { type Discrepancies, waitForJob } from '@headwater/sdk';
import { Button, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { reasonLabel } from '../destinations/labels.ts';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { type Column, DataTable } from '../shared/data-table.tsx';
import { formatMoney, formatNumber } from '../shared/formats.ts';
import { notify } from '../shared/notify.tsx';
import { useMayWrite } from '../users/rights.ts';

type Row = Discrepancies['rows'][number];

/** What each ad platform was told of the conversions of a period, against what is true. */
export function DiscrepancyTable({ period }: { period: { from: string; to: string } }) {
  const mayEdit = useMayWrite('destinations');
  const query = useQuery({
    queryKey: ['discrepancies', period],
    queryFn: ({ signal }) => headwater.getDiscrepancies(period, { signal }),
    placeholderData: keepPreviousData,
  });
  const send = useMutation({
    mutationFn: async ({ destinationId }: Row) => {
      const created = { createdFrom: query.data?.from ?? '', createdTo: query.data?.to ?? '' };
      return waitForJob(headwater, await headwater.replayDestination({ id: destinationId }, created));
    },
    onSuccess: () => notify(t('What can still be sent is queued')),
    onSettled: () => query.refetch(),
  });
  const { data } = query;
  if (data && data.rows.length === 0) return null;
  const text = (value: string) => (data?.currency ? formatMoney(value, data.currency) : formatNumber(Number(value)));
  const columns: Column<Row>[] = [
    { id: 'name', label: t('Ad platform'), cell: ({ name }) => name },
    { id: 'sent', label: t('Told'), isNumber: true, cell: ({ sent }) => text(sent) },
    { id: 'revenue', label: t('True'), isNumber: true, cell: ({ revenue }) => text(revenue) },
    { id: 'difference', label: t('Difference'), isNumber: true, cell: ({ difference }) => text(difference) },
    {
      id: 'reasons',
      label: t('Why'),
      isWrapped: true,
      cell: (row) => (
        <div>
          {reasonsOf(row, text).map((each) => (
            <div key={each}>{each}</div>
          ))}
        </div>
      ),
    },
    {
      id: 'send',
      label: t('Action'),
      cell: (row) =>
        mayEdit &&
        Number(row.sendable) !== 0 && (
          <Button size="compact-sm" variant="light" loading={send.isPending} onClick={() => send.mutate(row)}>
            {t('Send {sendable}', { sendable: text(row.sendable) })}
          </Button>
        ),
    },
  ];
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {t('Discrepancies')}
      </Title>
      <Text size="sm" c="dimmed">
        {t('The values that ad platforms have of the conversions of the period, and what these are worth now.')}
      </Text>
      <DataTable
        label={t('Discrepancies')}
        query={query.data ? { data: query.data.rows } : { ...query, data: undefined }}
        columns={columns}
        minWidth={760}
        rowKey={({ destinationId }) => destinationId}
      />
    </Stack>
  );
}

/** Others are reasons of deliveries. */
const REASONS: Record<string, string> = {
  queued: t('Waits to be sent'),
  unqueued: t('Never came to this platform'),
  mapping: t('Sent with another value'),
};

function reasonsOf(row: Row, text: (value: string) => string): string[] {
  const named: [string, string][] = [
    ...Object.entries(row.notSent).map(([reason, value]): [string, string] => [
      REASONS[reason] ?? reasonLabel(reason),
      value,
    ]),
    [t('Cannot be adjusted'), row.notAdjustable],
    [t('Being adjusted'), row.adjusting],
    [t('No consent'), row.noConsent],
  ];
  return named.filter(([, value]) => Number(value) !== 0).map(([reason, value]) => `${reason}: ${text(value)}`);
}

import type { Warehouse, WarehouseTest } from '@headwater/sdk';
import { Alert, Badge, Button, Group, Progress, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { serviceText } from '../languages/service-texts.ts';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { type Column, DataTable, timeColumn } from '../shared/data-table.tsx';
import { ConfirmDialog } from '../shared/dialogs.tsx';
import { FormDialog } from '../shared/form-dialog.tsx';
import { formatBytes, formatNumber, formatRelativeTime } from '../shared/formats.ts';
import { Icon } from '../shared/icons.tsx';
import { notify, notifyError } from '../shared/notify.tsx';
import { Page } from '../shared/page.tsx';
import { EmptyState, ErrorState, LoadingState } from '../shared/states.tsx';
import { useForm } from '../shared/use-form.ts';
import { useRights } from '../users/rights.ts';
import { DATASET_LABELS } from './labels.ts';
import { exportQuery, refreshWarehouses, warehousesQuery } from './queries.ts';
import { WarehouseForm } from './warehouse-form.tsx';

/** Buckets that receive every dataset, and what is in them. */
export function WarehousePage() {
  const { data, isError, error, refetch } = useQuery(warehousesQuery());
  const { isOwner } = useRights();
  const [isConnecting, setIsConnecting] = useState(false);
  const connect = isOwner && (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setIsConnecting(true)}>
      {t('Add bucket')}
    </Button>
  );
  return (
    <Page
      wide
      title={t('Warehouse')}
      description={t(
        'Writes all data as Parquet to your bucket, by day, and keeps it current: for DuckDB, ClickHouse, BigQuery and Snowflake.',
      )}
      actions={data && data.length > 0 && connect}
    >
      {isError && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !isError && <LoadingState rows={4} label={t('Loading')} />}
      {data?.length === 0 && (
        <EmptyState icon="exports" title={t('No bucket connected')} action={connect}>
          {t('Connect a bucket of Amazon S3, Google Cloud Storage, Cloudflare R2 or MinIO.')}
        </EmptyState>
      )}
      {data?.map((warehouse) => (
        <WarehouseSection key={warehouse.id} warehouse={warehouse} />
      ))}
      {isConnecting && <WarehouseForm onClose={() => setIsConnecting(false)} />}
    </Page>
  );
}

type Dialog = 'edit' | 'delete' | 'backfill';

function WarehouseSection({ warehouse }: { warehouse: Warehouse }) {
  const { id, name, mode, error } = warehouse;
  const { isOwner } = useRights();
  const [dialog, setDialog] = useState<Dialog>();
  const [jobId, setJobId] = useState<string>();
  const [tested, setTested] = useState<WarehouseTest>();
  const close = () => setDialog(undefined);
  const test = async () => {
    try {
      setTested(await headwater.testWarehouse({ warehouseId: id }));
    } catch (failure) {
      notifyError(failure);
    }
  };
  const exportNow = () =>
    headwater
      .exportWarehouse({ warehouseId: id }, null)
      .then((job) => setJobId(job.id))
      .catch(notifyError);
  const pause = () =>
    headwater
      .updateWarehouse({ warehouseId: id }, { mode: mode === 'off' ? 'live' : 'off' })
      .then(refreshWarehouses)
      .catch(notifyError);
  const columns: Column<Warehouse['exports'][number]>[] = [
    { id: 'dataset', label: t('Dataset'), cell: ({ dataset }) => DATASET_LABELS[dataset] },
    { id: 'rows', label: t('Rows'), isNumber: true, cell: ({ rows }) => formatNumber(rows) },
    {
      id: 'days',
      label: t('Days'),
      isNumber: true,
      cell: ({ days }) => formatNumber(days),
      note: ({ firstDay, lastDay }) => (firstDay && lastDay ? `${firstDay} – ${lastDay}` : undefined),
    },
    { id: 'bytes', label: t('Size'), isNumber: true, cell: ({ bytes }) => formatBytes(bytes) },
    timeColumn('published', t('Last change'), ({ publishedAt }) => publishedAt),
  ];
  return (
    <Stack gap="sm" mb="xl" component="section" aria-label={name}>
      <Group justify="space-between">
        <Group gap="xs">
          <Title order={2} size="h4">
            {name}
          </Title>
          <Status warehouse={warehouse} />
        </Group>
        {isOwner && (
          <Group gap="xs">
            <Action label={t('Test connection')} run={test} />
            <Action label={t('Export now')} run={exportNow} />
            <Action label={t('Backfill')} run={() => setDialog('backfill')} />
            <Action label={mode === 'off' ? t('Resume') : t('Pause')} run={pause} />
            <Action label={t('Edit')} run={() => setDialog('edit')} />
            <Action label={t('Delete')} run={() => setDialog('delete')} />
          </Group>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        {`s3://${[warehouse.bucket, warehouse.prefix].filter(Boolean).join('/')}`}
        {' · '}
        {warehouse.lastRunAt === null
          ? t('Not exported yet')
          : t('Exported {time}', { time: formatRelativeTime(warehouse.lastRunAt) })}
      </Text>
      {error !== null && (
        <Alert color="red" variant="light" title={t('The bucket refuses exports. They wait and are repeated.')}>
          {error}
        </Alert>
      )}
      {tested && (
        <Alert
          color={tested.ok ? 'teal' : 'red'}
          variant="light"
          withCloseButton
          closeButtonLabel={t('Close')}
          onClose={() => setTested(undefined)}
        >
          {tested.ok ? t('The bucket works.') : tested.error}
        </Alert>
      )}
      {jobId && <ExportProgress jobId={jobId} />}
      <DataTable
        label={t('Datasets of {name}', { name })}
        query={{ data: warehouse.exports, isError: false, error: null }}
        columns={columns}
        rowKey={({ dataset }) => dataset}
        rowName={({ dataset }) => DATASET_LABELS[dataset]}
        empty={
          <Text p="md" c="dimmed">
            {t('Nothing is in the bucket yet.')}
          </Text>
        }
      />
      {dialog === 'edit' && <WarehouseForm warehouse={warehouse} onClose={close} />}
      {dialog === 'backfill' && <BackfillDialog warehouse={warehouse} onStarted={setJobId} onClose={close} />}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={t('Delete {name}?', { name })}
          action={t('Delete')}
          onClose={close}
          run={async () => {
            await headwater.deleteWarehouse({ warehouseId: id });
            await refreshWarehouses();
            notify(t('Deleted.'));
          }}
        >
          {t('Nothing more is exported. Files in the bucket stay, also those of persons who are erased later.')}
        </ConfirmDialog>
      )}
    </Stack>
  );
}

function Action({ label, run }: { label: string; run: () => unknown }) {
  return (
    <Button variant="default" size="compact-sm" onClick={() => void run()}>
      {label}
    </Button>
  );
}

function Status({ warehouse: { mode, status, lastRunAt } }: { warehouse: Warehouse }) {
  const [color, label] =
    status === 'failing'
      ? ['red', t('Failing')]
      : mode === 'off'
        ? ['gray', t('Paused')]
        : lastRunAt === null
          ? ['blue', t('Waiting')]
          : ['teal', t('Live')];
  return (
    <Badge variant="light" color={color}>
      {label}
    </Badge>
  );
}

/** What an export that was started here does. */
function ExportProgress({ jobId }: { jobId: string }) {
  const { data: job } = useQuery(exportQuery(jobId));
  if (!job) return null;
  if (job.error) return <Alert color="red">{serviceText(job.error.detail)}</Alert>;
  if (job.status === 'completed') return <Alert color="teal">{t('The export is complete.')}</Alert>;
  return <Progress value={job.progress * 100} animated aria-label={t('Progress of the export')} />;
}

function BackfillDialog({
  warehouse,
  onStarted,
  onClose,
}: {
  warehouse: Warehouse;
  onStarted: (jobId: string) => void;
  onClose: () => void;
}) {
  const form = useForm({
    initial: { from: '', to: '' },
    save: ({ from, to }) =>
      headwater.exportWarehouse(
        { warehouseId: warehouse.id },
        { from: from || null, to: to || null, datasets: warehouse.datasets },
      ),
    onSaved: ({ id }) => {
      onStarted(id);
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title={t('Backfill {name}', { name: warehouse.name })}
      submit={t('Export')}
      onClose={onClose}
    >
      <Text size="sm">{t('Writes all files of these days again, such as after files were deleted.')}</Text>
      <TextInput type="date" label={t('From')} description={t('Empty: all days.')} {...form.text('from')} />
      <TextInput type="date" label={t('To')} {...form.text('to')} />
    </FormDialog>
  );
}

import type { Reconciliation } from '@headwater/sdk';
import { Alert, Group, NumberInput, Progress, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { type Column, DataTable, timeColumn } from '../shared/data-table.tsx';
import { errorMessage } from '../shared/error-messages.ts';
import { CSV_FILES, FileDrop } from '../shared/file-drop.tsx';
import { formatNumber } from '../shared/formats.ts';
import { Page } from '../shared/page.tsx';
import { EmptyState } from '../shared/states.tsx';
import { useMayWrite } from '../users/rights.ts';
import { PROVIDER_FILES, PROVIDER_LABELS, type Provider, STATUS_LABELS } from './labels.ts';
import { cacheReconciliation, reconciliationsQuery } from './queries.ts';

const COLUMNS: Column<Reconciliation>[] = [
  {
    id: 'file',
    label: t('File'),
    cell: ({ name }) => name,
    note: ({ settings }) => PROVIDER_LABELS[settings.provider],
  },
  timeColumn('uploaded', t('Uploaded'), ({ createdAt }) => createdAt),
  { id: 'equal', label: t('Equal'), isNumber: true, cell: ({ outcomes }) => formatNumber(outcomes.equal.count) },
  {
    id: 'different',
    label: t('Different'),
    isNumber: true,
    cell: ({ outcomes }) => formatNumber(outcomes.different.count),
  },
  {
    id: 'missing',
    label: t('Missing'),
    isNumber: true,
    cell: ({ outcomes }) => formatNumber(outcomes.missingHere.count + outcomes.missingThere.count),
  },
  { id: 'status', label: t('Status'), cell: ({ status }) => STATUS_LABELS[status] },
];

/** Compares what providers and networks say they paid with the conversions. */
export function ReconciliationsPage() {
  const mayEdit = useMayWrite('conversions');
  const query = useInfiniteQuery(reconciliationsQuery());
  return (
    <Page
      wide
      title={t('Reconciliation')}
      description={t(
        'Compare the statements of payment providers and networks with your conversions, and correct what differs.',
      )}
    >
      {mayEdit && <Upload />}
      <Stack gap="sm">
        <Title order={2}>{t('Statements')}</Title>
        <DataTable
          label={t('Statements')}
          minWidth={640}
          query={query}
          columns={COLUMNS}
          rowKey={({ id }) => id}
          rowLink={({ id }) => `/reconciliation/${id}`}
          empty={
            <EmptyState icon="check" title={t('No statements yet')}>
              {t('Statements stay here for 90 days.')}
            </EmptyState>
          }
        />
      </Stack>
    </Page>
  );
}

type DecimalMark = 'auto' | 'point' | 'comma';
type DateOrder = 'auto' | 'dayFirst' | 'monthFirst';

function Upload() {
  const navigate = useNavigate();
  const [provider, setProvider] = useState<Provider>('stripe');
  const [amount, setAmount] = useState<'gross' | 'net'>('gross');
  const [tolerance, setTolerance] = useState(0.01);
  const [decimalMark, setDecimalMark] = useState<DecimalMark>('auto');
  const [dateOrder, setDateOrder] = useState<DateOrder>('auto');
  const [source, setSource] = useState('');
  const [progress, setProgress] = useState(0);
  const upload = useMutation({
    meta: { shown: true },
    mutationFn: (file: File) => {
      setProgress(0);
      const formats = { decimalMark, dateOrder };
      const settings = { provider, amount, tolerance, ...formats, ...(source.trim() && { source: source.trim() }) };
      return headwater.createReconciliation(settings, { file }, { onProgress: setProgress });
    },
    onSuccess: (created) => {
      cacheReconciliation(created);
      return navigate({ to: `/reconciliation/${created.id}` });
    },
  });
  if (upload.isPending) {
    return (
      <Stack className="surface" p="lg" gap="xs" role="status">
        <Text size="sm">{t('Uploading {name}', { name: upload.variables.name })}</Text>
        <Progress value={progress * 100} aria-label={t('Upload progress')} />
      </Stack>
    );
  }
  return (
    <Stack gap="sm">
      {upload.isError && (
        <Alert color="red" variant="light" role="alert" title={errorMessage(upload.error).title}>
          {errorMessage(upload.error).detail}
        </Alert>
      )}
      <Group align="flex-end" gap="sm">
        <Select
          label={t('From')}
          allowDeselect={false}
          value={provider}
          onChange={(next) => setProvider((next ?? 'stripe') as Provider)}
          data={Object.entries(PROVIDER_LABELS).map(([value, label]) => ({ value, label }))}
        />
        <Select
          label={t('Amount')}
          allowDeselect={false}
          value={amount}
          onChange={(next) => setAmount(next === 'net' ? 'net' : 'gross')}
          data={[
            { value: 'gross', label: t('Gross') },
            { value: 'net', label: t('Net of fees') },
          ]}
        />
        <NumberInput
          label={t('Tolerance')}
          min={0}
          max={1_000_000}
          decimalScale={2}
          value={tolerance}
          onChange={(next) => setTolerance(Number(next) || 0)}
        />
        <Select
          label={t('Number format')}
          allowDeselect={false}
          value={decimalMark}
          onChange={(next) => setDecimalMark((next ?? 'auto') as DecimalMark)}
          data={[
            { value: 'auto', label: t('Automatic') },
            { value: 'point', label: '1,234.56' },
            { value: 'comma', label: '1.234,56' },
          ]}
        />
        <Select
          label={t('Date format')}
          allowDeselect={false}
          value={dateOrder}
          onChange={(next) => setDateOrder((next ?? 'auto') as DateOrder)}
          data={[
            { value: 'auto', label: t('Automatic') },
            { value: 'dayFirst', label: t('Day first: 03/04/2026 is 3 April') },
            { value: 'monthFirst', label: t('Month first: 03/04/2026 is March 4') },
          ]}
        />
        {provider === 'csv' && (
          <TextInput
            label={t('Source')}
            placeholder={t('Any')}
            value={source}
            onChange={(event) => setSource(event.currentTarget.value)}
          />
        )}
      </Group>
      <FileDrop
        title={t('Drop a statement')}
        label={t('Statement')}
        accept={`${CSV_FILES},.json`}
        onChoose={(file) => upload.mutate(file)}
      >
        {PROVIDER_FILES[provider]}
      </FileDrop>
    </Stack>
  );
}

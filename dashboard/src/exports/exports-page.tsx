import type { Job, StartExportRequest } from '@headwater/sdk';
import { Badge, Button, Group, Progress, Text } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { serviceText } from '../languages/service-texts.ts';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { type Column, DataTable, timeColumn } from '../shared/data-table.tsx';
import { formatBytes, formatDateTime, formatDay, formatNumber } from '../shared/formats.ts';
import { Icon } from '../shared/icons.tsx';
import { Page } from '../shared/page.tsx';
import { pagedQuery } from '../shared/paged-query.ts';
import { EmptyState } from '../shared/states.tsx';
import { wallTimeOf } from '../shared/wall-time.ts';
import { useMayWrite } from '../users/rights.ts';
import { DATASETS, ExportForm, refreshJobs } from './export-form.tsx';

/** What an export job carries in its untyped members. */
const paramsOf = ({ params }: Job): Partial<StartExportRequest> => params;
const resultOf = ({ result }: Job) => result as { url: string | null; rows: number; bytes: number } | null;

const isRunning = ({ status }: Job) => status === 'queued' || status === 'running';

const COLUMNS: Column<Job>[] = [
  {
    id: 'dataset',
    label: t('Dataset'),
    cell: (job) => {
      const { dataset = 'conversions' } = paramsOf(job);
      return <b>{DATASETS[dataset] ?? dataset}</b>;
    },
    note: (job) => paramsOf(job).format,
  },
  { id: 'range', label: t('Date range'), cell: (job) => rangeText(paramsOf(job)) },
  timeColumn('started', t('Started'), ({ createdAt }) => createdAt),
  { id: 'status', label: t('Status'), cell: (job) => <Status job={job} /> },
  { id: 'action', label: t('Action'), cell: (job) => <JobAction job={job} /> },
];

export function ExportsPage() {
  const query = useInfiniteQuery(
    pagedQuery(
      ['jobs', 'export'],
      (pageToken, signal) => headwater.listJobs({ type: 'export', pageSize: 25, pageToken }, { signal }),
      ({ jobs }) => jobs,
      (jobs) => (jobs.some(isRunning) ? 1_000 : false),
    ),
  );
  return (
    <Page wide title={t('Exports')} description={t('Download recorded data as files. Files are available for 7 days.')}>
      {useMayWrite('analytics') && <ExportForm />}
      <DataTable
        label={t('Exports')}
        query={query}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        empty={
          <EmptyState icon="exports" title={t('No exports yet')}>
            {t('Choose a dataset above. Large exports continue when you leave this page.')}
          </EmptyState>
        }
      />
    </Page>
  );
}

/** The range of an export. Whole days of the display time zone are shown as days. */
function rangeText({ from, to }: Partial<StartExportRequest>): string {
  const isDay = (at: string) => wallTimeOf(at).endsWith('00:00:00');
  const dayOf = (at: number) => formatDay(wallTimeOf(new Date(at).toISOString()).slice(0, 10));
  const start = from && (isDay(from) ? dayOf(Date.parse(from)) : formatDateTime(from));
  // `to` is exclusive: of whole days, the day before is the last.
  const end = to && (isDay(to) ? dayOf(Date.parse(to) - 1) : formatDateTime(to));
  if (start && end) return `${start} – ${end}`;
  return start ? t('From {start}', { start }) : end ? t('To {end}', { end }) : t('All time');
}

function Status({ job }: { job: Job }) {
  const result = resultOf(job);
  switch (job.status) {
    case 'queued':
      return <Badge variant="default">{t('Queued')}</Badge>;
    case 'running':
      return (
        <Progress
          value={job.progress * 100}
          w={140}
          aria-label={t('Progress: {round}%', { round: Math.round(job.progress * 100) })}
        />
      );
    case 'completed':
      return (
        <Text size="sm" className="number">
          {result?.url
            ? t('{rows} rows, {bytes}', { rows: formatNumber(result.rows), bytes: formatBytes(result.bytes) })
            : t('Expired')}
        </Text>
      );
    case 'failed':
      return (
        <Text size="sm" c="red">
          {job.error ? serviceText(job.error.detail) : t('Failed')}
        </Text>
      );
    case 'cancelled':
      return <Badge variant="default">{t('Canceled')}</Badge>;
  }
}

function JobAction({ job }: { job: Job }) {
  const mayEdit = useMayWrite('analytics');
  const cancel = useMutation({ mutationFn: () => headwater.cancelJob({ id: job.id }, {}), onSettled: refreshJobs });
  const url = resultOf(job)?.url;
  return (
    <Group justify="flex-end">
      {mayEdit && isRunning(job) && (
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          loading={cancel.isPending}
          onClick={() => cancel.mutate()}
        >
          {t('Cancel')}
        </Button>
      )}
      {job.status === 'completed' && url && (
        <Button
          component="a"
          href={url}
          download
          variant="default"
          size="compact-sm"
          leftSection={<Icon name="exports" size={14} />}
        >
          {t('Download')}
        </Button>
      )}
    </Group>
  );
}

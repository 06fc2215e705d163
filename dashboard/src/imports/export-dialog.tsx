import type { Collection, Job } from '@headwater/sdk';
import { Button, Group, Progress, Radio, SegmentedControl, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TableState } from '../content/table-state.ts';
import { t } from '../languages/translate.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';
import { Dialog } from '../shared/dialogs.tsx';
import { formatBytes, formatNumber, formatRelativeTime } from '../shared/formats.ts';
import { Icon } from '../shared/icons.tsx';
import { exportsQuery, isJobRunning } from './queries.ts';

const MAX_JOBS = 5;

interface ExportDialogProps {
  collection: Collection;
  state: TableState;
  onClose: () => void;
}

const invalidateExports = () => queryClient.invalidateQueries({ queryKey: ['jobs', 'export_entries'] });

/** Starts an export of entries and lists the latest ones. */
export default function ExportDialog({ collection, state, onClose }: ExportDialogProps) {
  const { sort, q, where } = state;
  const hasView = q !== undefined || where !== undefined || sort !== undefined;
  const [scope, setScope] = useState(hasView ? 'view' : 'all');
  const [format, setFormat] = useState<'csv' | 'ndjson'>('csv');
  const [version, setVersion] = useState<'draft' | 'published'>('draft');
  const query = useQuery(exportsQuery());
  const jobs = (query.data ?? []).filter(({ params }) => params.collectionId === collection.id).slice(0, MAX_JOBS);
  const start = useMutation({
    mutationFn: () =>
      headwater.exportEntries(
        { collectionId: collection.id },
        {
          format,
          bom: format === 'csv',
          ...(collection.publishing && { state: version }),
          ...(scope === 'view' && { sort, q, where }),
        },
      ),
    onSettled: invalidateExports,
  });
  return (
    <Dialog onClose={onClose} title={t('Export {name}', { name: collection.name })} size="lg">
      <Stack>
        <Radio.Group label={t('Entries')} value={scope} onChange={setScope}>
          <Stack gap="xs" mt={6}>
            <Radio value="view" disabled={!hasView} label={t('Current view, with its search, filters and sorting')} />
            <Radio value="all" label={t('All entries')} />
          </Stack>
        </Radio.Group>
        {collection.publishing && (
          <SegmentedControl
            aria-label={t('Versions')}
            value={version}
            onChange={(next) => setVersion(next === 'published' ? 'published' : 'draft')}
            data={[
              { value: 'draft', label: t('Latest versions') },
              { value: 'published', label: t('Published versions') },
            ]}
          />
        )}
        <SegmentedControl
          aria-label={t('Format')}
          value={format}
          onChange={(next) => setFormat(next === 'ndjson' ? 'ndjson' : 'csv')}
          data={[
            { value: 'csv', label: t('CSV for spreadsheets') },
            { value: 'ndjson', label: t('NDJSON for programs') },
          ]}
        />
        <Group justify="flex-end">
          <Button loading={start.isPending} onClick={() => start.mutate()}>
            {t('Start export')}
          </Button>
        </Group>
        {jobs.length > 0 && (
          <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label={t('Exports')}>
            {jobs.map((job) => (
              <ExportRow key={job.id} job={job} />
            ))}
          </Stack>
        )}
      </Stack>
    </Dialog>
  );
}

function ExportRow({ job }: { job: Job }) {
  const result = job.result as { url: string | null; rows: number; bytes: number } | null;
  const cancel = useMutation({
    mutationFn: () => headwater.cancelJob({ id: job.id }, {}),
    onSettled: invalidateExports,
  });
  return (
    <Group component="li" justify="space-between" wrap="nowrap" mih={36}>
      <div>
        <Text size="sm">
          {String(job.params.format).toUpperCase()}, {formatRelativeTime(job.createdAt)}
        </Text>
        <Text size="xs" c="dimmed">
          {result
            ? t('{rows} entries, {bytes}', { rows: formatNumber(result.rows), bytes: formatBytes(result.bytes) })
            : STATUS_LABELS[job.status]}
        </Text>
      </div>
      {isJobRunning(job) && (
        <Group gap="xs" wrap="nowrap">
          <Progress value={job.progress * 100} w={120} aria-label={t('Export progress')} />
          <Button variant="subtle" color="gray" size="compact-sm" onClick={() => cancel.mutate()}>
            {t('Cancel')}
          </Button>
        </Group>
      )}
      {result?.url && (
        <Button
          component="a"
          href={result.url}
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

const STATUS_LABELS: Record<Job['status'], string> = {
  queued: t('Queued'),
  running: t('Running'),
  completed: t('Completed'),
  failed: t('Failed'),
  cancelled: t('Canceled'),
};

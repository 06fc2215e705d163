import type { Collection, ExportEntriesRequest as EntriesExport, Job } from '@headwater/sdk';
import { Button, Group, Modal, Progress, Radio, SegmentedControl, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { filterOf, type TableState } from '../content/table-state.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';
import { formatAgo, formatBytes, formatNumber } from '../shared/formats.ts';
import { Icon } from '../shared/icons.tsx';
import { useFocusBack } from '../shared/use-focus-back.ts';
import { exportsQuery, isJobUnderWay } from './queries.ts';

interface ExportWindowProps {
  collection: Collection;
  state: TableState;
  onClose: () => void;
}

/** Starts an export of entries, and has the files of those before. */
export default function ExportWindow({ collection, state, onClose }: ExportWindowProps) {
  useFocusBack();
  const isNarrowed = state.q !== undefined || (state.filters ?? []).length > 0 || state.sort !== undefined;
  const [what, setWhat] = useState(isNarrowed ? 'view' : 'all');
  const [format, setFormat] = useState<EntriesExport['format']>('csv');
  const query = useQuery(exportsQuery());
  const jobs = (query.data ?? []).filter(({ params }) => params.collectionId === collection.id).slice(0, 5);
  const start = useMutation({
    mutationFn: () =>
      headwater.exportEntries({ collectionId: collection.id }, { format, ...(what === 'view' && listingOf(state)) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['jobs', 'export_entries'] }),
  });
  return (
    <Modal opened onClose={onClose} title={`Export ${collection.name}`} size="lg">
      <Stack>
        <Radio.Group label="Entries" value={what} onChange={setWhat}>
          <Stack gap="xs" mt={6}>
            <Radio value="view" disabled={!isNarrowed} label="As the table shows them: filtered, sorted and searched" />
            <Radio value="all" label="All of them" />
          </Stack>
        </Radio.Group>
        <SegmentedControl
          aria-label="Format"
          value={format}
          onChange={(next) => setFormat(next === 'ndjson' ? 'ndjson' : 'csv')}
          data={[
            { value: 'csv', label: 'CSV, for spreadsheets' },
            { value: 'ndjson', label: 'NDJSON, for programs' },
          ]}
        />
        <Group justify="flex-end">
          <Button loading={start.isPending} onClick={() => start.mutate()}>
            Start export
          </Button>
        </Group>
        {jobs.length > 0 && (
          <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Exports">
            {jobs.map((job) => (
              <ExportRow key={job.id} job={job} />
            ))}
          </Stack>
        )}
      </Stack>
    </Modal>
  );
}

function listingOf({ sort, q, filters = [] }: TableState): Partial<EntriesExport> {
  return {
    ...(sort !== undefined && { sort }),
    ...(q !== undefined && { q }),
    ...(filters.length > 0 && { filter: filterOf(filters) as EntriesExport['filter'] }),
  } as Partial<EntriesExport>;
}

function ExportRow({ job }: { job: Job }) {
  const result = job.result as { url: string | null; rows: number; bytes: number } | null;
  const cancel = useMutation({
    mutationFn: () => headwater.cancelJob({ id: job.id }, {}),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['jobs', 'export_entries'] }),
  });
  return (
    <Group component="li" justify="space-between" wrap="nowrap" mih={36}>
      <div>
        <Text size="sm">
          {String(job.params.format).toUpperCase()}, {formatAgo(job.createdAt)}
        </Text>
        <Text size="xs" c="dimmed">
          {result ? `${formatNumber(result.rows)} entries, ${formatBytes(result.bytes)}` : STATES[job.status]}
        </Text>
      </div>
      {isJobUnderWay(job) && (
        <Group gap="xs" wrap="nowrap">
          <Progress value={job.progress * 100} w={120} aria-label="Progress of the export" />
          <Button variant="subtle" color="gray" size="compact-sm" onClick={() => cancel.mutate()}>
            Cancel
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
          Download
        </Button>
      )}
    </Group>
  );
}

const STATES: Record<Job['status'], string> = {
  queued: 'Waiting',
  running: 'Being written',
  completed: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

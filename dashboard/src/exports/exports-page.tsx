import { Badge, Button, Group, Progress, Select, Table, Text, VisuallyHidden } from '@mantine/core';
import { DateInput } from '@mantine/dates';
import '@mantine/dates/styles.css';
import type { Job, StartExportRequest } from '@headwater/sdk';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { queryClient } from '../service/query-client.ts';
import { headwater, useMayEdit } from '../service/session.ts';
import { formatAgo, formatBytes, formatDay, formatNumber, formatTime } from '../shared/formats.ts';
import { Icon } from '../shared/icons.tsx';
import { Listing } from '../shared/listing.tsx';
import { faultsOf } from '../shared/messages.ts';
import { Page } from '../shared/page.tsx';
import { Empty } from '../shared/states.tsx';

const DATASETS: Record<StartExportRequest['dataset'], string> = {
  conversions: 'Conversions',
  sessions: 'Sessions',
  visits: 'Visits',
  events: 'Events',
  leads: 'Leads',
  unmatched: 'Unmatched conversions',
};
const FORMATS: Record<StartExportRequest['format'], string> = {
  csv: 'CSV, for spreadsheets',
  ndjson: 'NDJSON, for programs',
  parquet: 'Parquet, for data warehouses',
};
const optionsOf = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

const forgetJobs = () => queryClient.invalidateQueries({ queryKey: ['jobs'] });

export function ExportsPage() {
  const mayEdit = useMayEdit();
  return (
    <Page
      wide
      title="Exports"
      description="Everything that was recorded, as a file. It can be downloaded for seven days."
    >
      {mayEdit && <NewExport />}
      <Jobs />
    </Page>
  );
}

function NewExport() {
  const [dataset, setDataset] = useState<StartExportRequest['dataset']>('conversions');
  const [format, setFormat] = useState<StartExportRequest['format']>('csv');
  const [from, setFrom] = useState<string | null>(null);
  const [to, setTo] = useState<string | null>(null);
  const mutation = useMutation({
    mutationFn: () =>
      headwater.startExport({ dataset, format, ...(from && { from }), ...(to && { to: dayAfter(to) }) }),
    onSettled: forgetJobs,
  });
  const faults = faultsOf(mutation.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutation.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Group className="surface" p="lg" align="flex-start" gap="md">
        <Select
          label="What"
          data={optionsOf(DATASETS)}
          value={dataset}
          onChange={(next) => setDataset(next as typeof dataset)}
          allowDeselect={false}
          flex={1}
          miw={170}
        />
        <Select
          label="Format"
          data={optionsOf(FORMATS)}
          value={format}
          onChange={(next) => setFormat(next as typeof format)}
          allowDeselect={false}
          flex={1}
          miw={170}
        />
        <DateInput
          label="From"
          placeholder="The beginning"
          value={from}
          onChange={setFrom}
          error={faults.get('/from')}
          valueFormat="D MMM YYYY"
          clearable
          maxDate={to ?? undefined}
          flex={1}
          miw={140}
        />
        <DateInput
          label="Until, included"
          placeholder="Now"
          value={to}
          onChange={setTo}
          error={faults.get('/to')}
          valueFormat="D MMM YYYY"
          clearable
          minDate={from ?? undefined}
          flex={1}
          miw={140}
        />
        <Button type="submit" loading={mutation.isPending} mt={25}>
          Start export
        </Button>
      </Group>
    </form>
  );
}

/** The service takes the first moment that is out. */
function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}

const isUnderWay = ({ status }: Job) => status === 'queued' || status === 'running';

function Jobs() {
  const query = useInfiniteQuery({
    queryKey: ['jobs', 'export'],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) =>
      headwater.listJobs({ type: 'export', pageSize: 25, pageToken: pageParam }, { signal }),
    getNextPageParam: (page) => page.nextPageToken ?? undefined,
    // Only while something moves.
    refetchInterval: ({ state }) => (state.data?.pages.some(({ jobs }) => jobs.some(isUnderWay)) ? 1_000 : false),
  });
  const jobs = query.data?.pages.flatMap((page) => page.jobs) ?? [];
  return (
    <Listing
      query={query}
      label="Loading exports"
      isEmpty={jobs.length === 0}
      empty={
        <Empty icon="exports" title="No exports yet">
          Choose above what you need. Large ones take a while, and go on when you leave this page.
        </Empty>
      }
    >
      <Table.ScrollContainer minWidth={640}>
        <Table className="data-table" verticalSpacing="sm" horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Export</Table.Th>
              <Table.Th>Days</Table.Th>
              <Table.Th>Started</Table.Th>
              <Table.Th>State</Table.Th>
              <Table.Th>
                <VisuallyHidden>Actions</VisuallyHidden>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {jobs.map((job) => (
              <JobRow key={job.id} job={job} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Listing>
  );
}

/** What an export covers; whole days, which are UTC's, as days. */
function spanOf(from: string | undefined, to: string | undefined): string {
  const isDay = (at: string) => at.length === 10 || at.endsWith('T00:00:00.000Z');
  const begin = from && (isDay(from) ? formatDay(from.slice(0, 10)) : formatTime(from));
  // The first moment that is out: of whole days, the day before is the last.
  const end = to && (isDay(to) ? formatDay(new Date(Date.parse(to) - 1).toISOString().slice(0, 10)) : formatTime(to));
  if (begin && end) return `${begin} – ${end}`;
  return begin ? `Since ${begin}` : end ? `Until ${end}` : 'All';
}

interface ExportResult {
  url: string | null;
  rows: number;
  bytes: number;
}

function JobRow({ job }: { job: Job }) {
  const { dataset, format, from, to } = job.params as unknown as StartExportRequest;
  const result = job.result as ExportResult | null;
  const mayEdit = useMayEdit();
  const cancel = useMutation({ mutationFn: () => headwater.cancelJob({ id: job.id }, {}), onSettled: forgetJobs });
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={550}>
          {DATASETS[dataset] ?? dataset}
        </Text>
        <Text size="xs" c="dimmed">
          {format}
        </Text>
      </Table.Td>
      <Table.Td>{spanOf(from, to)}</Table.Td>
      <Table.Td title={formatTime(job.createdAt)}>{formatAgo(job.createdAt)}</Table.Td>
      <Table.Td>
        <State job={job} result={result} />
      </Table.Td>
      <Table.Td ta="right">
        {mayEdit && isUnderWay(job) && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            loading={cancel.isPending}
            onClick={() => cancel.mutate()}
          >
            Cancel
          </Button>
        )}
        {job.status === 'completed' && result?.url && (
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
      </Table.Td>
    </Table.Tr>
  );
}

function State({ job, result }: { job: Job; result: ExportResult | null }) {
  switch (job.status) {
    case 'queued':
      return (
        <Badge variant="default" tt="none" fw={500}>
          Waiting
        </Badge>
      );
    case 'running':
      return (
        <Progress value={job.progress * 100} w={140} aria-label={`Progress: ${Math.round(job.progress * 100)} %`} />
      );
    case 'completed':
      return (
        <Text size="sm" className="number">
          {result?.url ? `${formatNumber(result.rows)} rows, ${formatBytes(result.bytes)}` : 'Its file was removed'}
        </Text>
      );
    case 'failed':
      return (
        <Text size="sm" c="red">
          {job.error?.detail ?? 'Failed'}
        </Text>
      );
    default:
      return (
        <Badge variant="default" tt="none" fw={500}>
          Cancelled
        </Badge>
      );
  }
}

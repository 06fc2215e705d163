import type { UnmatchedReport } from '@headwater/sdk';
import { Group, Stack, Table, Text, Title } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import dayjs from 'dayjs';
import { headwater } from '../service/session.ts';
import { formatAgo, formatNumber, formatTime } from '../shared/formats.ts';
import { Listing } from '../shared/listing.tsx';
import { Empty, Loaded } from '../shared/states.tsx';
import { IDENTIFIERS, type Identifier } from './columns.ts';
import { amountIn } from './conversion-list.tsx';

type Reason = UnmatchedReport['identifiers'][number]['reasons'][number]['reason'];

const REASONS: Record<Reason, string> = {
  platform_never_seen:
    'No visit came with such a click id lately. Is the script on the pages that ads lead to, and does no redirect drop the parameter?',
  malformed: 'It does not have the form of a session’s hash: cut off on the way, or another tool’s id.',
  not_seen: 'No visit has it. It may still arrive, or the click was on a page without the script.',
  erased: 'Its person was erased.',
};

const nameOf = (identifier: string | null) =>
  identifier === null ? 'Erased' : (IDENTIFIERS[identifier as Identifier] ?? identifier);

interface UnmatchedListProps {
  q: string | undefined;
  identifier: string | undefined;
}

export function UnmatchedList(asked: UnmatchedListProps) {
  return (
    <Stack>
      {asked.q === undefined && asked.identifier === undefined && <Why />}
      <Waiting {...asked} />
    </Stack>
  );
}

/** How many wait, by identifier, and why. */
function Why() {
  const range = {
    from: dayjs().subtract(30, 'day').format('YYYY-MM-DD'),
    to: dayjs().add(1, 'day').format('YYYY-MM-DD'),
  };
  const query = useQuery({
    queryKey: ['unmatched-report', range],
    queryFn: ({ signal }) => headwater.getUnmatchedReport(range, { signal }),
  });
  return (
    <Loaded query={query} rows={3}>
      {({ total, identifiers }) =>
        total === 0 ? null : (
          <Stack className="surface" p="lg" gap="md">
            <Title order={2}>Why they were not matched</Title>
            {identifiers.flatMap(({ identifier, reasons }) =>
              reasons.map(({ reason, count }) => (
                <Group key={`${identifier} ${reason}`} gap="md" wrap="nowrap" align="baseline">
                  <Text fw={620} miw={56} ta="right" className="number">
                    {formatNumber(count)}
                  </Text>
                  <div>
                    <Text size="sm" fw={550}>
                      {nameOf(identifier)}
                    </Text>
                    <Text size="sm" c="dimmed">
                      {REASONS[reason]}
                    </Text>
                  </div>
                </Group>
              )),
            )}
          </Stack>
        )
      }
    </Loaded>
  );
}

function Waiting({ q, identifier }: UnmatchedListProps) {
  const query = useInfiniteQuery({
    queryKey: ['unmatched', q, identifier],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) =>
      headwater.listUnmatchedConversions(
        { q, identifier: identifier as Identifier | undefined, pageToken: pageParam },
        { signal },
      ),
    getNextPageParam: (page) => page.nextPageToken ?? undefined,
    placeholderData: keepPreviousData,
  });
  const waiting = query.data?.pages.flatMap((page) => page.conversions) ?? [];
  return (
    <Listing
      query={query}
      label="Loading what waits"
      isEmpty={waiting.length === 0}
      empty={
        <Empty
          icon="check"
          title={q === undefined && identifier === undefined ? 'Everything was matched' : 'No such report waits'}
        >
          A report that finds no visit waits here for 30 days, and is matched by itself if its visit arrives.
        </Empty>
      }
    >
      <Table.ScrollContainer minWidth={720}>
        <Table className="data-table" verticalSpacing="sm" horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Report</Table.Th>
              <Table.Th>Looked for</Table.Th>
              <Table.Th ta="right">Value</Table.Th>
              <Table.Th>Arrived</Table.Th>
              <Table.Th>Waits until</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {waiting.map((report) => {
              const [[name, value] = [null, '']] = Object.entries(report.identifier);
              return (
                <Table.Tr key={report.id}>
                  <Table.Td>
                    {report.event}
                    {report.eventId && (
                      <Text size="xs" c="dimmed" truncate>
                        {report.eventId}
                      </Text>
                    )}
                  </Table.Td>
                  <Table.Td title={String(value)}>
                    {nameOf(name)}
                    <Text size="xs" c="dimmed" ff="monospace" truncate>
                      {String(value)}
                    </Text>
                  </Table.Td>
                  <Table.Td ta="right" className="number">
                    {amountIn(report)}
                  </Table.Td>
                  <Table.Td title={formatTime(report.receivedAt)}>{formatAgo(report.receivedAt)}</Table.Td>
                  <Table.Td>{formatTime(report.expiresAt)}</Table.Td>
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Listing>
  );
}

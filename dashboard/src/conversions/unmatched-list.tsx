import { Stack, Table, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import dayjs from 'dayjs';
import { headwater } from '../service/session.ts';
import { formatAgo, formatTime } from '../shared/formats.ts';
import { Listing } from '../shared/listing.tsx';
import { Empty } from '../shared/states.tsx';
import type { Identifier } from './columns.ts';
import { amountIn } from './conversion-list.tsx';
import { nameOf, WhyUnmatched } from './why-unmatched.tsx';

interface UnmatchedListProps {
  q: string | undefined;
  identifier: string | undefined;
}

/** As long as a report waits. */
const lately = () => ({
  from: dayjs().subtract(30, 'day').format('YYYY-MM-DD'),
  to: dayjs().add(1, 'day').format('YYYY-MM-DD'),
});

export function UnmatchedList(asked: UnmatchedListProps) {
  return (
    <Stack>
      {asked.q === undefined && asked.identifier === undefined && <WhyUnmatched range={lately()} />}
      <Waiting {...asked} />
    </Stack>
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

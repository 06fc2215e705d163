import type { Conversion } from '@headwater/sdk';
import { Anchor, Badge, Group, Table, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { headwater } from '../service/session.ts';
import { formatAgo, formatMoney, formatTime } from '../shared/formats.ts';
import { type ListState, timesOf } from '../shared/list-state.ts';
import { Listing } from '../shared/listing.tsx';
import { Empty } from '../shared/states.tsx';
import { originOf } from '../visitors/origin.tsx';

export function ConversionList({ state }: { state: ListState }) {
  const { q, event, origin, source, campaign, currency } = state;
  const query = useInfiniteQuery({
    queryKey: ['conversions', state],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) =>
      headwater.listConversions(
        {
          ...timesOf(state),
          q,
          event,
          source,
          campaign,
          currency: currency?.toUpperCase(),
          origin: origin as Conversion['origin'] | undefined,
          pageToken: pageParam,
        },
        { signal },
      ),
    getNextPageParam: (page) => page.nextPageToken ?? undefined,
    placeholderData: keepPreviousData,
  });
  const conversions = query.data?.pages.flatMap((page) => page.conversions) ?? [];
  return (
    <Listing
      query={query}
      label="Loading conversions"
      isEmpty={conversions.length === 0}
      empty={
        Object.keys(state).length === 0 ? (
          <Empty icon="check" title="No conversions yet">
            Report sales from your back end with the click id or the session you kept, or send an event with a{' '}
            <code>value</code>.
          </Empty>
        ) : (
          <Empty icon="search" title="No such conversion">
            Search takes an order number, a click id, a session’s hash or number, or an e-mail with its @. Filters take
            exact values.
          </Empty>
        )
      }
    >
      <Table.ScrollContainer minWidth={760}>
        <Table className="data-table" verticalSpacing="sm" horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Conversion</Table.Th>
              <Table.Th ta="right">Value</Table.Th>
              <Table.Th>When</Table.Th>
              <Table.Th>From</Table.Th>
              <Table.Th>Who</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {conversions.map((conversion) => (
              <Row key={conversion.id} conversion={conversion} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Listing>
  );
}

function Row({ conversion }: { conversion: Conversion }) {
  const { id, event, eventId, createdOn, restatements, sessionId, lead } = conversion;
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor component={Link} to={`/conversions/${id}`} size="sm">
          {event}
        </Anchor>
        {eventId && (
          <Text size="xs" c="dimmed" truncate>
            {eventId}
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="right" className="number">
        {amountIn(conversion)}
        {restatements > 0 && (
          <Group justify="flex-end">
            <Badge variant="light" color="gray" size="xs" tt="none">
              {restatements === 1 ? 'restated' : `restated ${restatements} times`}
            </Badge>
          </Group>
        )}
      </Table.Td>
      <Table.Td title={formatTime(createdOn)}>{formatAgo(createdOn)}</Table.Td>
      <Table.Td>
        {sessionId === null ? (
          'No session'
        ) : (
          <Anchor component={Link} to={`/sessions/${sessionId}`} size="sm">
            {originOf(conversion)}
          </Anchor>
        )}
      </Table.Td>
      <Table.Td>
        {lead && (
          <Anchor component={Link} to={`/leads/${lead.id}`} size="sm">
            {lead.email}
          </Anchor>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

/** An amount in its currency, digit for digit. */
export function amountIn({ value, currency }: { value: string | null; currency: string | null }): string {
  if (value === null) return '–';
  return currency ? formatMoney(value, currency) : value;
}

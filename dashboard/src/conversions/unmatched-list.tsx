import { Stack } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { headwater } from '../service/session.ts';
import { type Column, DataTable, timeColumn } from '../shared/data-table.tsx';
import { addDays, today } from '../shared/days.ts';
import { formatDateTime } from '../shared/formats.ts';
import { pagedQuery } from '../shared/paged-query.ts';
import { EmptyState } from '../shared/states.tsx';
import { displayTimeZone } from '../shared/time-zone.ts';
import type { Identifier } from './columns.ts';
import { valueText } from './conversion-list.tsx';
import { identifierLabel, UnmatchedSummary } from './unmatched-summary.tsx';

type Unmatched = Awaited<ReturnType<typeof headwater.listUnmatchedConversions>>['conversions'][number];

const COLUMNS: Column<Unmatched>[] = [
  { id: 'event', label: 'Conversion', cell: ({ event }) => event, note: ({ eventId }) => eventId },
  {
    id: 'identifier',
    label: 'Identifier',
    title: ({ identifier }) => Object.values(identifier).join(', '),
    cell: ({ identifier }) => identifierLabel(Object.keys(identifier)[0] ?? null),
    note: ({ identifier }) => <span className="code">{Object.values(identifier).join(', ')}</span>,
  },
  { id: 'value', label: 'Value', isNumber: true, cell: valueText },
  timeColumn('received', 'Received', ({ receivedAt }) => receivedAt),
  { id: 'expires', label: 'Expires', cell: ({ expiresAt }) => formatDateTime(expiresAt) },
];

/** The days for which unmatched conversions are kept. */
const last30Days = () => ({
  from: addDays(today(), -30),
  to: addDays(today(), 1),
  timeZone: displayTimeZone(),
});

export function UnmatchedList({ q, identifier }: { q: string | undefined; identifier: string | undefined }) {
  const isFiltered = q !== undefined || identifier !== undefined;
  const query = useInfiniteQuery({
    ...pagedQuery(
      ['unmatched', q, identifier],
      (pageToken, signal) =>
        headwater.listUnmatchedConversions(
          { q, identifier: identifier as Identifier | undefined, pageToken },
          { signal },
        ),
      ({ conversions }) => conversions,
    ),
    placeholderData: keepPreviousData,
  });
  return (
    <Stack>
      {!isFiltered && <UnmatchedSummary range={last30Days()} />}
      <DataTable
        label="Unmatched conversions"
        query={query}
        columns={COLUMNS}
        minWidth={720}
        rowKey={({ id }) => id}
        empty={
          <EmptyState icon="check" title={isFiltered ? 'No unmatched conversions found' : 'All conversions matched'}>
            Unmatched conversions are kept for 30 days and matched automatically when their session arrives.
          </EmptyState>
        }
      />
    </Stack>
  );
}

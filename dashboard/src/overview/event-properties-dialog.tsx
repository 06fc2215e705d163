import { Button, Group, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { writeCsvRow } from '../conversions/csv.ts';
import { headwater } from '../service/session.ts';
import { DataTable } from '../shared/data-table.tsx';
import { Dialog } from '../shared/dialogs.tsx';
import { downloadText } from '../shared/download-text.ts';
import { formatNumber } from '../shared/formats.ts';
import { SearchBox } from '../shared/search-box.tsx';
import { valueText } from './property-value.ts';

const MAX_ROWS = 1_000;

interface EventPropertiesDialogProps {
  event: string;
  property: string;
  /** The period and the filters. */
  selection: { from: string; to: string; timeZone: string };
  onClose: () => void;
}

/** All values of a property of an event, searchable and as CSV. */
export function EventPropertiesDialog({ event, property, selection, onClose }: EventPropertiesDialogProps) {
  const [search, setSearch] = useState<string>();
  const query = useQuery({
    queryKey: ['event properties', event, property, selection, search, MAX_ROWS],
    queryFn: ({ signal }) =>
      headwater.getEventProperties(
        { ...selection, event, property, limit: MAX_ROWS, ...(search !== undefined && { contains: search }) },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
  const rows = query.data?.rows;
  const download = () => {
    const lines = (rows ?? []).map(({ value, events, sessions }) => [
      valueText(value),
      String(events),
      String(sessions),
    ]);
    downloadText(
      `${event}-${property}.csv`,
      'text/csv',
      [[property, 'Events', 'Sessions'], ...lines].map(writeCsvRow).join(''),
    );
  };
  return (
    <Dialog onClose={onClose} title={`${event}: ${property}`} size="min(900px, 96vw)">
      <Stack>
        <Group gap="sm">
          <SearchBox value={search} onSearch={setSearch} label="Search values" />
          <Button variant="default" disabled={!rows || rows.length === 0} onClick={download}>
            Download CSV
          </Button>
        </Group>
        <DataTable
          label={`Values of ${property}`}
          query={{ ...query, data: rows }}
          isDense
          rowKey={({ value }) => value ?? ''}
          columns={[
            { id: 'value', label: property, cell: ({ value }) => valueText(value) },
            { id: 'events', label: 'Events', isNumber: true, cell: ({ events }) => formatNumber(events) },
            { id: 'sessions', label: 'Sessions', isNumber: true, cell: ({ sessions }) => formatNumber(sessions) },
          ]}
        />
        {query.data?.more && `The first ${MAX_ROWS} values are shown. Search to find others.`}
      </Stack>
    </Dialog>
  );
}

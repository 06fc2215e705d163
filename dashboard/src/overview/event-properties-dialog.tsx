import { Button, Group, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { writeCsvRow } from '../conversions/csv.ts';
import { t } from '../languages/translate.ts';
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
      [[property, t('Events'), t('Sessions')], ...lines].map(writeCsvRow).join(''),
    );
  };
  return (
    <Dialog onClose={onClose} title={`${event}: ${property}`} size="min(900px, 96vw)">
      <Stack>
        <Group gap="sm">
          <SearchBox value={search} onSearch={setSearch} label={t('Search values')} />
          <Button variant="default" disabled={!rows || rows.length === 0} onClick={download}>
            {t('Download CSV')}
          </Button>
        </Group>
        <DataTable
          label={t('Values of {property}', { property })}
          query={{ ...query, data: rows }}
          isDense
          rowKey={({ value }) => value ?? ''}
          columns={[
            { id: 'value', label: property, cell: ({ value }) => valueText(value) },
            { id: 'events', label: t('Events'), isNumber: true, cell: ({ events }) => formatNumber(events) },
            { id: 'sessions', label: t('Sessions'), isNumber: true, cell: ({ sessions }) => formatNumber(sessions) },
          ]}
        />
        {query.data?.more && t('The first {maxRows} values are shown. Search to find others.', { maxRows: MAX_ROWS })}
      </Stack>
    </Dialog>
  );
}

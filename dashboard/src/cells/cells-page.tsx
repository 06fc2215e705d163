import type { Cell, CellMove } from '@headwater/sdk';
import { Alert, Badge, Code, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { headwater } from '../service/session.ts';
import { type Column, DataTable, timeColumn } from '../shared/data-table.tsx';
import { formatBytes, formatNumber } from '../shared/formats.ts';
import { notify } from '../shared/notify.tsx';
import { Page } from '../shared/page.tsx';
import { cellsQuery, refreshCells } from './cells-query.ts';
import { ForOperators } from './for-operators.tsx';

const ifKnown = (value: number | null, format: (value: number) => string) => (value === null ? '–' : format(value));

const COLUMNS: Column<Cell>[] = [
  { id: 'name', label: 'Name', cell: ({ name }) => name },
  { id: 'status', label: 'Status', cell: (cell) => <Status {...cell} /> },
  { id: 'accounts', label: 'Accounts', isNumber: true, cell: ({ accounts }) => formatNumber(accounts) },
  {
    id: 'load',
    label: 'Load',
    isNumber: true,
    cell: ({ recordedPerSecond }) => ifKnown(recordedPerSecond, (rate) => `${formatNumber(rate)}/s`),
  },
  {
    id: 'lag',
    label: 'Report delay',
    isNumber: true,
    cell: ({ lagSeconds }) => ifKnown(lagSeconds, (seconds) => `${formatNumber(seconds)} s`),
  },
  { id: 'queued', label: 'Queued', isNumber: true, cell: ({ queued }) => ifKnown(queued, formatNumber) },
  { id: 'size', label: 'Size', isNumber: true, cell: ({ bytes }) => ifKnown(bytes, formatBytes) },
];

const STATES: Record<CellMove['state'], string> = {
  copying: 'Copying',
  following: 'Following changes',
  switching: 'Switching',
  switched: 'Deleting the old rows',
  canceling: 'Canceling',
};

const MOVE_COLUMNS: Column<CellMove>[] = [
  { id: 'account', label: 'Account', cell: ({ name }) => name, note: ({ account }) => account },
  { id: 'from', label: 'From', cell: ({ from }) => from },
  { id: 'to', label: 'To', cell: ({ to }) => to },
  { id: 'state', label: 'State', cell: ({ state }) => STATES[state], note: ({ error }) => error ?? undefined },
  timeColumn('started', 'Started', ({ startedAt }) => startedAt),
];

/** The cells of the service, for its operators. The navigation does not show the page to others. */
export function CellsPage() {
  return (
    <ForOperators>
      <CellList />
    </ForOperators>
  );
}

function CellList() {
  const query = useQuery(cellsQuery());
  const change = useMutation({
    mutationFn: ({ name, isOpen }: Cell) => headwater.changeCell({ cell: name }, { isOpen: !isOpen }),
    onSuccess: (_, { name, isOpen }) =>
      notify(isOpen ? `New accounts are not created in ${name}.` : `New accounts may be created in ${name}.`),
    onSettled: refreshCells,
  });
  const cancel = useMutation({
    mutationFn: ({ account }: CellMove) => headwater.cancelMove({ account }),
    onSuccess: () => notify('The copy is being deleted.'),
    onSettled: refreshCells,
  });
  const { data } = query;
  return (
    <Page wide title="Cells" description="Databases that contain the accounts of the service.">
      {data?.cells.length === 1 && (
        <Alert color="gray" title="All accounts are in one database">
          When it is busy, add another one with <Code>headwater cells add eu-1 postgres://…</Code> and move accounts
          there.
        </Alert>
      )}
      {data && data.moves.length > 0 && (
        <DataTable
          label="Moves"
          query={{ ...query, data: data.moves }}
          columns={MOVE_COLUMNS}
          rowKey={({ account }) => account}
          rowName={({ name }) => `move of ${name}`}
          actions={(move) =>
            move.state === 'switched' || move.state === 'canceling'
              ? []
              : [{ label: 'Cancel', onClick: () => cancel.mutate(move) }]
          }
        />
      )}
      <DataTable
        label="Cells"
        query={{ ...query, data: data?.cells }}
        columns={COLUMNS}
        rowKey={({ name }) => name}
        rowName={({ name }) => `cell ${name}`}
        rowLink={({ name }) => `/settings/cells/${name}`}
        actions={(cell) => [
          {
            label: cell.isOpen ? 'Close for new accounts' : 'Open for new accounts',
            onClick: () => change.mutate(cell),
          },
        ]}
        hasActionMenu
      />
      <Text size="sm" c="dimmed">
        Load counts visits, events and reports of conversions. New accounts go to the open cell with the fewest
        accounts.
      </Text>
    </Page>
  );
}

function Status({ status, isOpen }: Cell) {
  if (status === 'unavailable') {
    return (
      <Badge variant="light" color="red">
        Unavailable
      </Badge>
    );
  }
  return (
    <Badge variant="light" color={isOpen ? 'teal' : 'gray'}>
      {isOpen ? 'Open' : 'Closed'}
    </Badge>
  );
}

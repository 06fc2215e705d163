import type { CellMove, ServiceCell } from '@headwater/sdk';
import { Alert, Badge, Code, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { rich, t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { type Column, DataTable, timeColumn } from '../shared/data-table.tsx';
import { formatBytes, formatNumber } from '../shared/formats.ts';
import { notify } from '../shared/notify.tsx';
import { Page } from '../shared/page.tsx';
import { cellsQuery, refreshCells } from './cells-query.ts';
import { ForOperators } from './for-operators.tsx';

const ifKnown = (value: number | null, format: (value: number) => string) => (value === null ? '–' : format(value));

const COLUMNS: Column<ServiceCell>[] = [
  { id: 'name', label: t('Name'), cell: ({ name }) => name },
  { id: 'status', label: t('Status'), cell: (cell) => <Status {...cell} /> },
  { id: 'accounts', label: t('Accounts'), isNumber: true, cell: ({ accounts }) => formatNumber(accounts) },
  {
    id: 'load',
    label: t('Load'),
    isNumber: true,
    cell: ({ recordedPerSecond }) => ifKnown(recordedPerSecond, (rate) => `${formatNumber(rate)}/s`),
  },
  {
    id: 'lag',
    label: t('Report delay'),
    isNumber: true,
    cell: ({ lagSeconds }) => ifKnown(lagSeconds, (seconds) => `${formatNumber(seconds)} s`),
  },
  { id: 'queued', label: t('Queued'), isNumber: true, cell: ({ queued }) => ifKnown(queued, formatNumber) },
  { id: 'size', label: t('Size'), isNumber: true, cell: ({ bytes }) => ifKnown(bytes, formatBytes) },
];

const STATES: Record<CellMove['state'], string> = {
  copying: t('Copying'),
  following: t('Following changes'),
  switching: t('Switching'),
  switched: t('Deleting the old rows'),
  canceling: t('Canceling'),
};

const MOVE_COLUMNS: Column<CellMove>[] = [
  { id: 'account', label: t('Account'), cell: ({ name }) => name, note: ({ account }) => account },
  { id: 'from', label: t('From'), cell: ({ from }) => from },
  { id: 'to', label: t('To|place'), cell: ({ to }) => to },
  { id: 'state', label: t('State'), cell: ({ state }) => STATES[state], note: ({ error }) => error ?? undefined },
  timeColumn('started', t('Started'), ({ startedAt }) => startedAt),
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
    mutationFn: ({ name, isOpen }: ServiceCell) => headwater.changeCell({ cell: name }, { isOpen: !isOpen }),
    onSuccess: (_, { name, isOpen }) =>
      notify(
        isOpen
          ? t('New accounts are not created in {name}.', { name })
          : t('New accounts may be created in {name}.', { name }),
      ),
    onSettled: refreshCells,
  });
  const cancel = useMutation({
    mutationFn: ({ account }: CellMove) => headwater.cancelMove({ account }),
    onSuccess: () => notify(t('The copy is being deleted.')),
    onSettled: refreshCells,
  });
  const { data } = query;
  return (
    <Page wide title={t('Cells')} description={t('Databases that contain the accounts of the service.')}>
      {data?.cells.length === 1 && (
        <Alert color="gray" title={t('All accounts are in one database')}>
          {rich(
            'When it is busy, add another one with <code>headwater cells add eu-1 postgres://…</code> and move accounts there.',
            { code: (text) => <Code>{text}</Code> },
          )}
        </Alert>
      )}
      {data && data.moves.length > 0 && (
        <DataTable
          label={t('Moves')}
          query={{ ...query, data: data.moves }}
          columns={MOVE_COLUMNS}
          rowKey={({ account }) => account}
          rowName={({ name }) => t('move of {name}', { name })}
          actions={(move) =>
            move.state === 'switched' || move.state === 'canceling'
              ? []
              : [{ label: t('Cancel'), onClick: () => cancel.mutate(move) }]
          }
        />
      )}
      <DataTable
        label={t('Cells')}
        query={{ ...query, data: data?.cells }}
        columns={COLUMNS}
        rowKey={({ name }) => name}
        rowName={({ name }) => t('cell {name}', { name })}
        rowLink={({ name }) => `/settings/cells/${name}`}
        actions={(cell) => [
          {
            label: cell.isOpen ? t('Close for new accounts') : t('Open for new accounts'),
            onClick: () => change.mutate(cell),
          },
        ]}
        hasActionMenu
      />
      <Text size="sm" c="dimmed">
        {t(
          'Load counts visits, events and reports of conversions. New accounts go to the open cell with the fewest accounts.',
        )}
      </Text>
    </Page>
  );
}

function Status({ status, isOpen }: ServiceCell) {
  if (status === 'unavailable') {
    return (
      <Badge variant="light" color="red">
        {t('Unavailable')}
      </Badge>
    );
  }
  return (
    <Badge variant="light" color={isOpen ? 'teal' : 'gray'}>
      {isOpen ? t('Open') : t('Closed')}
    </Badge>
  );
}

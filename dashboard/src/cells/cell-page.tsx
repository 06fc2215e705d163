import type { CellAccounts } from '@headwater/sdk';
import { Select, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { type Column, DataTable, timeColumn } from '../shared/data-table.tsx';
import { FormDialog } from '../shared/form-dialog.tsx';
import { formatNumber } from '../shared/formats.ts';
import { notify } from '../shared/notify.tsx';
import { Page } from '../shared/page.tsx';
import { SearchBox } from '../shared/search-box.tsx';
import { EmptyState } from '../shared/states.tsx';
import { useForm } from '../shared/use-form.ts';
import { cellsQuery, refreshCells } from './cells-query.ts';
import { ForOperators } from './for-operators.tsx';

type CellAccount = CellAccounts['accounts'][number];

const COLUMNS: Column<CellAccount>[] = [
  { id: 'name', label: t('Account'), cell: ({ name }) => name, note: ({ id }) => id },
  {
    id: 'recorded',
    label: t('Visits and events'),
    isNumber: true,
    cell: ({ recorded }) => (recorded === null ? '–' : formatNumber(recorded)),
  },
  timeColumn('created', t('Created'), ({ createdAt }) => createdAt),
];

/** The largest accounts of a cell, for operators of the service, who move them. */
export function CellPage() {
  return (
    <ForOperators>
      <Accounts />
    </ForOperators>
  );
}

function Accounts() {
  const { cell = '' } = useParams({ strict: false }) as { cell?: string };
  const [search, setSearch] = useState<string>();
  const [moving, setMoving] = useState<CellAccount>();
  const { data: known } = useQuery(cellsQuery());
  const query = useQuery({
    queryKey: ['operator', 'cells', cell, 'accounts', search],
    queryFn: ({ signal }) =>
      headwater.listAccountsOfCell({ cell, ...(search !== undefined && { q: search }) }, { signal }),
    // A click while the search runs reaches its row.
    placeholderData: keepPreviousData,
  });
  const others = known?.cells.map(({ name }) => name).filter((name) => name !== cell) ?? [];
  const moves = new Map(known?.moves.map(({ account, to }) => [account, to]));
  return (
    <Page
      wide
      title={cell}
      back={{ to: '/settings/cells', label: t('Cells') }}
      description={t('The 50 accounts with the most visits and events, which are estimates in large cells.')}
    >
      <SearchBox label={t('Search by name or ID')} value={search} onSearch={setSearch} />
      <DataTable
        label={t('Accounts')}
        query={{ ...query, data: query.data?.accounts }}
        columns={[
          ...COLUMNS,
          {
            id: 'move',
            label: t('Move'),
            cell: ({ id }) => (moves.has(id) ? t('Moving to {cell}', { cell: moves.get(id) }) : '–'),
          },
        ]}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        actions={(account) =>
          moves.has(account.id) || others.length === 0 ? [] : [{ label: t('Move…'), onClick: () => setMoving(account) }]
        }
        empty={
          <EmptyState icon="users" title={search === undefined ? t('No accounts') : t('No results')}>
            {search === undefined
              ? t('New accounts are created here while the cell is open and has the fewest.')
              : t('No account of this cell has this name or ID.')}
          </EmptyState>
        }
      />
      {moving && <MoveDialog account={moving} from={cell} cells={others} onClose={() => setMoving(undefined)} />}
    </Page>
  );
}

interface MoveDialogProps {
  account: CellAccount;
  from: string;
  cells: string[];
  onClose: () => void;
}

function MoveDialog({ account, from, cells, onClose }: MoveDialogProps) {
  const form = useForm({
    initial: { cell: cells[0] ?? '' },
    save: ({ cell }) => headwater.moveAccount({ account: account.id, cell }),
    onSaved: (_, { cell }) => {
      notify(t('{name} is being moved to {cell}.', { name: account.name, cell }));
      void refreshCells();
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title={t('Move {name}', { name: account.name })}
      submit={t('Move account')}
      onClose={onClose}
    >
      <Text size="sm">
        {t(
          'The account leaves {from} while it is used. At the end, its requests wait for less than a second. You can cancel until then.',
          { from },
        )}
      </Text>
      <Select label={t('To|place')} data={cells} allowDeselect={false} {...form.input('cell')} />
    </FormDialog>
  );
}

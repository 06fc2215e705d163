import type { Collection, Field } from '@headwater/sdk';
import { Button, Group, Menu } from '@mantine/core';
import { useHotkeys, useLocalStorage } from '@mantine/hooks';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { isActive } from '../field-types/index.ts';
import { useMayEdit } from '../service/session.ts';
import { IconButton } from '../shared/icon-button.tsx';
import { Icon } from '../shared/icons.tsx';
import { Page } from '../shared/page.tsx';
import { SearchBox } from '../shared/search-box.tsx';
import { EmptyState, Loaded } from '../shared/states.tsx';
import { useSearchState } from '../shared/use-search-state.ts';
import { BulkActions } from './bulk-actions.tsx';
import { EntriesTable } from './entries-table.tsx';
import { AddFilter, FilterChips } from './entry-filters.tsx';
import { collectionQuery, entriesQuery } from './queries.ts';
import type { TableState } from './table-state.ts';

const ExportDialog = lazy(() => import('../imports/export-dialog.tsx'));

const DEFAULT_COLUMNS = 6;

export function EntriesPage() {
  const { collectionId } = useParams({ from: '/shell/content/$collectionId' });
  const query = useQuery(collectionQuery(collectionId));
  return <Loaded query={query}>{(collection) => <Entries key={collection.id} collection={collection} />}</Loaded>;
}

function Entries({ collection }: { collection: Collection }) {
  const { id: collectionId, name, description } = collection;
  const navigate = useNavigate();
  const mayEdit = useMayEdit();
  const [state, set] = useSearchState<TableState>();
  const { q, filters = [], sort } = state;
  const fields = collection.fields.filter(isActive);
  const [columns, setColumns] = useLocalStorage<string[] | null>({
    key: `headwater-columns-${collectionId}`,
    defaultValue: null,
  });
  const shown = columns === null ? fields.slice(0, DEFAULT_COLUMNS) : fields.filter(({ id }) => columns.includes(id));
  const query = useInfiniteQuery(entriesQuery(collectionId, state));
  const [isExporting, setIsExporting] = useState(false);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  // Counts up to empty the search box.
  const [cleared, setCleared] = useState(0);
  const chosen = (query.data ?? []).filter(({ id }) => selected.has(id));
  useHotkeys([['N', () => mayEdit && navigate({ to: `/content/${collectionId}/new` })]]);
  const newButton = mayEdit && (
    <IconButton icon="plus" to={`/content/${collectionId}/new`}>
      New entry
    </IconButton>
  );
  const filterProps = {
    fields,
    conditions: filters,
    onChange: (next: TableState['filters'] = []) => set({ filters: next.length === 0 ? undefined : next }),
  };
  const noMatch = (
    <EmptyState
      icon="search"
      title="No matching entries"
      action={
        <Button
          variant="default"
          onClick={() => {
            setCleared(cleared + 1);
            set({ q: undefined, filters: undefined });
          }}
        >
          Clear search and filters
        </Button>
      }
    >
      Change the search or remove a filter.
    </EmptyState>
  );
  const noEntries = (
    <EmptyState icon="content" title={`${name} is empty`} action={newButton}>
      {fields.length === 0 ? 'Add fields first.' : 'Create the first entry here or through the API.'}
    </EmptyState>
  );
  return (
    <Page
      wide
      title={name}
      description={description}
      back={{ to: '/content', label: 'Content' }}
      actions={
        <>
          <IconButton icon="trash" to={`/content/${collectionId}/trash`} variant="default">
            Trash
          </IconButton>
          {mayEdit && (
            <IconButton icon="columns" to={`/content/${collectionId}/schema`} variant="default">
              Fields
            </IconButton>
          )}
          {mayEdit && <ImportExportMenu collectionId={collectionId} onExport={() => setIsExporting(true)} />}
          {newButton}
        </>
      }
    >
      {isExporting && (
        <Suspense>
          <ExportDialog collection={collection} state={state} onClose={() => setIsExporting(false)} />
        </Suspense>
      )}
      <div>
        <Group mb="sm" gap="xs">
          <SearchBox key={cleared} label={`Search ${name}`} value={q} onSearch={(text) => set({ q: text })} />
          <AddFilter {...filterProps} />
          <ColumnsMenu
            fields={fields}
            shown={shown.map(({ id }) => id)}
            onChange={(ids) => setColumns(fields.map(({ id }) => id).filter((id) => ids.includes(id)))}
          />
          <FilterChips {...filterProps} />
        </Group>
        {mayEdit && chosen.length > 0 && (
          <BulkActions collection={collection} entries={chosen} onDone={() => setSelected(new Set())} />
        )}
        <EntriesTable
          collection={collection}
          query={query}
          fields={shown}
          sort={sort}
          onSort={(next) => set({ sort: next })}
          selected={selected}
          onSelect={setSelected}
          empty={q !== undefined || filters.length > 0 ? noMatch : noEntries}
        />
      </div>
    </Page>
  );
}

interface ColumnsMenuProps {
  fields: Field[];
  shown: string[];
  onChange: (ids: string[]) => void;
}

function ColumnsMenu({ fields, shown, onChange }: ColumnsMenuProps) {
  return (
    <Menu closeOnItemClick={false} position="bottom-start" withinPortal>
      <Menu.Target>
        <IconButton icon="columns" variant="default" disabled={fields.length === 0}>
          Columns
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown mah={380} style={{ overflowY: 'auto' }}>
        {fields.map(({ id, label }) => {
          const isShown = shown.includes(id);
          return (
            <Menu.CheckboxItem
              key={id}
              checked={isShown}
              onChange={() => onChange(isShown ? shown.filter((each) => each !== id) : [...shown, id])}
            >
              {label}
            </Menu.CheckboxItem>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}

function ImportExportMenu({ collectionId, onExport }: { collectionId: string; onExport: () => void }) {
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <IconButton icon="exports" variant="default">
          Import and export
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          component={Link}
          to={`/content/${collectionId}/import`}
          leftSection={<Icon name="upload" size={16} />}
        >
          Import CSV
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="exports" size={16} />} onClick={onExport}>
          Export
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

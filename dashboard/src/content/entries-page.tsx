import type { Collection, Field } from '@headwater/sdk';
import { Button, Group, Menu, SegmentedControl } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Navigate, useNavigate, useParams } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { isActive } from '../field-types/index.ts';
import { t } from '../languages/translate.ts';
import { useSession } from '../service/session.ts';
import { IconButton } from '../shared/icon-button.tsx';
import { lazy } from '../shared/lazy.tsx';
import { Page } from '../shared/page.tsx';
import { PageMenu } from '../shared/page-menu.tsx';
import { SearchBox } from '../shared/search-box.tsx';
import { EmptyState, Loaded } from '../shared/states.tsx';
import { useSearchState } from '../shared/use-search-state.ts';
import { useRights } from '../users/rights.ts';
import { BulkActions } from './bulk-actions.tsx';
import { EntriesTable } from './entries-table.tsx';
import { AddFilter, FilterChips, StatusFilter } from './entry-filters.tsx';
import { titleFieldOf } from './entry-title.ts';
import { useFilterPaths } from './filter-paths.ts';
import { type FilterGroup, fromWhere, NO_FILTERS, toWhere } from './filter-tree.ts';
import { collectionQuery, entriesQuery, singletonQuery } from './queries.ts';
import { useRecordCollection } from './recent-collections.ts';
import type { TableState } from './table-state.ts';
import { entryViews } from './view-store.ts';

const UseCollectionDialog = lazy(() => import('./use-collection-dialog.tsx'));
const FilterBuilder = lazy(() => import('./filter-builder.tsx'));
const EntryTree = lazy(() => import('./entry-tree.tsx'));
const SavedViews = lazy(async () => ({ default: (await import('../shared/saved-views.tsx')).SavedViews }));
const ExportDialog = lazy(() => import('../imports/export-dialog.tsx'));

const DEFAULT_COLUMNS = 6;

export function EntriesPage() {
  const { collectionId } = useParams({ from: '/shell/content/$collectionId' });
  const query = useQuery(collectionQuery(collectionId));
  return (
    <Loaded query={query}>
      {(collection) =>
        collection.singleton ? (
          <SingleEntry collection={collection} />
        ) : (
          <Entries key={collection.id} collection={collection} />
        )
      }
    </Loaded>
  );
}

/** The only entry of a singleton. Reading it creates it. */
function SingleEntry({ collection: { id: collectionId } }: { collection: Collection }) {
  const query = useQuery(singletonQuery(collectionId));
  return (
    <Loaded query={query}>
      {({ id }) => <Navigate to="/content/$collectionId/$entryId" params={{ collectionId, entryId: id }} replace />}
    </Loaded>
  );
}

function Entries({ collection }: { collection: Collection }) {
  const { id: collectionId, name, description } = collection;
  useRecordCollection(collectionId);
  const navigate = useNavigate();
  const { may, mayImport, uses } = useRights();
  const mayCreate = may('create', collectionId);
  const { role } = useSession().account;
  const [state, set] = useSearchState<TableState>();
  const { q, where, sort, columns } = state;
  const fields = collection.fields.filter(isActive);
  const paths = useFilterPaths(collection);
  const filters = fromWhere(where) ?? NO_FILTERS;
  const isOrdered = collection.ordering === 'manual' || collection.tree === true;
  const canArrange = isOrdered && q === undefined && where === undefined && sort === undefined;
  const [isTable, setIsTable] = useState(false);
  const isArranging = canArrange && !isTable;
  const [isFiltering, setIsFiltering] = useState(false);
  const shown =
    columns === undefined ? fields.slice(0, DEFAULT_COLUMNS) : fields.filter(({ id }) => columns.includes(id));
  const titleField = titleFieldOf(collection);
  const read = [...new Set([...(titleField ? [titleField.id] : []), ...shown.map(({ id }) => id)])];
  const query = useInfiniteQuery({ ...entriesQuery(collectionId, state, read), enabled: !isArranging });
  const [isExporting, setIsExporting] = useState(false);
  const [isUsing, setIsUsing] = useState(false);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  // Counts up to empty the search box.
  const [cleared, setCleared] = useState(0);
  const chosen = (query.data ?? []).filter(({ id }) => selected.has(id));
  useHotkeys([['N', () => mayCreate && navigate({ to: `/content/${collectionId}/new` })]]);
  const newButton = mayCreate && (
    <IconButton icon="plus" to={`/content/${collectionId}/new`}>
      {t('New entry')}
    </IconButton>
  );
  const filterProps = {
    paths,
    filters,
    onChange: (next: FilterGroup) => set({ where: toWhere(next) }),
  };
  const noMatch = (
    <EmptyState
      icon="search"
      title={t('No matching entries')}
      action={
        <Button
          variant="default"
          onClick={() => {
            setCleared(cleared + 1);
            set({ q: undefined, where: undefined });
          }}
        >
          {t('Clear search and filters')}
        </Button>
      }
    >
      {t('Change the search or remove a filter.')}
    </EmptyState>
  );
  const noEntries = (
    <EmptyState icon="content" title={t('{name} is empty', { name })} action={newButton}>
      {!mayCreate
        ? t('Your role may not create entries here, or it does not show the existing ones.')
        : fields.length === 0
          ? t('Add fields first.')
          : t('Create the first entry here or through the API.')}
    </EmptyState>
  );
  return (
    <Page
      wide
      title={name}
      description={description}
      back={{ to: '/content', label: t('Content') }}
      actions={
        <>
          <PageMenu
            items={[
              { label: 'API', icon: 'code', onClick: () => setIsUsing(true) },
              ...(uses('schema', 'write')
                ? ([{ label: t('Fields'), icon: 'columns', to: `/content/${collectionId}/schema` }] as const)
                : []),
              ...(mayImport(collectionId)
                ? ([{ label: t('Import CSV'), icon: 'upload', to: `/content/${collectionId}/import` }] as const)
                : []),
              ...(role === 'viewer'
                ? []
                : ([{ label: t('Export'), icon: 'exports', onClick: () => setIsExporting(true) }] as const)),
              { label: t('Trash'), icon: 'trash', to: `/content/${collectionId}/trash` },
            ]}
          />
          {newButton}
        </>
      }
    >
      {isUsing && (
        <Suspense>
          <UseCollectionDialog collection={collection} onClose={() => setIsUsing(false)} />
        </Suspense>
      )}
      {isExporting && (
        <Suspense>
          <ExportDialog collection={collection} state={state} onClose={() => setIsExporting(false)} />
        </Suspense>
      )}
      {isFiltering && (
        <Suspense>
          <FilterBuilder
            paths={paths}
            filters={filters}
            onApply={filterProps.onChange}
            onClose={() => setIsFiltering(false)}
          />
        </Suspense>
      )}
      <div>
        <Group mb="sm" gap="xs">
          <SearchBox
            key={cleared}
            label={t('Search {name}', { name })}
            value={q}
            onSearch={(text) => set({ q: text })}
          />
          <AddFilter {...filterProps} onEdit={() => setIsFiltering(true)} />
          <StatusFilter {...filterProps} />
          <ColumnsMenu
            fields={fields}
            shown={shown.map(({ id }) => id)}
            onChange={(ids) => set({ columns: fields.map(({ id }) => id).filter((id) => ids.includes(id)) })}
          />
          <Suspense>
            <SavedViews store={entryViews(collectionId)} kind="view" />
          </Suspense>
          {isOrdered && (
            <SegmentedControl
              aria-label={t('View')}
              value={isArranging ? 'tree' : 'table'}
              onChange={(view) => {
                setIsTable(view === 'table');
                if (view === 'tree') set({ q: undefined, where: undefined, sort: undefined });
              }}
              data={[
                { value: 'tree', label: collection.tree ? t('Tree') : t('Order') },
                { value: 'table', label: t('Table') },
              ]}
            />
          )}
          <FilterChips {...filterProps} />
          {filters.items.length > 0 && (
            <Button variant="subtle" color="gray" size="compact-sm" onClick={() => setIsFiltering(true)}>
              {t('Edit filters')}
            </Button>
          )}
        </Group>
        {chosen.length > 0 && (
          <BulkActions
            collection={collection}
            entries={chosen}
            all={q === undefined ? where : undefined}
            onDone={() => setSelected(new Set())}
          />
        )}
        {isArranging ? (
          <Suspense>
            <EntryTree collection={collection} empty={noEntries} />
          </Suspense>
        ) : (
          <EntriesTable
            collection={collection}
            query={query}
            fields={shown}
            sort={sort}
            onSort={(next) => set({ sort: next })}
            selected={selected}
            onSelect={setSelected}
            empty={q !== undefined || where ? noMatch : noEntries}
          />
        )}
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
          {t('Columns')}
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

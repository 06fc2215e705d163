import type { Collection } from '@headwater/sdk';
import { Anchor, Button, Group, Menu, Text, TextInput, Tooltip } from '@mantine/core';
import { useDebouncedCallback, useHotkeys, useLocalStorage } from '@mantine/hooks';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useRef, useState } from 'react';
import { useMayEdit } from '../service/session.ts';
import { Chip } from '../shared/chip.tsx';
import { Icon } from '../shared/icons.tsx';
import { narrowed } from '../shared/list-state.ts';
import { Page } from '../shared/page.tsx';
import { Empty, Failure, Loaded, Loading } from '../shared/states.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { EntriesTable } from './entries-table.tsx';
import { isActive, operatorsOf } from './field-types.ts';
import { FilterButton } from './filter-button.tsx';
import { collectionQuery, entriesQuery } from './queries.ts';
import type { TableState } from './table-state.ts';
import { textOf } from './value-text.tsx';

export function EntriesPage() {
  const { collectionId } = useParams({ from: '/shell/content/$collectionId' });
  const query = useQuery(collectionQuery(collectionId));
  return <Loaded query={query}>{(collection) => <Entries key={collection.id} collection={collection} />}</Loaded>;
}

const ExportWindow = lazy(() => import('../transfer/export-window.tsx'));

/** As many columns as are shown before anybody has chosen. */
const FIRST_COLUMNS = 6;

function Entries({ collection }: { collection: Collection }) {
  const { id: collectionId, name, description } = collection;
  const navigate = useNavigate();
  const mayEdit = useMayEdit();
  const state = useSearch({ from: '/shell/content/$collectionId' });
  const set = (part: Partial<TableState>) =>
    navigate({
      to: '/content/$collectionId',
      params: { collectionId },
      search: narrowed(state, part),
      replace: true,
    });
  const fields = collection.fields.filter(isActive);
  const [columns, setColumns] = useLocalStorage<string[] | null>({
    key: `headwater-columns-${collectionId}`,
    defaultValue: null,
  });
  const shown = columns === null ? fields.slice(0, FIRST_COLUMNS) : fields.filter(({ id }) => columns.includes(id));
  const query = useInfiniteQuery(entriesQuery(collection, state));
  const entries = query.data?.pages.flatMap((page) => page.entries) ?? [];
  const [isExporting, setIsExporting] = useState(false);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const search = useRef<HTMLInputElement>(null);
  const setSearch = useDebouncedCallback((q: string) => set({ q: q.trim() === '' ? undefined : q.trim() }), 300);
  useHotkeys([
    [
      'N',
      () => mayEdit && navigate({ to: '/content/$collectionId/$entryId', params: { collectionId, entryId: 'new' } }),
    ],
  ]);
  const isNarrowed = state.q !== undefined || (state.filters ?? []).length > 0;
  const chosen = entries.filter(({ id }) => selected.has(id));
  const newButton = mayEdit && (
    <Button component={Link} to={`/content/${collectionId}/new`} leftSection={<Icon name="plus" size={16} />}>
      New entry
    </Button>
  );
  return (
    <Page
      wide
      title={name}
      description={description}
      back={
        <Anchor component={Link} to="/content" size="sm" c="dimmed">
          Content
        </Anchor>
      }
      actions={
        <>
          <Button
            component={Link}
            to={`/content/${collectionId}/trash`}
            variant="default"
            leftSection={<Icon name="trash" size={16} />}
          >
            Trash
          </Button>
          {mayEdit && (
            <Button
              component={Link}
              to={`/content/${collectionId}/schema`}
              variant="default"
              leftSection={<Icon name="columns" size={16} />}
            >
              Fields
            </Button>
          )}
          {mayEdit && <FilesMenu collectionId={collectionId} onExport={() => setIsExporting(true)} />}
          {newButton}
        </>
      }
    >
      {isExporting && (
        <Suspense>
          <ExportWindow collection={collection} state={state} onClose={() => setIsExporting(false)} />
        </Suspense>
      )}
      <div>
        <Group mb="sm" gap="xs">
          <TextInput
            ref={search}
            leftSection={<Icon name="search" size={16} />}
            placeholder={`Search ${name}`}
            aria-label={`Search ${name}`}
            defaultValue={state.q ?? ''}
            onChange={(event) => setSearch(event.currentTarget.value)}
            w={{ base: '100%', xs: 260 }}
          />
          <FilterButton
            fields={fields}
            onAdd={(condition) => set({ filters: [...(state.filters ?? []), condition] })}
          />
          <ColumnsMenu
            fields={fields}
            shown={shown.map(({ id }) => id)}
            onChange={(ids) => setColumns(fields.map(({ id }) => id).filter((id) => ids.includes(id)))}
          />
          {(state.filters ?? []).map((condition, i) => {
            const field = fields.find(({ id }) => id === condition.field);
            const operator = field && operatorsOf(field).find(({ value }) => value === condition.operator)?.label;
            const value =
              condition.operator === 'exists'
                ? condition.value === 'true'
                  ? ''
                  : '(no)'
                : describe(field, condition.value);
            const text = `${field?.label ?? condition.field} ${operator ?? condition.operator} ${value}`;
            return (
              <Chip
                // biome-ignore lint/suspicious/noArrayIndexKey: the same condition may stand there twice
                key={i}
                text={text}
                onRemove={() => {
                  const left = (state.filters ?? []).filter((_, at) => at !== i);
                  set({ filters: left.length === 0 ? undefined : left });
                }}
              />
            );
          })}
        </Group>
        {mayEdit && chosen.length > 0 && (
          <BulkBar collection={collection} entries={chosen} onDone={() => setSelected(new Set())} />
        )}
        <div className="surface" style={{ overflow: 'hidden' }}>
          {query.isError ? (
            <Failure error={query.error} onRetry={() => query.refetch()} />
          ) : query.isPending ? (
            <Loading rows={8} label="Loading entries" />
          ) : entries.length > 0 ? (
            <EntriesTable
              collection={collection}
              fields={shown}
              entries={entries}
              sort={
                state.sort ??
                (collection.defaultSort
                  ? `${collection.defaultSort.fieldId}:${collection.defaultSort.direction}`
                  : undefined)
              }
              onSort={(sort) => set({ sort })}
              selected={selected}
              onSelect={setSelected}
            />
          ) : isNarrowed ? (
            <Empty
              icon="search"
              title="No entry is like that"
              action={
                <Button
                  variant="default"
                  onClick={() => {
                    if (search.current) search.current.value = '';
                    set({ q: undefined, filters: undefined });
                  }}
                >
                  Show all
                </Button>
              }
            >
              Search for other words, or take a filter away.
            </Empty>
          ) : (
            <Empty icon="content" title={`${name} is empty`} action={newButton}>
              {fields.length === 0
                ? 'Add fields first, then fill them in.'
                : 'Write the first entry here, or send it through the API.'}
            </Empty>
          )}
        </div>
        {entries.length > 0 && (
          <Group justify="space-between" mt="sm">
            <Text size="sm" c="dimmed" role="status">
              {query.hasNextPage
                ? `The first ${entries.length}`
                : entries.length === 1
                  ? '1 entry'
                  : `${entries.length} entries`}
            </Text>
            {query.hasNextPage && (
              <Button variant="default" loading={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
                Show more
              </Button>
            )}
          </Group>
        )}
      </div>
    </Page>
  );
}

function describe(field: Collection['fields'][number] | undefined, value: string): string {
  if (!field) return value;
  if (field.type === 'boolean') return value === 'true' ? 'yes' : 'no';
  return field.type === 'text' || field.type === 'number' ? value : textOf({ ...field, repeated: false }, value);
}

interface ColumnsMenuProps {
  fields: Collection['fields'];
  shown: string[];
  onChange: (ids: string[]) => void;
}

function ColumnsMenu({ fields, shown, onChange }: ColumnsMenuProps) {
  return (
    <Menu closeOnItemClick={false} position="bottom-start" withinPortal>
      <Tooltip label="Choose the columns">
        <Menu.Target>
          <Button variant="default" leftSection={<Icon name="columns" size={16} />} disabled={fields.length === 0}>
            Columns
          </Button>
        </Menu.Target>
      </Tooltip>
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

/** Entries in and out as files. */
function FilesMenu({ collectionId, onExport }: { collectionId: string; onExport: () => void }) {
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant="default" leftSection={<Icon name="exports" size={16} />}>
          Import, export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          component={Link}
          to={`/content/${collectionId}/import`}
          leftSection={<Icon name="upload" size={16} />}
        >
          Import a CSV
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="exports" size={16} />} onClick={onExport}>
          Export
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

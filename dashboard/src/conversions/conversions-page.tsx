import { Button, Group, Select, Tabs } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMayEdit } from '../service/session.ts';
import { Icon } from '../shared/icons.tsx';
import { type ListFilter, ListFilters } from '../shared/list-filters.tsx';
import { type ListState, narrowed } from '../shared/list-state.ts';
import { Page } from '../shared/page.tsx';
import { SearchBox } from '../shared/search-box.tsx';
import { IDENTIFIERS } from './columns.ts';
import { ConversionList } from './conversion-list.tsx';
import { UnmatchedList } from './unmatched-list.tsx';

const FILTERS: ListFilter[] = [
  'event',
  'source',
  'campaign',
  {
    name: 'origin',
    label: 'Came as',
    options: [
      { value: 'report', label: 'A report' },
      { value: 'event', label: 'An event with a value' },
    ],
  },
  { name: 'currency', label: 'Currency', options: [] },
];

/** Conversions as they stand, and reports that no session was found for. */
export function ConversionsPage() {
  const state = useSearch({ from: '/shell/conversions' });
  const navigate = useNavigate();
  const mayEdit = useMayEdit();
  const set = (part: ListState) => navigate({ to: '/conversions', search: narrowed(state, part), replace: true });
  return (
    <Page
      wide
      title="Conversions"
      description="Sales and whatever else counts, each with the visit or the ad click that brought it."
      actions={
        mayEdit && (
          <Button component={Link} to="/conversions/report" leftSection={<Icon name="plus" size={16} />}>
            Report conversions
          </Button>
        )
      }
    >
      <Tabs
        value={state.list ?? 'matched'}
        onChange={(list) => {
          const search = narrowed<ListState>({}, { q: state.q, list: list === 'unmatched' ? list : undefined });
          void navigate({ to: '/conversions', search, replace: true });
        }}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="matched">Matched</Tabs.Tab>
          <Tabs.Tab value="unmatched">Not matched</Tabs.Tab>
        </Tabs.List>
        <Group gap="sm" mb="md">
          <SearchBox
            value={state.q}
            onSearch={(q) => set({ q })}
            label="Search conversions"
            placeholder="Order number, click id, hash, e-mail …"
          />
          {state.list === 'unmatched' ? (
            <Select
              aria-label="Looked for"
              placeholder="Any identifier"
              clearable
              w={220}
              value={state.identifier ?? null}
              onChange={(next) => set({ identifier: next ?? undefined })}
              data={Object.entries(IDENTIFIERS).map(([value, label]) => ({ value, label }))}
            />
          ) : (
            <ListFilters filters={FILTERS} state={state} onChange={set} />
          )}
        </Group>
        <Tabs.Panel value="matched">
          <ConversionList state={state} />
        </Tabs.Panel>
        <Tabs.Panel value="unmatched">
          <UnmatchedList q={state.q} identifier={state.identifier} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

import { Button, Group, Select, Stack, Tabs } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { t } from '../languages/translate.ts';
import { type ListFilter, ListFilters } from '../reports/list-filters.tsx';
import { Icon } from '../shared/icons.tsx';
import type { ListState } from '../shared/list-state.ts';
import { Page } from '../shared/page.tsx';
import { SearchBox } from '../shared/search-box.tsx';
import { useSearchState } from '../shared/use-search-state.ts';
import { useMayWrite } from '../users/rights.ts';
import { IDENTIFIERS } from './columns.ts';
import { ConversionList } from './conversion-list.tsx';
import { UnmatchedList } from './unmatched-list.tsx';

const FILTERS: ListFilter[] = [
  'event',
  'source',
  'campaign',
  {
    name: 'origin',
    label: t('Source type'),
    options: [
      { value: 'report', label: 'API' },
      { value: 'event', label: t('Event with a value') },
    ],
  },
  { name: 'currency', label: t('Currency'), options: [] },
];

const SEARCH = { label: t('Search conversions'), placeholder: t('Order ID, click ID, session hash, email …') };

/** Filters that only one of the lists has. */
const NO_FILTERS: ListState = Object.fromEntries(
  ['from', 'to', 'event', 'source', 'campaign', 'origin', 'currency', 'identifier', 'sort'].map((name) => [
    name,
    undefined,
  ]),
);

/** Matched conversions, and unmatched ones. */
export function ConversionsPage() {
  const [state, set] = useSearchState<ListState>();
  const mayEdit = useMayWrite('conversions');
  return (
    <Page
      wide
      title={t('Conversions')}
      description={t('Sales and other goals, each with the session or ad click that led to it.')}
      actions={
        mayEdit && (
          <Button component={Link} to="/conversions/add" leftSection={<Icon name="plus" size={16} />}>
            {t('Add conversions')}
          </Button>
        )
      }
    >
      <Tabs
        value={state.list ?? 'matched'}
        onChange={(list) => set({ ...NO_FILTERS, list: list === 'unmatched' ? list : undefined })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="matched">{t('Matched')}</Tabs.Tab>
          <Tabs.Tab value="unmatched">{t('Unmatched')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="matched">
          <Stack>
            <ListFilters {...SEARCH} filters={FILTERS} state={state} onChange={set} />
            <ConversionList state={state} onSort={(sort) => set({ sort })} />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="unmatched">
          <Group gap="sm" mb="md">
            <SearchBox {...SEARCH} value={state.q} onSearch={(q) => set({ q })} />
            <Select
              aria-label={t('Identifier')}
              placeholder={t('All identifiers')}
              clearable
              w={220}
              value={state.identifier ?? null}
              onChange={(next) => set({ identifier: next ?? undefined })}
              data={Object.entries(IDENTIFIERS).map(([value, label]) => ({ value, label }))}
            />
          </Group>
          <UnmatchedList q={state.q} identifier={state.identifier} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

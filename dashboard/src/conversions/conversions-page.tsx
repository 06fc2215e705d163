import { Button, Group, Tabs } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMayEdit } from '../service/session.ts';
import { Icon } from '../shared/icons.tsx';
import { Page } from '../shared/page.tsx';
import { SearchBox } from '../shared/search-box.tsx';
import { narrowed } from '../visitors/list-state.ts';
import { ConversionList } from './conversion-list.tsx';
import type { ConversionsState } from './conversions-state.ts';
import { UnmatchedList } from './unmatched-list.tsx';

/** Conversions as they stand, and reports that no session was found for. */
export function ConversionsPage() {
  const state = useSearch({ from: '/shell/conversions' });
  const navigate = useNavigate();
  const mayEdit = useMayEdit();
  const set = (part: Partial<ConversionsState>) =>
    navigate({ to: '/conversions', search: narrowed(state, part), replace: true });
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
        onChange={(list) => set({ list: list === 'unmatched' ? list : undefined })}
        keepMounted={false}
      >
        <Group justify="space-between" mb="md">
          <Tabs.List>
            <Tabs.Tab value="matched">Matched</Tabs.Tab>
            <Tabs.Tab value="unmatched">Not matched</Tabs.Tab>
          </Tabs.List>
          <SearchBox
            value={state.q}
            onSearch={(q) => set({ q })}
            label="Search conversions"
            placeholder="Order number, click id, hash, e-mail …"
          />
        </Group>
        <Tabs.Panel value="matched">
          <ConversionList q={state.q} />
        </Tabs.Panel>
        <Tabs.Panel value="unmatched">
          <UnmatchedList q={state.q} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

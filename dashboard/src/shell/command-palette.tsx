import type { Collection } from '@headwater/sdk';
import { createSpotlight, Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import '@mantine/spotlight/styles.css';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { entryTitle } from '../content/entry-title.ts';
import { collectionsQuery } from '../content/queries.ts';
import { type AccountOfUser, headwater, useSession } from '../service/session.ts';
import { Icon, type IconName } from '../shared/icons.tsx';
import { navigationOf } from './navigation.ts';

const [store, palette] = createSpotlight();

/** Finds pages, collections and actions by name. Opens whenever `openCount` changes. */
export function CommandPalette({ openCount }: { openCount: number }) {
  const navigate = useNavigate();
  // biome-ignore lint/correctness/useExhaustiveDependencies: openCount is the trigger
  useEffect(() => palette.open(), [openCount]);
  const { account, user } = useSession();
  const { data: collections = [] } = useQuery({ ...collectionsQuery(), enabled: account.area !== 'analytics' });
  const [text, setText] = useState('');
  const records = useRecords(text, collections, account.area, (to) => void navigate({ to }));
  const pages = navigationOf(account, user.isOperator)
    .flatMap(({ items }) => items)
    .map(
      ({ to, label, icon, keywords }): SpotlightActionData => ({
        id: to,
        label,
        keywords,
        leftSection: <Icon name={icon} />,
        onClick: () => navigate({ to }),
      }),
    );
  const collectionActions = collections.flatMap(({ id, name }): SpotlightActionData[] => [
    {
      id,
      label: name,
      description: 'Entries',
      leftSection: <Icon name="content" />,
      onClick: () => navigate({ to: '/content/$collectionId', params: { collectionId: id } }),
    },
    {
      id: `${id} new`,
      label: `New entry in ${name}`,
      leftSection: <Icon name="plus" />,
      onClick: () => navigate({ to: '/content/$collectionId/$entryId', params: { collectionId: id, entryId: 'new' } }),
    },
  ]);
  const newCollection: SpotlightActionData = {
    id: 'new collection',
    label: 'New collection',
    leftSection: <Icon name="plus" />,
    onClick: () => navigate({ to: '/content/new' }),
  };
  return (
    <Spotlight
      store={store}
      shortcut={null}
      actions={[
        { group: 'Go to', actions: pages },
        { group: 'Content', actions: [...collectionActions, newCollection] },
        ...(records.length > 0 ? [{ group: 'Leads, conversions, sessions, entries and files', actions: records }] : []),
      ]}
      attributes={{ content: { 'aria-label': 'Search' } }}
      query={text}
      onQueryChange={setText}
      limit={20}
      scrollable
      maxHeight={420}
      overlayProps={{ backgroundOpacity: 0.4, blur: 0 }}
      nothingFound="No results"
      searchProps={{
        leftSection: <Icon name="search" />,
        placeholder: 'Search pages, people, orders, entries, files',
        'aria-label': 'Search',
      }}
    />
  );
}

const MIN_LENGTH = 3;
const SHOWN = 4;

async function findVisitors(q: string, signal: AbortSignal) {
  const [{ leads }, { conversions }, { sessions }] = await Promise.all([
    headwater.listLeads({ q, pageSize: SHOWN }, { signal }),
    headwater.listConversions({ q, pageSize: SHOWN }, { signal }),
    headwater.listTrackedSessions({ q, pageSize: SHOWN }, { signal }),
  ]);
  return { leads, conversions, sessions };
}

const NO_VISITORS: Awaited<ReturnType<typeof findVisitors>> = { leads: [], conversions: [], sessions: [] };

/** The entries of so many collections are searched. */
const MAX_COLLECTIONS = 8;

/**
 * Leads by a part of their email or name, conversions by order ID, sessions by any of their identifiers, entries by their texts
 * and files by their name.
 */
function useRecords(
  text: string,
  collections: readonly Collection[],
  area: AccountOfUser['area'],
  open: (to: string) => void,
): SpotlightActionData[] {
  const [q] = useDebouncedValue(text.trim(), 200);
  const { data } = useQuery({
    queryKey: ['palette', q, area],
    enabled: q.length >= MIN_LENGTH,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      // Members can be limited to content or to analytics.
      const searched = area === 'analytics' ? [] : collections.slice(0, MAX_COLLECTIONS);
      const [visitors, library, ...pages] = await Promise.all([
        area === 'content' ? NO_VISITORS : findVisitors(q, signal),
        area === 'analytics' ? { files: [] } : headwater.listFiles({ name: q, pageSize: SHOWN }, { signal }),
        ...searched.map(({ id }) => headwater.listEntries({ collectionId: id, q, pageSize: SHOWN }, { signal })),
      ]);
      const entries = searched.flatMap((collection, i) =>
        (pages[i]?.entries ?? []).map((entry) => ({ collection, entry })),
      );
      return { ...visitors, files: library.files, entries };
    },
  });
  if (!data || text.trim().length < MIN_LENGTH) return [];
  // The service has found them: the palette must not filter them by their labels.
  const found = (id: string, label: string, description: string, icon: IconName, to: string): SpotlightActionData => ({
    ...{ id, label, description },
    keywords: [text, q],
    leftSection: <Icon name={icon} />,
    onClick: () => open(to),
  });
  return [
    ...data.leads.map(({ id, email, name }) =>
      found(id, email, name === null ? 'Lead' : `Lead, ${name}`, 'users', `/leads/${id}`),
    ),
    ...data.conversions.map(({ id, event, eventId }) =>
      found(id, eventId ?? event, 'Conversion', 'check', `/conversions/${id}`),
    ),
    ...data.sessions.map(({ id, hash, source }) =>
      found(`session ${id}`, hash, `Session from ${source ?? 'Direct'}`, 'clock', `/sessions/${id}`),
    ),
    ...data.entries.map(({ collection, entry }) =>
      found(
        entry.id,
        entryTitle(collection, entry),
        `Entry of ${collection.name}`,
        'content',
        `/content/${collection.id}/${entry.id}`,
      ),
    ),
    ...data.files.map(({ assetId, name }) =>
      found(assetId, name ?? assetId, 'File', 'files', `/files?${new URLSearchParams({ file: assetId })}`),
    ),
  ];
}

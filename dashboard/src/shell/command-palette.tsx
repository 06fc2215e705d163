import { createSpotlight, Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import '@mantine/spotlight/styles.css';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { collectionsQuery } from '../content/queries.ts';
import { headwater, useSession } from '../service/session.ts';
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
  const records = useRecords(account.area === 'content' ? '' : text, (to) => void navigate({ to }));
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
        ...(records.length > 0 ? [{ group: 'Leads, conversions and sessions', actions: records }] : []),
      ]}
      attributes={{ content: { 'aria-label': 'Search' } }}
      query={text}
      onQueryChange={setText}
      limit={12}
      scrollable
      maxHeight={420}
      overlayProps={{ backgroundOpacity: 0.4, blur: 0 }}
      nothingFound="No results"
      searchProps={{
        leftSection: <Icon name="search" />,
        placeholder: 'Search pages, emails, order IDs, hashes',
        'aria-label': 'Search',
      }}
    />
  );
}

const MIN_LENGTH = 3;
const SHOWN = 4;

/** Leads by the start of their email, conversions by order ID, and sessions by any of their identifiers. */
function useRecords(text: string, open: (to: string) => void): SpotlightActionData[] {
  const [q] = useDebouncedValue(text.trim(), 200);
  const { data } = useQuery({
    queryKey: ['palette', q],
    enabled: q.length >= MIN_LENGTH,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const [{ leads }, { conversions }, { sessions }] = await Promise.all([
        headwater.listLeads({ q, pageSize: SHOWN }, { signal }),
        headwater.listConversions({ q, pageSize: SHOWN }, { signal }),
        headwater.listTrackedSessions({ q, pageSize: SHOWN }, { signal }),
      ]);
      return { leads, conversions, sessions };
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
    ...data.leads.map(({ id, email }) => found(id, email, 'Lead', 'users', `/leads/${id}`)),
    ...data.conversions.map(({ id, event, eventId }) =>
      found(id, eventId ?? event, 'Conversion', 'check', `/conversions/${id}`),
    ),
    ...data.sessions.map(({ id, hash, source }) =>
      found(`session ${id}`, hash, `Session from ${source ?? 'Direct'}`, 'clock', `/sessions/${id}`),
    ),
  ];
}

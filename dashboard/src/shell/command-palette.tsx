import { createSpotlight, Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import '@mantine/spotlight/styles.css';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { collectionsQuery } from '../content/queries.ts';
import { useSession } from '../service/session.ts';
import { Icon } from '../shared/icons.tsx';
import { navigationOf } from './navigation.ts';

const [store, palette] = createSpotlight();

/** Finds pages, collections and actions by name. Opens whenever `openCount` changes. */
export function CommandPalette({ openCount }: { openCount: number }) {
  const navigate = useNavigate();
  // biome-ignore lint/correctness/useExhaustiveDependencies: openCount is the trigger
  useEffect(() => palette.open(), [openCount]);
  const { data: collections = [] } = useQuery(collectionsQuery());
  const { account } = useSession();
  const pages = navigationOf(account.role)
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
      ]}
      attributes={{ content: { 'aria-label': 'Search' } }}
      limit={12}
      scrollable
      maxHeight={420}
      overlayProps={{ backgroundOpacity: 0.4, blur: 0 }}
      nothingFound="No results"
      searchProps={{
        leftSection: <Icon name="search" />,
        placeholder: 'Search pages and collections',
        'aria-label': 'Search',
      }}
    />
  );
}

import { createSpotlight, Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import '@mantine/spotlight/styles.css';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { collectionsQuery } from '../content/queries.ts';
import { useSession } from '../service/session.ts';
import { Icon } from '../shared/icons.tsx';
import { destinationsOf } from './destinations.ts';

const [store, palette] = createSpotlight();

/** Every page, every collection and what can be begun, by a few letters of its name. Opens each time that `asked` counts on. */
export function CommandPalette({ asked }: { asked: number }) {
  const navigate = useNavigate();
  // biome-ignore lint/correctness/useExhaustiveDependencies: it counts the times that somebody asked
  useEffect(() => palette.open(), [asked]);
  const { data: collections = [] } = useQuery(collectionsQuery());
  const { account } = useSession();
  const pages = destinationsOf(account.role)
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
  const ofCollections = collections.flatMap(({ id, name }): SpotlightActionData[] => [
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
  const begun: SpotlightActionData = {
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
        { group: 'Content', actions: [...ofCollections, begun] },
      ]}
      attributes={{ content: { 'aria-label': 'Search' } }}
      limit={12}
      scrollable
      maxHeight={420}
      overlayProps={{ backgroundOpacity: 0.4, blur: 0 }}
      nothingFound="Nothing of that name"
      searchProps={{
        leftSection: <Icon name="search" />,
        placeholder: 'A page, a collection …',
        'aria-label': 'Search',
      }}
    />
  );
}

import { createSpotlight, Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { collectionsQuery } from '../content/queries.ts';
import { Icon } from '../shared/icons.tsx';
import { DESTINATIONS } from './destinations.ts';

const [store, palette] = createSpotlight();

export const openPalette = palette.open;

/** Every page, every collection and what can be begun, by a few letters of its name. */
export function CommandPalette() {
  const navigate = useNavigate();
  const { data: collections = [] } = useQuery(collectionsQuery());
  const pages = [...DESTINATIONS.main, ...DESTINATIONS.settings].map(
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
      shortcut={['mod + K', '/']}
      actions={[
        { group: 'Go to', actions: pages },
        { group: 'Content', actions: [...ofCollections, begun] },
      ]}
      limit={12}
      scrollable
      maxHeight={420}
      highlightQuery
      nothingFound="Nothing of that name"
      searchProps={{
        leftSection: <Icon name="search" />,
        placeholder: 'A page, a collection …',
        'aria-label': 'Search',
      }}
    />
  );
}

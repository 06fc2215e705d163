import type { Collection } from '@headwater/sdk';
import { ActionIcon, Anchor, Button, Group, Menu, Table, Text, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { headwater, useMayEdit } from '../service/session.ts';
import { Confirm } from '../shared/confirm.tsx';
import { formatAgo, formatNumber } from '../shared/formats.ts';
import { Icon } from '../shared/icons.tsx';
import { tellUndo } from '../shared/notify.tsx';
import { Page } from '../shared/page.tsx';
import { Empty, Loaded } from '../shared/states.tsx';
import { isActive } from './field-types.ts';
import { collectionsQuery, forgetCollections } from './queries.ts';

export function CollectionsPage() {
  const query = useQuery(collectionsQuery());
  const newButton = useMayEdit() && (
    <Button component={Link} to="/content/new" leftSection={<Icon name="plus" size={16} />}>
      New collection
    </Button>
  );
  return (
    <Page
      title="Content"
      description="Collections hold what your pages show: posts, products, people, prices."
      actions={
        <>
          <Button component={Link} to="/content/trash" variant="default" leftSection={<Icon name="trash" size={16} />}>
            Trash
          </Button>
          {query.data && query.data.length > 0 && newButton}
        </>
      }
    >
      <div className="surface">
        <Loaded query={query}>
          {(collections) =>
            collections.length === 0 ? (
              <Empty icon="content" title="No collections yet" action={newButton}>
                A collection has fields, such as a headline, a picture and a price. Its entries fill them in, and your
                pages read them through the API.
              </Empty>
            ) : (
              <Collections collections={collections} />
            )
          }
        </Loaded>
      </div>
    </Page>
  );
}

function Collections({ collections }: { collections: Collection[] }) {
  const mayEdit = useMayEdit();
  const [removed, setRemoved] = useState<Collection>();
  const remove = async ({ id: collectionId, name }: Collection) => {
    forgetCollections(await headwater.deleteCollection({ collectionId }));
    tellUndo(`${name} was deleted.`, async () =>
      forgetCollections(await headwater.updateCollection({ collectionId }, { status: 'active' })),
    );
  };
  return (
    <>
      <Table.ScrollContainer minWidth={520}>
        <Table className="data-table" verticalSpacing="sm" horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Name</Table.Th>
              <Table.Th ta="right">Fields</Table.Th>
              <Table.Th>Changed</Table.Th>
              <Table.Th w={56}>
                <VisuallyHidden>Actions</VisuallyHidden>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {collections.map((collection) => (
              <Table.Tr key={collection.id}>
                <Table.Td>
                  <Anchor component={Link} to={`/content/${collection.id}`} fw={550}>
                    {collection.name}
                  </Anchor>
                  {collection.description && (
                    <Text size="sm" c="dimmed" truncate>
                      {collection.description}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td ta="right" className="number">
                  {formatNumber(collection.fields.filter(isActive).length)}
                </Table.Td>
                <Table.Td>{formatAgo(collection.updatedAt)}</Table.Td>
                <Table.Td>
                  {mayEdit && <CollectionMenu collection={collection} onRemove={() => setRemoved(collection)} />}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Confirm
        opened={removed !== undefined}
        onClose={() => setRemoved(undefined)}
        title={`Delete ${removed?.name ?? ''}?`}
        action="Delete collection"
        run={async () => removed && remove(removed)}
      >
        Pages that read it will find nothing there. Its entries are kept, and come back with it if you bring it back.
      </Confirm>
    </>
  );
}

function CollectionMenu({ collection, onRemove }: { collection: Collection; onRemove: () => void }) {
  const navigate = useNavigate();
  return (
    <Group justify="flex-end">
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon aria-label={`Actions for ${collection.name}`}>
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<Icon name="columns" size={16} />}
            onClick={() => navigate({ to: '/content/$collectionId/schema', params: { collectionId: collection.id } })}
          >
            Edit fields
          </Menu.Item>
          <Menu.Item color="var(--worse)" leftSection={<Icon name="trash" size={16} />} onClick={onRemove}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}

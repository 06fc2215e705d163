import type { Collection } from '@headwater/sdk';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { isActive } from '../field-types/fields.ts';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { type Column, DataTable, timeColumn } from '../shared/data-table.tsx';
import { ConfirmDialog } from '../shared/dialogs.tsx';
import { formatNumber } from '../shared/formats.ts';
import { IconButton } from '../shared/icon-button.tsx';
import { notifyWithUndo } from '../shared/notify.tsx';
import { Page } from '../shared/page.tsx';
import { EmptyState } from '../shared/states.tsx';
import { useMayWrite } from '../users/rights.ts';
import { collectionsQuery, entryCountsQuery, formatCount, invalidateCollections } from './queries.ts';

const columnsWith = (counts: ReadonlyMap<string, number> | undefined): Column<Collection>[] => [
  { id: 'name', label: t('Name'), cell: ({ name }) => name, note: ({ description }) => description },
  {
    id: 'entries',
    label: t('Entries'),
    isNumber: true,
    cell: ({ id }) => (counts ? formatCount(counts.get(id) ?? 0) : ''),
  },
  {
    id: 'fields',
    label: t('Fields'),
    isNumber: true,
    cell: ({ fields }) => formatNumber(fields.filter(isActive).length),
  },
  timeColumn('updated', t('Updated'), ({ updatedAt }) => updatedAt),
];

export function CollectionsPage() {
  const query = useQuery(collectionsQuery());
  const { data: counts } = useQuery(entryCountsQuery());
  const navigate = useNavigate();
  const mayEdit = useMayWrite('schema');
  const [toDelete, setToDelete] = useState<Collection>();
  const newButton = mayEdit && (
    <IconButton icon="plus" to="/content/new">
      {t('New collection')}
    </IconButton>
  );
  return (
    <Page
      wide
      title={t('Content')}
      description={t('Collections hold the content of your pages, such as posts, products and prices.')}
      actions={query.data && query.data.length > 0 && newButton}
    >
      <DataTable
        label={t('Collections')}
        minWidth={520}
        query={query}
        columns={columnsWith(counts)}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        rowLink={({ id }) => `/content/${id}`}
        hasActionMenu
        actions={
          mayEdit
            ? (collection) => [
                {
                  label: t('Edit fields'),
                  icon: 'columns',
                  onClick: () => navigate({ to: `/content/${collection.id}/schema` }),
                },
                { label: t('Delete'), icon: 'trash', isDestructive: true, onClick: () => setToDelete(collection) },
              ]
            : undefined
        }
        empty={
          <EmptyState icon="content" title={t('No collections yet')} action={newButton}>
            {t(
              'A collection defines fields, such as headline, image and price. Its entries hold the values, and your pages read them through the API.',
            )}
          </EmptyState>
        }
      />
      {toDelete && (
        <ConfirmDialog
          onClose={() => setToDelete(undefined)}
          title={t('Delete {name}?', { name: toDelete.name })}
          action={t('Delete collection')}
          run={() => deleteCollection(toDelete)}
        >
          {t(
            'Pages that read it will no longer find it. You can restore the collection and its entries from the trash.',
          )}
        </ConfirmDialog>
      )}
    </Page>
  );
}

async function deleteCollection({ id: collectionId, name }: Collection): Promise<void> {
  invalidateCollections(await headwater.deleteCollection({ collectionId }));
  notifyWithUndo(t('{name} was deleted.', { name }), async () =>
    invalidateCollections(await headwater.updateCollection({ collectionId }, { status: 'active' })),
  );
}

import { Button, Group } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { Card } from '../shared/card.tsx';
import { formatNumber } from '../shared/formats.ts';
import { Page } from '../shared/page.tsx';
import { EmptyState } from '../shared/states.tsx';
import { TextLink } from '../shared/text-link.tsx';
import { useMayWrite, useRights } from '../users/rights.ts';
import { authorName } from './author-name.ts';
import { entryTitle } from './entry-title.ts';
import {
  collectionQuery,
  collectionsQuery,
  deletedCollectionsQuery,
  deletedEntriesQuery,
  invalidateCollections,
  invalidateEntries,
} from './queries.ts';
import { TrashList } from './trash-list.tsx';

/** The service stops counting the entries of a deleted collection here. */
const MAX_ENTRY_COUNT = 1_000;

export function CollectionTrashPage() {
  const mayEdit = useMayWrite('schema');
  const query = useInfiniteQuery(deletedCollectionsQuery());
  const { data: collections = [] } = useQuery(collectionsQuery());
  const items = query.data?.map(({ id, name, deletedAt, entryCount }) => ({
    id,
    name,
    note: `${formatNumber(entryCount)}${entryCount < MAX_ENTRY_COUNT ? '' : '+'}`,
    deletedAt,
  }));
  return (
    <Page
      title={t('Deleted collections')}
      description={t('Restoring a collection also restores its entries.')}
      back={{ to: '/content', label: t('Content') }}
    >
      <TrashList
        mayEdit={mayEdit}
        query={{ ...query, data: items }}
        label={t('Deleted collections')}
        countOf={(count) => t('{count, plural, one {# collection} other {# collections}}', { count })}
        noteLabel={t('Entries')}
        restore={(collectionId) => headwater.updateCollection({ collectionId }, { status: 'active' })}
        remove={(collectionId) => headwater.deleteCollection({ collectionId, permanently: true })}
        onChanged={() => invalidateCollections()}
        warning={(doomed) =>
          t(
            'This deletes all fields, entries ({doomed}) and versions. It cannot be undone. Files stay in the library.',
            { doomed: doomed.map(({ note }) => note).join(' + ') },
          )
        }
        empty={
          <TrashEmpty title={t('No deleted collections')} to="/content" action={t('View collections')}>
            {t('Deleted collections stay here until you restore them or delete them permanently.')}
          </TrashEmpty>
        }
      />
      {collections.length > 0 && (
        <Card title={t('Deleted entries')} note={t('Each collection keeps its own.')}>
          <Group gap="md">
            {collections.map(({ id, name }) => (
              <TextLink key={id} to={`/content/${id}/trash`}>
                {name}
              </TextLink>
            ))}
          </Group>
        </Card>
      )}
    </Page>
  );
}

export function EntryTrashPage() {
  const { collectionId } = useParams({ from: '/shell/content/$collectionId/trash' });
  const { data: collection } = useQuery(collectionQuery(collectionId));
  const mayEdit = useRights().may('delete', collectionId);
  const query = useInfiniteQuery(deletedEntriesQuery(collectionId));
  const items =
    collection &&
    query.data?.map((entry) => ({
      id: entry.id,
      name: entryTitle(collection, entry),
      note: authorName(entry.deletedBy),
      deletedAt: entry.deletedAt,
    }));
  const parent = `/content/${collectionId}`;
  return (
    <Page
      title={t('Deleted entries')}
      description={t('Your pages do not show deleted entries.')}
      back={{ to: parent, label: collection?.name ?? t('Collection') }}
    >
      <TrashList
        mayEdit={mayEdit}
        query={{ ...query, data: items }}
        label={t('Deleted entries')}
        countOf={(count) => t('{count, plural, one {# entry} other {# entries}}', { count })}
        noteLabel={t('Deleted by')}
        linkOf={({ id }) => `${parent}/${id}`}
        restore={(entryId) => headwater.updateEntry({ collectionId, entryId }, { status: 'active' })}
        remove={(entryId) => headwater.deleteEntry({ collectionId, entryId, permanently: true })}
        onChanged={() => invalidateEntries(collectionId)}
        warning={() => ENTRY_WARNING}
        empty={
          <TrashEmpty title={t('No deleted entries')} to={parent} action={t('View entries')}>
            {t('Deleted entries stay here until you restore them or delete them permanently.')}
          </TrashEmpty>
        }
      />
    </Page>
  );
}

const ENTRY_WARNING = t('This also deletes all versions. It cannot be undone. Files stay in the library.');

function TrashEmpty({ title, to, action, children }: { title: string; to: string; action: string; children: string }) {
  return (
    <EmptyState
      icon="trash"
      title={title}
      action={
        <Button component={Link} to={to} variant="default">
          {action}
        </Button>
      }
    >
      {children}
    </EmptyState>
  );
}

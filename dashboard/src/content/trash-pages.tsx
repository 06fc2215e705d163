import { Anchor, Button } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { headwater } from '../service/session.ts';
import { formatNumber } from '../shared/formats.ts';
import { Listing } from '../shared/listing.tsx';
import { Page } from '../shared/page.tsx';
import { Empty } from '../shared/states.tsx';
import {
  collectionQuery,
  deletedCollectionsQuery,
  deletedEntriesQuery,
  forgetCollections,
  forgetEntries,
} from './queries.ts';
import { TrashList } from './trash-list.tsx';
import { nameOfEntry } from './value-text.tsx';
import { whoDid } from './who-did.ts';

/** Entries are counted so far and no further. */
const COUNTED = 1_000;

export function CollectionTrashPage() {
  const query = useInfiniteQuery(deletedCollectionsQuery());
  const collections = query.data?.pages.flatMap((page) => page.collections) ?? [];
  return (
    <Page
      title="Deleted collections"
      description="Brought back, a collection has its entries again."
      back={
        <Anchor component={Link} to="/content" size="sm" c="dimmed">
          Content
        </Anchor>
      }
    >
      <Listing
        query={query}
        label="Loading deleted collections"
        isEmpty={collections.length === 0}
        empty={
          <Empty
            icon="trash"
            title="No collection was deleted"
            action={
              <Button component={Link} to="/content" variant="default">
                To the collections
              </Button>
            }
          >
            A collection that is deleted waits here, with its entries, until it is brought back or deleted for good.
          </Empty>
        }
      >
        <TrashList
          items={collections.map(({ id, name, deletedAt, entryCount }) => ({
            id,
            name,
            note: entryCount < COUNTED ? formatNumber(entryCount) : `${formatNumber(COUNTED)} or more`,
            deletedAt,
          }))}
          nouns={['collection', 'collections']}
          noteLabel="Entries"
          restore={(collectionId) => headwater.updateCollection({ collectionId }, { status: 'active' })}
          remove={(collectionId) => headwater.deleteCollection({ collectionId, permanently: true })}
          onDone={() => forgetCollections()}
          warning={(items) => (
            <>
              {items.length === 1 ? 'Its fields, its entries' : 'Their fields, their entries'} (
              {items.map(({ note }) => note).join(' + ')}) and all earlier versions go, and cannot be brought back.
              Files stay in the library.
            </>
          )}
        />
      </Listing>
    </Page>
  );
}

export function EntryTrashPage() {
  const { collectionId } = useParams({ from: '/shell/content/$collectionId/trash' });
  const collection = useQuery(collectionQuery(collectionId)).data;
  const query = useInfiniteQuery(deletedEntriesQuery(collectionId));
  const entries = query.data?.pages.flatMap((page) => page.entries) ?? [];
  const back = `/content/${collectionId}`;
  return (
    <Page
      title="Deleted entries"
      description="Pages do not show them. Brought back, they are as they were."
      back={
        <Anchor component={Link} to={back} size="sm" c="dimmed">
          {collection?.name ?? 'Collection'}
        </Anchor>
      }
    >
      <Listing
        query={query}
        label="Loading deleted entries"
        isEmpty={collection === undefined || entries.length === 0}
        empty={
          <Empty
            icon="trash"
            title="No entry was deleted"
            action={
              <Button component={Link} to={back} variant="default">
                To the entries
              </Button>
            }
          >
            An entry that is deleted waits here until it is brought back or deleted for good.
          </Empty>
        }
      >
        {collection && (
          <TrashList
            items={entries.map((entry) => ({
              id: entry.id,
              name: nameOfEntry(collection, entry),
              to: `${back}/${entry.id}`,
              note: whoDid(entry.deletedBy),
              deletedAt: entry.deletedAt,
            }))}
            nouns={['entry', 'entries']}
            noteLabel="Deleted by"
            restore={(entryId) => headwater.updateEntry({ collectionId, entryId }, { status: 'active' })}
            remove={(entryId) => headwater.deleteEntry({ collectionId, entryId, permanently: true })}
            onDone={() => forgetEntries(collectionId)}
            warning={(items) =>
              items.length === 1
                ? 'It goes with all its earlier versions, and cannot be brought back. Files stay in the library.'
                : 'They go with all their earlier versions, and cannot be brought back. Files stay in the library.'
            }
          />
        )}
      </Listing>
    </Page>
  );
}

import type { Collection, Usage } from '@headwater/sdk';
import { Anchor, List, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { t } from '../languages/translate.ts';
import { ConfirmDialog } from '../shared/dialogs.tsx';
import { fallbackTitle } from './fallback-title.ts';
import { pathLabel } from './path-label.ts';
import { collectionsQuery, usagesQuery } from './queries.ts';

/** The entries that reference an entry; nothing if there are none. */
export default function EntryUsages({ collectionId, entryId }: { collectionId: string; entryId: string }) {
  const { data } = useQuery(usagesQuery(collectionId, entryId));
  if (!data || data.usages.length === 0) return null;
  return (
    <section className="surface" aria-label={t('Used by')} style={{ padding: 'var(--mantine-spacing-md)' }}>
      <Title order={2} size="h5" mb="xs">
        {t('Used by')}
      </Title>
      <UsageList usages={data.usages} hasMore={data.nextPageToken !== null} />
    </section>
  );
}

function UsageList({ usages, hasMore }: { usages: readonly Usage[]; hasMore: boolean }) {
  const { data: collections = [] } = useQuery(collectionsQuery());
  const collectionOf = (id: string): Collection | undefined => collections.find((each) => each.id === id);
  const untitled = (id: string, { singleton, name }: Partial<Collection> = {}) =>
    singleton && name !== undefined ? name : fallbackTitle(id);
  return (
    <List size="sm">
      {usages.map(({ entryId, collectionId, title, fields }) => (
        <List.Item key={entryId}>
          <Anchor component={Link} to={`/content/${collectionId}/${entryId}`} size="sm">
            {title ?? untitled(entryId, collectionOf(collectionId))}
          </Anchor>{' '}
          <Text component="span" size="sm" c="dimmed">
            {collectionOf(collectionId)?.name} ·{' '}
            {fields.map((path) => pathLabel(collectionOf(collectionId)?.fields ?? [], path)).join(', ')}
          </Text>
        </List.Item>
      ))}
      {hasMore && <List.Item>{t('and more')}</List.Item>}
    </List>
  );
}

interface DeleteUsedDialogProps {
  isPublished: boolean;
  usages: readonly Usage[];
  hasMore: boolean;
  run: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks before an entry is deleted that others reference. */
export function DeleteUsedDialog({ isPublished, usages, hasMore, run, onClose }: DeleteUsedDialogProps) {
  return (
    <ConfirmDialog title={t('Delete an entry in use')} action={t('Delete')} run={run} onClose={onClose}>
      <Text size="sm" mb="xs">
        {t(
          'Other entries reference this entry. Their references are kept, but do not work until it is restored.{isPublished}',
          { isPublished: isPublished && ` ${t('It is published: your pages will no longer show it.')}` },
        )}
      </Text>
      <UsageList usages={usages} hasMore={hasMore} />
    </ConfirmDialog>
  );
}

import type { Collection, Entry } from '@headwater/sdk';
import { ActionIcon, Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { t } from '../languages/translate.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';
import { ConfirmDialog } from '../shared/dialogs.tsx';
import { IconButton } from '../shared/icon-button.tsx';
import { Icon } from '../shared/icons.tsx';
import { lazy } from '../shared/lazy.tsx';
import { notifyWithUndo } from '../shared/notify.tsx';
import { useRights } from '../users/rights.ts';
import { entryTitle } from './entry-title.ts';
import { invalidateEntries, type UsagePage, usagesQuery } from './queries.ts';

const HistoryDrawer = lazy(() => import('./history-drawer.tsx'));
const DeleteUsedDialog = lazy(async () => ({ default: (await import('./entry-usages.tsx')).DeleteUsedDialog }));

interface EntryActionsProps {
  /** With the translations of its fields. */
  collection: Collection;
  entry: Entry;
  isDirty: boolean;
  isDeleted: boolean;
  onPreview: () => void;
  onDeleted: () => void;
  onRestored: (entry: Entry) => void;
}

/** The actions of an entry besides saving and publishing it. */
export function EntryActions(props: EntryActionsProps) {
  const { collection, entry, isDirty, isDeleted, onPreview, onDeleted, onRestored } = props;
  const { id: entryId, collectionId } = entry;
  const navigate = useNavigate();
  const { may } = useRights();
  const mayDelete = may('delete', collectionId);
  const mayCreate = may('create', collectionId);
  const [isHistoryOpen, setIsHistoryOpen] = useState(false);
  const [isDeleting, setIsDeleting] = useState(false);
  const [used, setUsed] = useState<UsagePage>();
  const isPublished = entry.publishedVersion != null;
  const setStatus = (status: 'active' | 'deleted') => headwater.updateEntry({ collectionId, entryId }, { status });
  const deleteEntry = useMutation({
    mutationFn: () => setStatus('deleted'),
    onSuccess: (deleted) => {
      onDeleted();
      invalidateEntries(collectionId, deleted);
      notifyWithUndo(t('The entry was deleted.'), async () =>
        invalidateEntries(collectionId, await setStatus('active')),
      );
      void navigate({ to: '/content/$collectionId', params: { collectionId } });
    },
  });
  /** Deletes at once what nothing shows: neither other entries nor, if it is published, a site. */
  const warn = useMutation({
    mutationFn: () => queryClient.fetchQuery(usagesQuery(collectionId, entryId)),
    onSuccess: (page) => {
      if (page.usages.length > 0) setUsed(page);
      else if (isPublished) setIsDeleting(true);
      else deleteEntry.mutate();
    },
  });
  const obstacle = isDirty ? t('Save or discard your changes before you restore this version.') : undefined;
  return (
    <>
      <IconButton icon="clock" variant="default" onClick={() => setIsHistoryOpen(true)}>
        {t('History')}
      </IconButton>
      {!isDeleted && may('update', collectionId) && collection.previewUrl && (
        <IconButton icon="out" variant="default" onClick={onPreview}>
          {t('Preview')}
        </IconButton>
      )}
      {!isDeleted && (mayCreate || mayDelete) && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon
              variant="default"
              size={36}
              loading={deleteEntry.isPending || warn.isPending}
              aria-label={t('More actions')}
            >
              <Icon name="more" />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {mayCreate && (
              <Menu.Item
                leftSection={<Icon name="copy" size={16} />}
                onClick={() => navigate({ to: `/content/${collectionId}/new`, search: { from: entryId } })}
              >
                {t('Duplicate')}
              </Menu.Item>
            )}
            {mayDelete && (
              <Menu.Item leftSection={<Icon name="trash" size={16} />} color="red" onClick={() => warn.mutate()}>
                {t('Delete')}
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      {isHistoryOpen && (
        <Suspense>
          <HistoryDrawer
            collection={collection}
            entry={entry}
            obstacle={entry.status === 'deleted' ? t('Restore the entry before you restore this version.') : obstacle}
            onClose={() => setIsHistoryOpen(false)}
            onRestored={(restored) => {
              onRestored(restored);
              invalidateEntries(collectionId, restored);
            }}
          />
        </Suspense>
      )}
      {isDeleting && (
        <ConfirmDialog
          title={t('Delete {collection}?', { collection: entryTitle(collection, entry) })}
          action={t('Delete')}
          run={() => deleteEntry.mutateAsync()}
          onClose={() => setIsDeleting(false)}
        >
          {t('It is published: your pages will no longer show it. Restoring it from the trash publishes it again.')}
        </ConfirmDialog>
      )}
      {used && (
        <Suspense>
          <DeleteUsedDialog
            isPublished={isPublished}
            usages={used.usages}
            hasMore={used.nextPageToken !== null}
            run={() => deleteEntry.mutateAsync()}
            onClose={() => setUsed(undefined)}
          />
        </Suspense>
      )}
    </>
  );
}

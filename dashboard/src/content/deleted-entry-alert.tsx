import type { Collection, Entry } from '@headwater/sdk';
import { Alert, Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { ConfirmDialog } from '../shared/dialogs.tsx';
import { notify } from '../shared/notify.tsx';
import { useRights } from '../users/rights.ts';
import { entryTitle } from './entry-title.ts';
import { invalidateEntries } from './queries.ts';

/** Shown on the page of a deleted entry: restores it or deletes it permanently. */
export function DeletedEntryAlert({ collection, entry }: { collection: Collection; entry: Entry }) {
  const navigate = useNavigate();
  const mayEdit = useRights().may('delete', collection.id);
  const [isConfirming, setIsConfirming] = useState(false);
  const path = { collectionId: collection.id, entryId: entry.id };
  const restore = useMutation({
    mutationFn: () => headwater.updateEntry(path, { status: 'active' }),
    onSuccess: (restored) => {
      invalidateEntries(collection.id, restored);
      notify(t('The entry was restored.'));
    },
  });
  const deletePermanently = async () => {
    await headwater.deleteEntry({ ...path, permanently: true });
    invalidateEntries(collection.id);
    notify(t('The entry was deleted permanently.'));
    await navigate({ to: '/content/$collectionId/trash', params: { collectionId: collection.id } });
  };
  return (
    <Alert color="gray" variant="light" title={t('This entry is deleted')}>
      <Group justify="space-between">
        <Text size="sm">{t('Your pages do not show it.')}</Text>
        {mayEdit && (
          <Group gap="xs">
            <Button variant="default" size="compact-sm" onClick={() => setIsConfirming(true)}>
              {t('Delete permanently')}
            </Button>
            <Button size="compact-sm" loading={restore.isPending} onClick={() => restore.mutate()}>
              {t('Restore')}
            </Button>
          </Group>
        )}
      </Group>
      {isConfirming && (
        <ConfirmDialog
          onClose={() => setIsConfirming(false)}
          title={t('Delete {collection} permanently?', { collection: entryTitle(collection, entry) })}
          action={t('Delete permanently')}
          run={deletePermanently}
        >
          {t('This also deletes all versions. It cannot be undone. Files stay in the library.')}
        </ConfirmDialog>
      )}
    </Alert>
  );
}

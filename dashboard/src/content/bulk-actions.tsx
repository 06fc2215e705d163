import type { Collection, Entry } from '@headwater/sdk';
import { List } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { t } from '../languages/translate.ts';
import { FaultList, faultsOfError } from '../releases/fault-list.tsx';
import { headwater } from '../service/session.ts';
import { ConfirmDialog } from '../shared/dialogs.tsx';
import { forEachConcurrently } from '../shared/for-each-concurrently.ts';
import { IconButton } from '../shared/icon-button.tsx';
import { lazy } from '../shared/lazy.tsx';
import { notify, notifyError, notifyWithUndo } from '../shared/notify.tsx';
import { SelectionBar } from '../shared/selection-bar.tsx';
import { useRights } from '../users/rights.ts';
import { entryTitle } from './entry-title.ts';
import type { Where } from './filter-tree.ts';
import { invalidateEntries } from './queries.ts';
import { findUsedEntries } from './used-entries.ts';

const BulkEditDialog = lazy(() => import('./bulk-edit-dialog.tsx'));
const AddToReleaseDialog = lazy(() => import('../releases/add-to-release-dialog.tsx'));

interface BulkActionsProps {
  collection: Collection;
  entries: Entry[];
  /** The conditions of the table, if all entries that match can be changed. */
  all: Where | undefined;
  onDone: () => void;
}

/** The actions for all selected entries. */
export function BulkActions({ collection, entries, all, onDone }: BulkActionsProps) {
  const { id: collectionId } = collection;
  const { may } = useRights();
  const [progress, setProgress] = useState<number>();
  const [isEditing, setIsEditing] = useState(false);
  const [isReleasing, setIsReleasing] = useState(false);
  const [used, setUsed] = useState<Entry[]>();
  const publishing = useMutation({
    meta: { shown: true },
    mutationFn: (action: 'publish' | 'unpublish') => {
      const body = { entryIds: entries.map(({ id }) => id) };
      return action === 'publish'
        ? headwater.publishEntries({ collectionId }, body)
        : headwater.unpublishEntries({ collectionId }, body);
    },
    onSuccess: (_, action) => {
      invalidateEntries(collectionId);
      notify(action === 'publish' ? t('{count} published.', { count }) : t('{count} unpublished.', { count }));
      onDone();
    },
  });
  const published = entries.filter(({ publishedVersion }) => publishedVersion != null).length;
  const count = t('{count, plural, one {# entry} other {# entries}}', { count: entries.length });

  /** @returns the entries that were changed */
  const changeEach = async (change: (entry: Entry) => Promise<unknown>): Promise<Entry[]> => {
    const { done, failure } = await forEachConcurrently(entries, change, setProgress);
    setProgress(undefined);
    invalidateEntries(collectionId);
    if (failure) notifyError(failure);
    else onDone();
    return done;
  };
  const setStatus = (status: 'active' | 'deleted') => (entry: Entry) =>
    headwater.updateEntry({ collectionId, entryId: entry.id }, { status });
  const askOrRemove = async () => {
    try {
      const inUse = await findUsedEntries(collectionId, entries, setProgress);
      if (inUse.length > 0 || published > 0) setUsed(inUse);
      else await remove();
    } catch (error) {
      notifyError(error);
    } finally {
      setProgress(undefined);
    }
  };
  const remove = async () => {
    const removed = await changeEach(setStatus('deleted'));
    if (removed.length === 0) return;
    notifyWithUndo(t('{count} deleted.', { count: removed.length }), async () => {
      await Promise.all(removed.map(setStatus('active')));
      invalidateEntries(collectionId);
    });
  };
  const isTooMany = entries.length > MAX_TOGETHER;
  const bar = (
    <SelectionBar count={entries.length} label={t('Selected entries')} progress={progress} onClear={onDone}>
      {may('update', collectionId) && (
        <IconButton icon="edit" variant="default" size="compact-sm" onClick={() => setIsEditing(true)}>
          {t('Bulk edit')}
        </IconButton>
      )}
      {collection.publishing && may('publish', collectionId) && (
        <>
          <IconButton
            icon="check"
            variant="default"
            size="compact-sm"
            disabled={isTooMany || publishing.isPending}
            title={
              isTooMany
                ? t('Select at most {maxTogether} entries, or use a release.', { maxTogether: MAX_TOGETHER })
                : undefined
            }
            onClick={() => publishing.mutate('publish')}
          >
            {t('Publish')}
          </IconButton>
          <IconButton
            icon="close"
            variant="default"
            size="compact-sm"
            disabled={isTooMany || publishing.isPending}
            onClick={() => publishing.mutate('unpublish')}
          >
            {t('Unpublish')}
          </IconButton>
          <IconButton icon="clock" variant="default" size="compact-sm" onClick={() => setIsReleasing(true)}>
            {t('Add to release')}
          </IconButton>
        </>
      )}
      {may('delete', collectionId) && (
        <IconButton icon="trash" variant="default" size="compact-sm" onClick={askOrRemove}>
          {t('Delete')}
        </IconButton>
      )}
      {isEditing && (
        <Suspense>
          <BulkEditDialog {...{ collection, entries, all, onDone }} onClose={() => setIsEditing(false)} />
        </Suspense>
      )}
      {used && (
        <ConfirmDialog
          title={used.length > 0 ? t('Delete entries in use') : t('Delete {count}?', { count })}
          action={t('Delete {count}', { count })}
          run={remove}
          onClose={() => setUsed(undefined)}
        >
          {published > 0 &&
            `${t('{count, plural, one {# of them is published: your pages will no longer show it.} other {# of them are published: your pages will no longer show them.}}', { count: published })} `}
          {used.length > 0 &&
            (used.length === entries.length
              ? t(
                  'Other entries reference these entries. Their references are kept, but do not work until the entries are restored.',
                )
              : t(
                  'Other entries reference {count} of these entries. Their references are kept, but do not work until the entries are restored.',
                  { count: used.length },
                ))}
          <List size="sm" mt="xs">
            {used.slice(0, MAX_LISTED).map((entry) => (
              <List.Item key={entry.id}>{entryTitle(collection, entry)}</List.Item>
            ))}
            {used.length > MAX_LISTED && (
              <List.Item>{t('and {count} more', { count: used.length - MAX_LISTED })}</List.Item>
            )}
          </List>
        </ConfirmDialog>
      )}
      {isReleasing && (
        <Suspense>
          <AddToReleaseDialog entries={entries} onClose={() => setIsReleasing(false)} />
        </Suspense>
      )}
    </SelectionBar>
  );
  if (!publishing.error) return bar;
  const titles = entries.map((entry) => entryTitle(collection, entry));
  return (
    <>
      {bar}
      <FaultList title={t('Nothing was published')} faults={faultsOfError(publishing.error)} entries={titles} />
    </>
  );
}

const MAX_LISTED = 10;
/** Entries of one request. */
const MAX_TOGETHER = 100;

import type { ListedFile } from '@headwater/sdk';
import { Select, TagsInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { ConfirmDialog } from '../shared/dialogs.tsx';
import { forEachConcurrently } from '../shared/for-each-concurrently.ts';
import { FormDialog } from '../shared/form-dialog.tsx';
import { IconButton } from '../shared/icon-button.tsx';
import { notify, notifyError, notifyWithUndo } from '../shared/notify.tsx';
import { SelectionBar } from '../shared/selection-bar.tsx';
import { useForm } from '../shared/use-form.ts';
import { folderOptions, foldersQuery } from './folders.ts';
import { fileTagsQuery, invalidateFiles } from './queries.ts';

interface FileActionsProps {
  files: ListedFile[];
  isTrash: boolean;
  onDone: () => void;
}

/** The actions for all selected files. */
export default function FileActions({ files, isTrash, onDone }: FileActionsProps) {
  const [progress, setProgress] = useState<number>();
  const [dialog, setDialog] = useState<'tags' | 'folder' | 'delete'>();
  const count = t('{count, plural, one {# file} other {# files}}', { count: files.length });
  const changeEach = async (change: (file: ListedFile) => Promise<unknown>): Promise<ListedFile[]> => {
    const { done, failure } = await forEachConcurrently(files, change, setProgress);
    setProgress(undefined);
    void invalidateFiles();
    if (failure) notifyError(failure);
    else onDone();
    return done;
  };
  const setStatus = (status: 'active' | 'deleted') => (file: ListedFile) =>
    headwater.updateFile({ assetId: file.assetId }, { status });
  const trash = async () => {
    const done = await changeEach(setStatus('deleted'));
    if (done.length === 0) return;
    notifyWithUndo(t('{count} moved to the trash.', { count: done.length }), async () => {
      await Promise.all(done.map(setStatus('active')));
      void invalidateFiles();
    });
  };
  const restore = async () => {
    const done = await changeEach(setStatus('active'));
    if (done.length > 0) notify(t('{count} restored.', { count: done.length }));
  };
  return (
    <SelectionBar count={files.length} label={t('Selected files')} progress={progress} onClear={onDone}>
      {isTrash ? (
        <>
          <IconButton icon="restore" variant="default" size="compact-sm" onClick={restore}>
            {t('Restore')}
          </IconButton>
          <IconButton icon="trash" variant="default" size="compact-sm" onClick={() => setDialog('delete')}>
            {t('Delete permanently')}
          </IconButton>
        </>
      ) : (
        <>
          <IconButton icon="edit" variant="default" size="compact-sm" onClick={() => setDialog('tags')}>
            {t('Add tags')}
          </IconButton>
          <IconButton icon="folder" variant="default" size="compact-sm" onClick={() => setDialog('folder')}>
            {t('Move')}
          </IconButton>
          <IconButton icon="trash" variant="default" size="compact-sm" onClick={trash}>
            {t('Delete')}
          </IconButton>
        </>
      )}
      {dialog === 'tags' && (
        <TagsDialog
          title={t('Add tags to {count}', { count })}
          onClose={() => setDialog(undefined)}
          save={(tags) =>
            changeEach((file) =>
              headwater.updateFile({ assetId: file.assetId }, { tags: [...new Set([...file.tags, ...tags])] }),
            )
          }
        />
      )}
      {dialog === 'folder' && (
        <FolderDialog
          title={t('Move {count}', { count })}
          onClose={() => setDialog(undefined)}
          save={(folderId) => changeEach((file) => headwater.updateFile({ assetId: file.assetId }, { folderId }))}
        />
      )}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={t('Permanently delete {count}?', { count })}
          action={t('Delete permanently')}
          run={() => changeEach((file) => headwater.deleteFile({ assetId: file.assetId, force: true }))}
          onClose={() => setDialog(undefined)}
        >
          {t('This cannot be undone. Entries that use them lose them, and their URLs stop working.')}
        </ConfirmDialog>
      )}
    </SelectionBar>
  );
}

interface TagsDialogProps {
  title: string;
  save: (tags: string[]) => Promise<unknown>;
  onClose: () => void;
}

function TagsDialog({ title, save, onClose }: TagsDialogProps) {
  const { data: known = [] } = useQuery(fileTagsQuery());
  const form = useForm({
    initial: { tags: [] as string[] },
    isValid: ({ tags }) => tags.length > 0,
    save: ({ tags }) => save(tags),
    onSaved: onClose,
  });
  return (
    <FormDialog form={form} title={title} submit={t('Add tags')} onClose={onClose}>
      <TagsInput
        label={t('Tags')}
        data={known.map(({ tag }) => tag)}
        value={form.values.tags}
        onChange={(tags) => form.set({ tags })}
        error={form.errorOf('tags')}
        acceptValueOnBlur
        data-autofocus
      />
    </FormDialog>
  );
}

interface FolderDialogProps {
  title: string;
  save: (folderId: string | null) => Promise<unknown>;
  onClose: () => void;
}

function FolderDialog({ title, save, onClose }: FolderDialogProps) {
  const { data: folders = [] } = useQuery(foldersQuery());
  const form = useForm({
    initial: { folderId: null as string | null },
    save: ({ folderId }) => save(folderId),
    onSaved: onClose,
  });
  return (
    <FormDialog form={form} title={title} submit={t('Move')} onClose={onClose}>
      <Select
        label={t('Folder')}
        placeholder={t('No folder')}
        data={folderOptions(folders)}
        value={form.values.folderId}
        onChange={(folderId) => form.set({ folderId })}
        error={form.errorOf('folderId')}
        searchable
        clearable
        data-autofocus
      />
    </FormDialog>
  );
}

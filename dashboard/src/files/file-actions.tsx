import type { ListedFile } from '@headwater/sdk';
import { TagsInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { headwater } from '../service/session.ts';
import { ConfirmDialog } from '../shared/dialogs.tsx';
import { forEachConcurrently } from '../shared/for-each-concurrently.ts';
import { FormDialog } from '../shared/form-dialog.tsx';
import { IconButton } from '../shared/icon-button.tsx';
import { notify, notifyError, notifyWithUndo } from '../shared/notify.tsx';
import { SelectionBar } from '../shared/selection-bar.tsx';
import { useForm } from '../shared/use-form.ts';
import { fileTagsQuery, invalidateFiles } from './queries.ts';

interface FileActionsProps {
  files: ListedFile[];
  isTrash: boolean;
  onDone: () => void;
}

/** The actions for all selected files. */
export default function FileActions({ files, isTrash, onDone }: FileActionsProps) {
  const [progress, setProgress] = useState<number>();
  const [dialog, setDialog] = useState<'tags' | 'delete'>();
  const count = files.length === 1 ? '1 file' : `${files.length} files`;
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
    notifyWithUndo(`${done.length} moved to the trash.`, async () => {
      await Promise.all(done.map(setStatus('active')));
      void invalidateFiles();
    });
  };
  const restore = async () => {
    const done = await changeEach(setStatus('active'));
    if (done.length > 0) notify(`${done.length} restored.`);
  };
  return (
    <SelectionBar count={files.length} nouns={['file', 'files']} progress={progress} onClear={onDone}>
      {isTrash ? (
        <>
          <IconButton icon="restore" variant="default" size="compact-sm" onClick={restore}>
            Restore
          </IconButton>
          <IconButton icon="trash" variant="default" size="compact-sm" onClick={() => setDialog('delete')}>
            Delete permanently
          </IconButton>
        </>
      ) : (
        <>
          <IconButton icon="edit" variant="default" size="compact-sm" onClick={() => setDialog('tags')}>
            Add tags
          </IconButton>
          <IconButton icon="trash" variant="default" size="compact-sm" onClick={trash}>
            Delete
          </IconButton>
        </>
      )}
      {dialog === 'tags' && (
        <TagsDialog
          title={`Add tags to ${count}`}
          onClose={() => setDialog(undefined)}
          save={(tags) =>
            changeEach((file) =>
              headwater.updateFile({ assetId: file.assetId }, { tags: [...new Set([...file.tags, ...tags])] }),
            )
          }
        />
      )}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={`Permanently delete ${count}?`}
          action="Delete permanently"
          run={() => changeEach((file) => headwater.deleteFile({ assetId: file.assetId, force: true }))}
          onClose={() => setDialog(undefined)}
        >
          This cannot be undone. Entries that use them lose them, and their URLs stop working.
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
    <FormDialog form={form} title={title} submit="Add tags" onClose={onClose}>
      <TagsInput
        label="Tags"
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

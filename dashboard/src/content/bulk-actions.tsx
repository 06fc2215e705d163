import type { Collection, Entry } from '@headwater/sdk';
import { List, Select } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { isActive } from '../field-types/index.ts';
import { FaultList, faultsOfError } from '../releases/fault-list.tsx';
import { headwater } from '../service/session.ts';
import { ConfirmDialog } from '../shared/dialogs.tsx';
import { forEachConcurrently } from '../shared/for-each-concurrently.ts';
import { FormDialog } from '../shared/form-dialog.tsx';
import { IconButton } from '../shared/icon-button.tsx';
import { notify, notifyError, notifyWithUndo } from '../shared/notify.tsx';
import { SelectionBar } from '../shared/selection-bar.tsx';
import { useForm } from '../shared/use-form.ts';
import { entryTitle } from './entry-title.ts';
import { FieldInput } from './field-input.tsx';
import { invalidateEntries } from './queries.ts';
import { findUsedEntries } from './used-entries.ts';

const AddToReleaseDialog = lazy(() => import('../releases/add-to-release-dialog.tsx'));

interface BulkActionsProps {
  collection: Collection;
  entries: Entry[];
  onDone: () => void;
}

/** The actions for all selected entries. */
export function BulkActions({ collection, entries, onDone }: BulkActionsProps) {
  const { id: collectionId } = collection;
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
      notify(`${count} ${action}ed.`);
      onDone();
    },
  });
  const count = entries.length === 1 ? '1 entry' : `${entries.length} entries`;

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
      if (inUse.length > 0) setUsed(inUse);
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
    notifyWithUndo(`${removed.length} deleted.`, async () => {
      await Promise.all(removed.map(setStatus('active')));
      invalidateEntries(collectionId);
    });
  };
  const setField = async (fieldId: string, value: unknown) => {
    const changed = await changeEach((entry) =>
      headwater.updateEntry({ collectionId, entryId: entry.id }, { values: { [fieldId]: value ?? null } }),
    );
    if (changed.length > 0) notify(`${changed.length} updated.`);
  };
  const isTooMany = entries.length > MAX_TOGETHER;
  const bar = (
    <SelectionBar count={entries.length} nouns={['entry', 'entries']} progress={progress} onClear={onDone}>
      <IconButton icon="edit" variant="default" size="compact-sm" onClick={() => setIsEditing(true)}>
        Bulk edit
      </IconButton>
      {collection.publishing && (
        <>
          <IconButton
            icon="check"
            variant="default"
            size="compact-sm"
            disabled={isTooMany || publishing.isPending}
            title={isTooMany ? `Select at most ${MAX_TOGETHER} entries, or use a release.` : undefined}
            onClick={() => publishing.mutate('publish')}
          >
            Publish
          </IconButton>
          <IconButton
            icon="close"
            variant="default"
            size="compact-sm"
            disabled={isTooMany || publishing.isPending}
            onClick={() => publishing.mutate('unpublish')}
          >
            Unpublish
          </IconButton>
          <IconButton icon="clock" variant="default" size="compact-sm" onClick={() => setIsReleasing(true)}>
            Add to release
          </IconButton>
        </>
      )}
      <IconButton icon="trash" variant="default" size="compact-sm" onClick={askOrRemove}>
        Delete
      </IconButton>
      {isEditing && (
        <BulkEditDialog collection={collection} count={count} onClose={() => setIsEditing(false)} onSave={setField} />
      )}
      {used && (
        <ConfirmDialog
          title="Delete entries in use"
          action={`Delete ${count}`}
          run={remove}
          onClose={() => setUsed(undefined)}
        >
          Other entries reference {used.length === entries.length ? 'these entries' : `${used.length} of these entries`}
          . Their references are kept, but do not work until the entries are restored.
          <List size="sm" mt="xs">
            {used.slice(0, MAX_LISTED).map((entry) => (
              <List.Item key={entry.id}>{entryTitle(collection, entry)}</List.Item>
            ))}
            {used.length > MAX_LISTED && <List.Item>and {used.length - MAX_LISTED} more</List.Item>}
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
      <FaultList title="Nothing was published" faults={faultsOfError(publishing.error)} entries={titles} />
    </>
  );
}

const MAX_LISTED = 10;
/** Entries of one request. */
const MAX_TOGETHER = 100;

interface BulkEditDialogProps {
  collection: Collection;
  count: string;
  onClose: () => void;
  onSave: (fieldId: string, value: unknown) => Promise<void>;
}

function BulkEditDialog({ collection, count, onClose, onSave }: BulkEditDialogProps) {
  const fields = collection.fields.filter(isActive);
  const form = useForm({
    initial: { fieldId: null as string | null, value: undefined as unknown },
    save: ({ fieldId, value }) => onSave(fieldId ?? '', value),
    onSaved: onClose,
  });
  const { fieldId, value } = form.values;
  const field = fields.find(({ id }) => id === fieldId);
  return (
    <FormDialog
      form={form}
      title={`Edit ${count}`}
      submit={field && value === undefined ? 'Clear field' : 'Save'}
      isDisabled={!field || (value === undefined && field.required)}
      onClose={onClose}
    >
      <Select
        label="Field"
        data={fields.map(({ id, label }) => ({ value: id, label }))}
        value={fieldId}
        onChange={(next) => form.set({ fieldId: next, value: undefined })}
        data-autofocus
      />
      {field && (
        <FieldInput
          key={field.id}
          field={field}
          value={value}
          onChange={(next) => form.set({ value: next })}
          errors={form.errors}
          pointer={`/values/${field.id}`}
        />
      )}
    </FormDialog>
  );
}

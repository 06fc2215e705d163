import type { Collection, Entry, Field } from '@headwater/sdk';
import { Radio, Text } from '@mantine/core';
import { headwater } from '../service/session.ts';
import { DataTable } from '../shared/data-table.tsx';
import { FormDialog } from '../shared/form-dialog.tsx';
import { formatRelativeTime } from '../shared/formats.ts';
import { useForm } from '../shared/use-form.ts';
import { ValueCell } from './value-cell.tsx';

type Side = 'yours' | 'theirs';

interface ConflictDialogProps {
  collection: Collection;
  yours: Record<string, unknown>;
  /** The values you changed. */
  changes: Record<string, unknown>;
  theirs: Entry;
  onClose: () => void;
  onSaved: (entry: Entry) => void;
}

/** Merges two concurrent changes of an entry: a choice for each field that both sides changed. */
export function ConflictDialog({ collection, yours, changes, theirs, onClose, onSaved }: ConflictDialogProps) {
  const conflicting = collection.fields.filter(
    ({ id }) => id in changes && JSON.stringify(yours[id]) !== JSON.stringify(theirs.values[id]),
  );
  const form = useForm({
    initial: {} as Record<string, Side>,
    save: async (sides) => {
      const kept = Object.fromEntries(Object.entries(changes).filter(([id]) => sides[id] !== 'theirs'));
      if (Object.keys(kept).length === 0) return theirs;
      const path = { collectionId: collection.id, entryId: theirs.id };
      return headwater.updateEntry(path, { values: kept, version: theirs.version });
    },
    onSaved,
  });
  const column = (side: Side, label: string, values: Record<string, unknown>) => ({
    id: side,
    label,
    cell: (field: Field) => (
      <Radio
        name={field.id}
        aria-label={`${field.label}: ${side}`}
        checked={(form.values[field.id] ?? 'yours') === side}
        onChange={() => form.set({ [field.id]: side })}
        label={<ValueCell field={field} value={values[field.id]} />}
      />
    ),
  });
  return (
    <FormDialog
      form={form}
      title="Someone else changed this entry"
      submit="Save"
      cancel="Keep editing"
      size="lg"
      onClose={onClose}
    >
      <Text size="sm">
        It was saved {formatRelativeTime(theirs.updatedAt)}, while you were editing.{' '}
        {conflicting.length > 0
          ? 'Choose which value to keep for each field.'
          : 'You changed different fields. Saving keeps both changes.'}
      </Text>
      {conflicting.length > 0 && (
        <DataTable
          label="Conflicting fields"
          query={{ data: conflicting }}
          rowKey={({ id }) => id}
          minWidth={480}
          isBare
          columns={[
            { id: 'field', label: 'Field', cell: ({ label }) => <b>{label}</b> },
            column('yours', 'Yours', yours),
            column('theirs', 'Theirs', theirs.values),
          ]}
        />
      )}
    </FormDialog>
  );
}

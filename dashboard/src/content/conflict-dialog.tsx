import type { Collection, Entry } from '@headwater/sdk';
import { Text } from '@mantine/core';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { FormDialog } from '../shared/form-dialog.tsx';
import { formatRelativeTime } from '../shared/formats.ts';
import { useForm } from '../shared/use-form.ts';
import { isSameValue } from './same-value.ts';
import { type Side, SideTable } from './side-table.tsx';

interface ConflictDialogProps {
  collection: Collection;
  yours: Record<string, unknown>;
  /** The values you changed. */
  changes: Record<string, unknown>;
  theirs: Entry;
  /** The name of the user who saved it. */
  by: string | undefined;
  /** It was saved in another tab. */
  isOwn: boolean;
  onClose: () => void;
  onSaved: (entry: Entry) => void;
}

/** Merges two concurrent changes of an entry: a choice for each field that both sides changed. */
export function ConflictDialog(props: ConflictDialogProps) {
  const { collection, yours, changes, theirs, by, isOwn, onClose, onSaved } = props;
  const conflicting = collection.fields.filter(({ id }) => id in changes && !isSameValue(yours[id], theirs.values[id]));
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
  return (
    <FormDialog
      form={form}
      title={
        isOwn
          ? t('You changed this entry in another tab')
          : t('{name} changed this entry', { name: by ?? t('Someone else') })
      }
      submit={t('Save')}
      cancel={t('Keep editing')}
      size="lg"
      onClose={onClose}
    >
      <Text size="sm">
        {t('It was saved {updatedAt}, while you were editing. {count}', {
          updatedAt: formatRelativeTime(theirs.updatedAt),
          count:
            conflicting.length > 0
              ? t('Choose which value to keep for each field.')
              : t('You changed different fields. Saving keeps both changes.'),
        })}
      </Text>
      {conflicting.length > 0 && (
        <SideTable
          fields={conflicting}
          yours={yours}
          theirs={theirs.values}
          sides={form.values}
          onChoose={(id, side) => form.set({ [id]: side })}
        />
      )}
    </FormDialog>
  );
}

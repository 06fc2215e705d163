import type { Collection } from '@headwater/sdk';
import { Alert, Button, Group } from '@mantine/core';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { FormDialog } from '../shared/form-dialog.tsx';
import { formatRelativeTime } from '../shared/formats.ts';
import { useForm } from '../shared/use-form.ts';
import { isSameValue } from './same-value.ts';
import { type Side, SideTable } from './side-table.tsx';

type Values = Record<string, unknown>;

interface OtherDraftProps {
  collection: Collection;
  /** The unsaved changes of this form. */
  changes: Values;
  /** Those of another browser of the same user. */
  draft: { changes: Values; updatedAt: string };
  /** Receives the changes of both, by the choice of the user. */
  onMerged: (changes: Values) => void;
}

/** The same user has changed the entry in two browsers, and saved in neither. */
export function OtherDraft({ collection, changes, draft, onMerged }: OtherDraftProps) {
  const [isOpen, setIsOpen] = useState(false);
  const both = collection.fields.filter(
    ({ id }) => id in changes && id in draft.changes && !isSameValue(changes[id], draft.changes[id]),
  );
  const form = useForm({
    initial: {} as Record<string, Side>,
    save: async (sides) => {
      const theirs = Object.entries(draft.changes).filter(([id]) => !(id in changes) || sides[id] === 'theirs');
      return { ...changes, ...Object.fromEntries(theirs) };
    },
    onSaved: onMerged,
  });
  return (
    <Alert color="blue" variant="light" role="status">
      <Group justify="space-between">
        {t('You have other unsaved changes to this entry on another device, last edited {at}.', {
          at: formatRelativeTime(draft.updatedAt),
        })}
        <Button size="compact-sm" onClick={() => setIsOpen(true)}>
          {t('Compare')}
        </Button>
      </Group>
      {isOpen && (
        <FormDialog
          form={form}
          title={t('Unsaved changes on two devices')}
          submit={t('Continue with these')}
          size="lg"
          onClose={() => setIsOpen(false)}
        >
          {both.length > 0
            ? t('Choose which value to keep for each field.')
            : t('They change different fields: all are kept.')}
          {both.length > 0 && (
            <SideTable
              fields={both}
              yours={changes}
              theirs={draft.changes}
              other={t('On the other device')}
              sides={form.values}
              onChoose={(id, side) => form.set({ [id]: side })}
            />
          )}
        </FormDialog>
      )}
    </Alert>
  );
}

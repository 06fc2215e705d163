import type { Collection, Entry, Field } from '@headwater/sdk';
import { Button, Group, Popover, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { fieldTypeOf, isRepeated } from '../field-types/index.ts';
import { t } from '../languages/translate.ts';
import { baseOf, entryLocales, localesQuery } from '../locales/locales.ts';
import { headwater } from '../service/session.ts';
import { fieldErrors } from '../shared/error-messages.ts';
import { notifyError } from '../shared/notify.tsx';
import { useRights } from '../users/rights.ts';
import { entryTitle } from './entry-title.ts';
import { FieldInput } from './field-input.tsx';
import { invalidateEntries } from './queries.ts';
import { ValueCell } from './value-cell.tsx';

interface InlineCellProps {
  collection: Collection;
  entry: Entry;
  field: Field;
}

/** A value in a table cell. A click or Enter opens its input there; lists and the types without an inline input open in the form. */
export function InlineCell({ collection, entry, field }: InlineCellProps) {
  const value = entry.values[field.id];
  const { data: locales } = useQuery({ ...localesQuery(), enabled: field.localized === true });
  const rights = useRights();
  const mayEdit =
    rights.may('update', collection.id) &&
    rights.lockOf('update', collection, field, locales && baseOf(entryLocales(locales, collection))) === undefined;
  const [draft, setDraft] = useState<{ value: unknown }>();
  const close = () => setDraft(undefined);
  const save = useMutation({
    meta: { shown: true },
    mutationFn: (next: unknown) =>
      headwater.updateEntry(
        { collectionId: collection.id, entryId: entry.id },
        { values: { [field.id]: next ?? null }, version: entry.version },
      ),
    onSuccess: close,
    onError: (error) => fieldErrors(error).size === 0 && notifyError(error),
    // After a version conflict, too, so that the table shows the stored value.
    onSettled: () => invalidateEntries(collection.id),
  });
  if (!mayEdit || isRepeated(field) || !fieldTypeOf(field).isEditableInTable) {
    return <ValueCell field={field} value={value} />;
  }
  const title = entryTitle(collection, entry);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(draft?.value);
  };
  return (
    <Popover
      opened={draft !== undefined}
      onChange={(opened) => !opened && close()}
      position="bottom-start"
      offset={4}
      width={300}
      trapFocus
      returnFocus
      withinPortal
    >
      <Popover.Target>
        <UnstyledButton className="cell" fz="sm" onClick={() => setDraft({ value })}>
          <VisuallyHidden>{t('Edit {label} of {title}: ', { label: field.label, title })}</VisuallyHidden>
          <ValueCell field={field} value={value} isInteractive />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('{label} of {title}', { label: field.label, title })}>
        {draft && (
          <form onSubmit={submit}>
            <FieldInput
              field={field}
              value={draft.value ?? undefined}
              onChange={(next) => setDraft({ value: next })}
              errors={fieldErrors(save.error)}
              pointer={`/values/${field.id}`}
            />
            <Group justify="flex-end" mt="sm" gap="xs">
              <Button variant="subtle" color="gray" size="compact-sm" onClick={close}>
                {t('Cancel')}
              </Button>
              <Button type="submit" size="compact-sm" loading={save.isPending}>
                {t('Save')}
              </Button>
            </Group>
          </form>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

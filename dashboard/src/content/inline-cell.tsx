import type { Collection, Entry, Field } from '@headwater/sdk';
import { Button, Group, Popover, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { headwater, useMayEdit } from '../service/session.ts';
import { faultsOf } from '../shared/messages.ts';
import { tellFailure } from '../shared/notify.tsx';
import { isRepeated } from './field-types.ts';
import { forgetEntries } from './queries.ts';
import { ValueInput } from './value-input.tsx';
import { ValueCell } from './value-text.tsx';

interface InlineCellProps {
  collection: Collection;
  entry: Entry;
  field: Field;
  /** What the entry is called. */
  name: string;
}

/** A value in its cell; a click, or Enter, opens its input there. Groups, lists and pictures are edited in the form. */
export function InlineCell({ collection, entry, field, name }: InlineCellProps) {
  const value = entry.values[field.id];
  const mayEdit = useMayEdit();
  const [draft, setDraft] = useState<{ value: unknown }>();
  const mutation = useMutation({
    meta: { shown: true },
    mutationFn: (next: unknown) =>
      headwater.updateEntry(
        { collectionId: collection.id, entryId: entry.id },
        { values: { [field.id]: next ?? null }, version: entry.version },
      ),
    onSuccess: () => setDraft(undefined),
    onError: (error) => faultsOf(error).size === 0 && tellFailure(error),
    // After a conflict the table shows what is stored.
    onSettled: () => forgetEntries(collection.id),
  });
  const isPlain = mayEdit && !isRepeated(field) && field.type !== 'group' && field.type !== 'asset';
  if (!isPlain) return <ValueCell field={field} value={value} />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutation.mutate(draft?.value);
  };
  return (
    <Popover
      opened={draft !== undefined}
      onChange={(opened) => !opened && setDraft(undefined)}
      position="bottom-start"
      offset={4}
      width={300}
      trapFocus
      returnFocus
      withinPortal
    >
      <Popover.Target>
        <UnstyledButton className="cell" fz="sm" onClick={() => setDraft({ value })}>
          <VisuallyHidden>
            Edit {field.label} of {name}:{' '}
          </VisuallyHidden>
          <ValueCell field={field} value={value} isText />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={`${field.label} of ${name}`}>
        {draft && (
          <form onSubmit={submit}>
            <ValueInput
              field={field}
              value={draft.value ?? undefined}
              onChange={(next) => setDraft({ value: next })}
              faults={faultsOf(mutation.error)}
              pointer={`/values/${field.id}`}
            />
            <Group justify="flex-end" mt="sm" gap="xs">
              <Button variant="subtle" color="gray" size="compact-sm" onClick={() => setDraft(undefined)}>
                Cancel
              </Button>
              <Button type="submit" size="compact-sm" loading={mutation.isPending}>
                Save
              </Button>
            </Group>
          </form>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

import type { Collection, Entry } from '@headwater/sdk';
import { Button, Group, Modal, Progress, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { headwater } from '../service/session.ts';
import { doEach } from '../shared/do-each.ts';
import { Icon } from '../shared/icons.tsx';
import { tell, tellFailure, tellUndo } from '../shared/notify.tsx';
import { useFocusBack } from '../shared/use-focus-back.ts';
import { isActive } from './field-types.ts';
import { forgetEntries } from './queries.ts';
import { ValueInput } from './value-input.tsx';

const NO_FAULTS = new Map<string, string>();

interface BulkBarProps {
  collection: Collection;
  entries: Entry[];
  onDone: () => void;
}

/** What can be done with all entries that are selected. */
export function BulkBar({ collection, entries, onDone }: BulkBarProps) {
  const { id: collectionId } = collection;
  const [share, setShare] = useState<number>();
  const [isSetting, setIsSetting] = useState(false);
  const count = entries.length === 1 ? '1 entry' : `${entries.length} entries`;

  /** Does it to each, some at a time. @returns those that it was done to */
  const each = async (change: (entry: Entry) => Promise<unknown>): Promise<Entry[]> => {
    const { done, failure } = await doEach(entries, change, setShare);
    setShare(undefined);
    forgetEntries(collectionId);
    if (failure) tellFailure(failure);
    else onDone();
    return done;
  };
  const setStatus = (status: 'active' | 'deleted') => (entry: Entry) =>
    headwater.updateEntry({ collectionId, entryId: entry.id }, { status });
  const remove = async () => {
    const removed = await each(setStatus('deleted'));
    if (removed.length === 0) return;
    tellUndo(`${removed.length} deleted.`, async () => {
      await Promise.all(removed.map(setStatus('active')));
      forgetEntries(collectionId);
    });
  };
  return (
    <Group className="surface" px="md" py="xs" mb="sm" role="region" aria-label="Selected entries">
      <Text size="sm" fw={550}>
        {count} selected
      </Text>
      {share !== undefined && <Progress value={share} flex={1} aria-label="Progress" />}
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<Icon name="edit" size={14} />}
        onClick={() => setIsSetting(true)}
      >
        Set a field
      </Button>
      <Button variant="default" size="compact-sm" leftSection={<Icon name="trash" size={14} />} onClick={remove}>
        Delete
      </Button>
      <Button variant="subtle" color="gray" size="compact-sm" onClick={onDone}>
        Clear selection
      </Button>
      {isSetting && (
        <SetField
          collection={collection}
          count={count}
          onClose={() => setIsSetting(false)}
          onSet={async (fieldId, value) => {
            const done = await each((entry) =>
              headwater.updateEntry({ collectionId, entryId: entry.id }, { values: { [fieldId]: value ?? null } }),
            );
            if (done.length > 0) tell(`${done.length} changed.`);
            setIsSetting(false);
          }}
        />
      )}
    </Group>
  );
}

interface SetFieldProps {
  collection: Collection;
  count: string;
  onClose: () => void;
  onSet: (fieldId: string, value: unknown) => Promise<void>;
}

function SetField({ collection, count, onClose, onSet }: SetFieldProps) {
  useFocusBack();
  const fields = collection.fields.filter(isActive);
  const [fieldId, setFieldId] = useState<string | null>(null);
  const [value, setValue] = useState<unknown>();
  const [isRunning, setIsRunning] = useState(false);
  const field = fields.find(({ id }) => id === fieldId);
  const run = () => {
    if (!field) return;
    setIsRunning(true);
    onSet(field.id, value).catch(tellFailure);
  };
  return (
    <Modal opened onClose={onClose} title={`Set a field of ${count}`}>
      <Stack>
        <Select
          label="Field"
          data={fields.map(({ id, label }) => ({ value: id, label }))}
          value={fieldId}
          onChange={(next) => {
            setFieldId(next);
            setValue(undefined);
          }}
          data-autofocus
        />
        {field && (
          <ValueInput key={field.id} field={field} value={value} onChange={setValue} faults={NO_FAULTS} pointer="" />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button onClick={run} loading={isRunning} disabled={!field || (value === undefined && field.required)}>
            {field && value === undefined ? 'Clear the field' : 'Set the field'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

import type { Collection, Entry } from '@headwater/sdk';
import { Alert, Button, Group, Modal, Radio, Stack, Table, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { headwater } from '../service/session.ts';
import { formatAgo } from '../shared/formats.ts';
import { messageOf } from '../shared/messages.ts';
import { useFocusBack } from '../shared/use-focus-back.ts';
import { ValueCell } from './value-text.tsx';

interface ConflictWindowProps {
  collection: Collection;
  mine: Record<string, unknown>;
  /** What I changed, by field. */
  changes: Record<string, unknown>;
  theirs: Entry;
  onClose: () => void;
  onSaved: (entry: Entry) => void;
}

/** Two people changed one entry: for every field that I changed and that differs now, which of the two it is to have. */
export function ConflictWindow({ collection, mine, changes, theirs, onClose, onSaved }: ConflictWindowProps) {
  useFocusBack();
  const fields = collection.fields.filter(
    ({ id }) => id in changes && JSON.stringify(mine[id]) !== JSON.stringify(theirs.values[id]),
  );
  const [isTheirs, setIsTheirs] = useState<Record<string, boolean>>({});
  const mutation = useMutation({
    meta: { shown: true },
    mutationFn: () => {
      const kept = Object.fromEntries(Object.entries(changes).filter(([id]) => !isTheirs[id]));
      const path = { collectionId: collection.id, entryId: theirs.id };
      if (Object.keys(kept).length === 0) return Promise.resolve(theirs);
      return headwater.updateEntry(path, { values: kept, version: theirs.version });
    },
    onSuccess: onSaved,
  });
  return (
    <Modal opened onClose={onClose} title="Somebody else changed this entry" size="lg">
      <Stack>
        <Text size="sm">
          It was saved {formatAgo(theirs.updatedAt)}, while you were writing. Nothing of either is lost: choose what
          each field is to have.
        </Text>
        {fields.length > 0 && (
          <Table.ScrollContainer minWidth={480}>
            <Table className="data-table" verticalSpacing="sm">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Field</Table.Th>
                  <Table.Th>Yours</Table.Th>
                  <Table.Th>Theirs</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {fields.map((field) => (
                  <Table.Tr key={field.id}>
                    <Table.Td fw={550}>{field.label}</Table.Td>
                    {[false, true].map((choice) => (
                      <Table.Td key={String(choice)}>
                        <Radio
                          name={field.id}
                          aria-label={`${field.label}: ${choice ? 'theirs' : 'yours'}`}
                          checked={(isTheirs[field.id] ?? false) === choice}
                          onChange={() => setIsTheirs((before) => ({ ...before, [field.id]: choice }))}
                          label={<ValueCell field={field} value={choice ? theirs.values[field.id] : mine[field.id]} />}
                        />
                      </Table.Td>
                    ))}
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
        {fields.length === 0 && <Text size="sm">Your changes and theirs do not touch each other.</Text>}
        {mutation.isError && (
          <Alert color="red" variant="light" role="alert">
            {messageOf(mutation.error).detail}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Go on writing
          </Button>
          <Button loading={mutation.isPending} onClick={() => mutation.mutate()}>
            Save
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

import type { ConversionWithReports } from '@headwater/sdk';
import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { queryClient } from '../service/query-client.ts';
import { headwater, useMayEdit } from '../service/session.ts';
import { messageOf } from '../shared/messages.ts';
import { tell } from '../shared/notify.tsx';
import { decimalOf } from './columns.ts';

/** Gives a conversion another value: by its order number and the session it was matched with. */
export function Restate({ conversion }: { conversion: ConversionWithReports }) {
  const { eventId, sessionId, currency } = conversion;
  const mayEdit = useMayEdit();
  const [isOpen, setIsOpen] = useState(false);
  const [value, setValue] = useState('');
  const mutation = useMutation({
    meta: { shown: true },
    mutationFn: async () => {
      const result = await headwater.reportConversion({ sessionId, eventId, value: decimalOf(value.trim()) });
      const [only] = [result].flat();
      if (only && !only.reported) throw new Error(only.reason ?? 'Its session is no longer known.');
    },
    onSuccess: async () => {
      setIsOpen(false);
      tell('Restated');
      await queryClient.invalidateQueries();
    },
  });
  // Without an order number nothing tells a restatement from a second sale.
  if (!mayEdit || eventId === null || sessionId === null) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutation.mutate();
  };
  return (
    <>
      <Button variant="default" onClick={() => setIsOpen(true)}>
        Restate
      </Button>
      <Modal opened={isOpen} onClose={() => setIsOpen(false)} title={`Restate ${eventId}`}>
        <form onSubmit={submit}>
          <Stack>
            <Text size="sm" c="dimmed">
              The new value takes the place of the old one; every report of it is kept. 0 takes the sale back.
            </Text>
            <TextInput
              label={currency ? `New value, in ${currency}` : 'New value'}
              inputMode="decimal"
              required
              data-autofocus
              value={value}
              onChange={(event) => setValue(event.currentTarget.value)}
            />
            {mutation.isError && <Alert color="red">{messageOf(mutation.error).detail}</Alert>}
            <Group justify="flex-end">
              <Button variant="default" onClick={() => setIsOpen(false)}>
                Cancel
              </Button>
              <Button type="submit" loading={mutation.isPending}>
                Restate
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}

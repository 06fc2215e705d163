import { Button, Group, Modal, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';

interface ConfirmProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  /** The verb on the button. */
  action: string;
  run: () => Promise<unknown>;
}

/** Asks before something is done that others notice. */
export function Confirm({ opened, onClose, title, children, action, run }: ConfirmProps) {
  const mutation = useMutation({ mutationFn: run, onSuccess: onClose });
  return (
    <Modal opened={opened} onClose={onClose} title={title}>
      <Text size="sm" component="div">
        {children}
      </Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button color="red" loading={mutation.isPending} onClick={() => mutation.mutate()}>
          {action}
        </Button>
      </Group>
    </Modal>
  );
}

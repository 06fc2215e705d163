import { Alert, Button, Group, Modal, type ModalProps, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '../languages/translate.ts';
import { CopyField } from './copy-field.tsx';
import { useRestoreFocus } from './use-restore-focus.ts';

/** A dialog, rendered while it is open. */
export function Dialog(props: Omit<ModalProps, 'opened'>) {
  useRestoreFocus();
  return <Modal opened {...props} />;
}

interface ConfirmDialogProps {
  title: string;
  children: ReactNode;
  /** The verb on the button. */
  action: string;
  cancel?: string;
  /** Nothing is lost by it. */
  isHarmless?: boolean;
  run: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks before something is deleted, revoked or discarded. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, action, cancel = t('Cancel'), isHarmless = false, run, onClose } = props;
  const mutation = useMutation({ mutationFn: run, onSuccess: onClose });
  return (
    <Dialog onClose={onClose} title={title}>
      <Text size="sm" component="div">
        {children}
      </Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose} data-autofocus>
          {cancel}
        </Button>
        <Button {...(!isHarmless && { color: 'red' })} loading={mutation.isPending} onClick={() => mutation.mutate()}>
          {action}
        </Button>
      </Group>
    </Dialog>
  );
}

interface SecretDialogProps {
  title: string;
  /** What the secret is called. */
  label: string;
  secret: string;
  onClose: () => void;
  /** What it is for, and that it is shown once. */
  children: ReactNode;
}

/** A secret that is shown once. Only the button closes it. */
export function SecretDialog({ title, label, secret, onClose, children }: SecretDialogProps) {
  return (
    <Dialog
      onClose={onClose}
      title={title}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        <Alert variant="light" color="orange">
          {children}
        </Alert>
        <CopyField label={label} value={secret} />
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('I have saved it')}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

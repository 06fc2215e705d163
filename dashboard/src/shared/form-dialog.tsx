import { Alert, Button, Group, type ModalProps, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { t } from '../languages/translate.ts';
import { Dialog } from './dialogs.tsx';
import { Form, FormActions, FormError } from './form.tsx';
import type { FormState } from './use-form.ts';

interface FormDialogProps {
  form: FormState;
  title: string;
  submit: string;
  cancel?: string;
  size?: ModalProps['size'];
  isDisabled?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** A form in a dialog. Escape and a click outside ask before they discard changes; Cancel does not. */
export function FormDialog({ form, title, submit, cancel, size, isDisabled, onClose, children }: FormDialogProps) {
  const [isAsking, setIsAsking] = useState(false);
  const discard = () => {
    form.discard();
    onClose();
  };
  const close = () => (form.hasUnsavedChanges() && !isAsking ? setIsAsking(true) : onClose());
  return (
    <Dialog onClose={close} title={title} size={size}>
      <Form form={form} isGuarded={false}>
        <Stack>
          {children}
          <FormError form={form} />
          {isAsking && (
            <Alert color="orange" variant="light" role="alert">
              <Group justify="space-between">
                {t('You have unsaved changes.')}
                <Group gap="xs">
                  <Button variant="default" size="compact-sm" onClick={() => setIsAsking(false)}>
                    {t('Keep editing')}
                  </Button>
                  <Button color="red" size="compact-sm" onClick={discard}>
                    {t('Discard changes')}
                  </Button>
                </Group>
              </Group>
            </Alert>
          )}
          <FormActions form={form} submit={submit} cancel={cancel} onCancel={discard} isDisabled={isDisabled} />
        </Stack>
      </Form>
    </Dialog>
  );
}

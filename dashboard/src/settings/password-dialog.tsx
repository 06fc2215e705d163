import { PasswordInput, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { FormDialog } from '../shared/form-dialog.tsx';
import { useForm } from '../shared/use-form.ts';

interface PasswordDialogProps<Result> {
  title: string;
  submit: string;
  run: (currentPassword: string) => Promise<Result>;
  onDone: (result: Result) => void;
  onClose: () => void;
  children: ReactNode;
}

/** Asks for the password before a change of how somebody signs in. */
export function PasswordDialog<Result>({ title, submit, run, onDone, onClose, children }: PasswordDialogProps<Result>) {
  const form = useForm({
    initial: { currentPassword: '' },
    isValid: ({ currentPassword }) => currentPassword !== '',
    save: ({ currentPassword }) => run(currentPassword),
    onSaved: onDone,
  });
  return (
    <FormDialog form={form} title={title} submit={submit} onClose={onClose}>
      <Text size="sm">{children}</Text>
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        data-autofocus
        {...form.text('currentPassword')}
      />
    </FormDialog>
  );
}

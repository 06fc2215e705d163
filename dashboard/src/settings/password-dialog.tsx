import { PasswordInput, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../languages/translate.ts';
import { FormDialog } from '../shared/form-dialog.tsx';
import { useForm } from '../shared/use-form.ts';

interface PasswordDialogProps<Result> {
  title: string;
  submit: string;
  /** Also asks for a code of the second factor. */
  asksForCode?: boolean;
  run: (body: { currentPassword: string; code: string }) => Promise<Result>;
  onDone: (result: Result) => void;
  onClose: () => void;
  children: ReactNode;
}

/** Asks for the password before a change of how somebody signs in. */
export function PasswordDialog<Result>(props: PasswordDialogProps<Result>) {
  const { title, submit, asksForCode = false, run, onDone, onClose, children } = props;
  const form = useForm({
    initial: { currentPassword: '', code: '' },
    isValid: ({ currentPassword, code }) => currentPassword !== '' && (!asksForCode || code.trim() !== ''),
    save: ({ currentPassword, code }) => run({ currentPassword, code: code.trim() }),
    onSaved: onDone,
  });
  return (
    <FormDialog form={form} title={title} submit={submit} onClose={onClose}>
      <Text size="sm">{children}</Text>
      <PasswordInput
        label={t('Password')}
        autoComplete="current-password"
        data-autofocus
        {...form.text('currentPassword')}
      />
      {asksForCode && (
        <TextInput
          label={t('Code')}
          description={t('Of your authenticator app, or a recovery code')}
          autoComplete="one-time-code"
          {...form.text('code')}
        />
      )}
    </FormDialog>
  );
}

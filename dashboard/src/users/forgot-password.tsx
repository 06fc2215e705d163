import { Anchor, Button, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { Form } from '../shared/form.tsx';
import { useForm } from '../shared/use-form.ts';
import { Entrance } from './entrance.tsx';

/** Requests a reset link by email. */
export function ForgotPassword({ onBack }: { onBack: () => void }) {
  const [sentTo, setSentTo] = useState<string>();
  const form = useForm({
    initial: { email: '' },
    isValid: ({ email }) => email.trim() !== '',
    save: ({ email }) => headwater.requestPasswordReset({ email }),
    onSaved: (_, { email }) => setSentTo(email),
  });
  const back = (
    <Anchor component="button" type="button" size="sm" onClick={onBack}>
      {t('Back to sign-in')}
    </Anchor>
  );
  if (sentTo !== undefined) {
    return (
      <Entrance
        title={t('Check your email')}
        description={t(
          'If {sentTo} belongs to a user, we have sent a link to set a new password. It is valid for a day.',
          { sentTo },
        )}
      >
        {back}
      </Entrance>
    );
  }
  return (
    <Entrance title={t('Reset password')} description={t('We send you a link to set a new one.')} error={form.error}>
      <Form form={form} isGuarded={false}>
        <Stack>
          <TextInput
            label={t('Email')}
            type="email"
            autoComplete="username"
            required
            autoFocus
            {...form.text('email')}
          />
          <Button type="submit" loading={form.isPending}>
            {t('Send link')}
          </Button>
          {back}
        </Stack>
      </Form>
    </Entrance>
  );
}

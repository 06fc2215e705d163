import { Button, PasswordInput, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater, sessionQuery } from '../service/session.ts';
import { Form } from '../shared/form.tsx';
import { useForm } from '../shared/use-form.ts';
import { Entrance, tokenOfLink } from './entrance.tsx';

export function ResetPasswordPage() {
  const [token] = useState(tokenOfLink);
  const [isChanged, setIsChanged] = useState(false);
  const form = useForm({
    initial: { newPassword: '' },
    save: ({ newPassword }) => headwater.resetPassword({ token, newPassword }),
    onSaved: () => {
      setIsChanged(true);
      void queryClient.invalidateQueries({ queryKey: sessionQuery().queryKey });
    },
  });
  if (isChanged) {
    return (
      <Entrance title={t('Password changed')} description={t('Sign in with your new password.')}>
        <Button component={Link} to="/">
          {t('Sign in')}
        </Button>
      </Entrance>
    );
  }
  return (
    <Entrance title={t('Reset password')} error={form.error}>
      <Form form={form} isGuarded={false}>
        <Stack>
          <PasswordInput
            label={t('New password')}
            description={t('At least 10 characters')}
            autoComplete="new-password"
            required
            {...form.text('newPassword')}
          />
          <Button type="submit" loading={form.isPending}>
            {t('Change password')}
          </Button>
        </Stack>
      </Form>
    </Entrance>
  );
}

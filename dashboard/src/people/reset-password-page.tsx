import { Button, PasswordInput, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { queryClient } from '../service/query-client.ts';
import { headwater, sessionQuery } from '../service/session.ts';
import { faultsOf } from '../shared/messages.ts';
import { Entrance, secretOfLink } from './entrance.tsx';

export function ResetPasswordPage() {
  const [token] = useState(secretOfLink);
  const [newPassword, setNewPassword] = useState('');
  const mutation = useMutation({
    meta: { shown: true },
    mutationFn: () => headwater.resetPassword({ token, newPassword }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sessionQuery().queryKey }),
  });
  const faults = faultsOf(mutation.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutation.mutate();
  };
  if (mutation.isSuccess) {
    return (
      <Entrance title="Your password is changed" lead="Sign in with the new one.">
        <Button component={Link} to="/">
          Sign in
        </Button>
      </Entrance>
    );
  }
  return (
    <Entrance title="Choose a new password" error={faults.size === 0 ? mutation.error : null}>
      <form onSubmit={submit}>
        <Stack>
          <PasswordInput
            label="New password"
            description="At least 10 characters"
            autoComplete="new-password"
            required
            value={newPassword}
            error={faults.get('/newPassword')}
            onChange={(event) => setNewPassword(event.currentTarget.value)}
          />
          <Button type="submit" loading={mutation.isPending}>
            Change password
          </Button>
        </Stack>
      </form>
    </Entrance>
  );
}

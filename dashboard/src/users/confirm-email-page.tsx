import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { queryClient } from '../service/query-client.ts';
import { headwater, sessionQuery } from '../service/session.ts';
import { Entrance, tokenOfLink } from './entrance.tsx';

/** Changes the email of a user. By a button, because mail filters open links. */
export function ConfirmEmailPage() {
  const [token] = useState(tokenOfLink);
  const confirm = useMutation({
    meta: { shown: true },
    mutationFn: () => headwater.confirmEmail({ token }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sessionQuery().queryKey }),
  });
  if (confirm.isSuccess) {
    return (
      <Entrance title="Email changed" description="Sign in with your new email from now on.">
        <Button component={Link} to="/">
          Continue
        </Button>
      </Entrance>
    );
  }
  return (
    <Entrance title="Confirm your new email" error={confirm.error}>
      <Button loading={confirm.isPending} onClick={() => confirm.mutate()}>
        Confirm email
      </Button>
    </Entrance>
  );
}

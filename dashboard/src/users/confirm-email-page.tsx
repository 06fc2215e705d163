import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
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
      <Entrance title={t('Email changed')} description={t('Sign in with your new email from now on.')}>
        <Button component={Link} to="/">
          {t('Continue')}
        </Button>
      </Entrance>
    );
  }
  return (
    <Entrance title={t('Confirm your new email')} error={confirm.error}>
      <Button loading={confirm.isPending} onClick={() => confirm.mutate()}>
        {t('Confirm email')}
      </Button>
    </Entrance>
  );
}

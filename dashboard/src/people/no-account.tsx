import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { headwater } from '../service/session.ts';
import { Entrance } from './entrance.tsx';

/** Somebody whose last account was left, or who was removed from it. */
export function NoAccount() {
  const signOut = useMutation({ mutationFn: () => headwater.signOut(), onSuccess: () => window.location.assign('/') });
  return (
    <Entrance title="You are in no account" lead="Ask an owner to invite you: their link opens the account.">
      <Button variant="default" loading={signOut.isPending} onClick={() => signOut.mutate()}>
        Sign out
      </Button>
    </Entrance>
  );
}

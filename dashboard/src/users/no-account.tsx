import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { t } from '../languages/translate.ts';
import { type AccountOfUser, headwater } from '../service/session.ts';
import { Entrance } from './entrance.tsx';

/** For users who are not a member of the account in the URL, or of any account. */
export function NoAccount({ accounts }: { accounts: readonly AccountOfUser[] }) {
  const signOut = useMutation({ mutationFn: () => headwater.signOut(), onSuccess: () => window.location.assign('/') });
  const description =
    accounts.length > 0
      ? t('This URL belongs to an account that does not exist or that you are not a member of.')
      : t('You are not a member of any account. Ask an owner for an invitation.');
  return (
    <Entrance title={accounts.length > 0 ? t('Account not found') : t('No account')} description={description}>
      {accounts.map(({ id, name }) => (
        <Button key={id} component="a" href={`/${id}/home`}>
          {t('Open {name}', { name })}
        </Button>
      ))}
      <Button variant="default" loading={signOut.isPending} onClick={() => signOut.mutate()}>
        {t('Sign out')}
      </Button>
    </Entrance>
  );
}

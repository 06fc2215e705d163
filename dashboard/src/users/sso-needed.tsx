import { Button } from '@mantine/core';
import { t } from '../languages/translate.ts';
import type { AccountOfUser } from '../service/session.ts';
import { Entrance } from './entrance.tsx';
import { ssoStart } from './sso-choices.tsx';

/** For an account that members open by single sign-on only, in a session that was started otherwise. */
export function SsoNeeded({ account, accounts }: { account: AccountOfUser; accounts: readonly AccountOfUser[] }) {
  return (
    <Entrance
      title={t('Single sign-on')}
      description={t('The account {name} is used by single sign-on only.', { name: account.name })}
    >
      <Button
        component="a"
        href={ssoStart(account.id, { returnTo: window.location.pathname + window.location.search })}
      >
        {t('Continue with single sign-on')}
      </Button>
      {accounts
        .filter(({ id }) => id !== account.id)
        .map(({ id, name }) => (
          <Button key={id} component="a" variant="default" href={`/${id}/home`}>
            {t('Open {name}', { name })}
          </Button>
        ))}
    </Entrance>
  );
}

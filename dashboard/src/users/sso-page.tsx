import { Button } from '@mantine/core';
import { t } from '../languages/translate.ts';
import { Entrance, tokenOfLink } from './entrance.tsx';

/** Why a sign-in by single sign-on ended here: the reason is in the fragment. */
const REASONS: Record<string, string> = {
  denied: t('The sign-in was canceled at your identity provider.'),
  domain_not_allowed: t('Your email is not of a domain that signs in to this account.'),
  email_unconfirmed: t(
    'There is a user with your email that nobody has confirmed. Sign in with the password and confirm the email first.',
  ),
  email_unverified: t('Your identity provider does not say that your email is verified. Ask its administrator.'),
  expired: t('The sign-in took too long, or was started in another tab or browser. Start again.'),
  no_role: t('Nothing that your identity provider says of you gives you a role in this account. Ask an owner.'),
  not_member: t(
    'You already use Headwater and are not a member of this account. Ask an owner for an invitation, then sign in again.',
  ),
  operator: t('Operators of the service sign in with their password or a passkey.'),
  other_identity: t(
    'Your email belongs to another person at the identity provider. Ask an owner to remove that member first.',
  ),
  other_user: t('You signed in at the identity provider as somebody else. Start again.'),
  unavailable: t('Your identity provider could not be reached, or its response is not valid. Try again later.'),
};

/** Where the provider sends the browser when a sign-in failed, or when a session was confirmed in a window of its own. */
export function SsoPage() {
  const reason = tokenOfLink();
  if (reason === 'confirmed') {
    return <Entrance title={t('Confirmed')} description={t('You can close this window and continue.')} />;
  }
  return (
    <Entrance title={t('Single sign-on failed')} description={REASONS[reason] ?? t('Start again.')}>
      <Button component="a" href="/">
        {t('Sign in')}
      </Button>
    </Entrance>
  );
}

import type { Mail } from '../mail/index.ts';
import { translatorOf } from '../shared/languages.ts';

/** Whom a mail is for. */
interface Recipient {
  email: string;
  /** The language they chose, or that of their browser. */
  mail_language: string;
}

/** The text of mails: what happened, what to do, and nothing else. */
const mail = ({ email }: Recipient, subject: string, ...paragraphs: string[]): Mail => ({
  to: email,
  subject,
  text: `${paragraphs.join('\n\n')}\n`,
});

export function invitationMail(to: Recipient, account: string, inviter: string | null, url: string, days: number) {
  const t = translatorOf(to.mail_language);
  return mail(
    to,
    t('Invitation to {account}', { account }),
    inviter === null
      ? t('The operator invited you to the account "{account}" in Headwater.', { account })
      : t('{inviter} invited you to the account "{account}" in Headwater.', { inviter, account }),
    `${t('Open this link to join. It is valid for {days, plural, one {# day} other {# days}}:', { days })}\n${url}`,
    t('If you did not expect this, you can ignore this email.'),
  );
}

export function resetMail(to: Recipient, url: string) {
  const t = translatorOf(to.mail_language);
  return mail(
    to,
    t('Reset your password'),
    `${t('Open this link to set a new password. It is valid once and for a day:')}\n${url}`,
    t('If you did not expect this, you can ignore this email.'),
  );
}

export function confirmEmailMail(to: Recipient, url: string) {
  const t = translatorOf(to.mail_language);
  return mail(
    to,
    t('Confirm your new email'),
    `${t('Open this link to sign in with this email from now on. It is valid once and for a day:')}\n${url}`,
    t('If you did not expect this, you can ignore this email.'),
  );
}

export function emailChangedMail(to: Recipient, next: string) {
  const t = translatorOf(to.mail_language);
  return mail(
    to,
    t('Your email was changed'),
    t('You now sign in to Headwater with {email}.', { email: next }),
    t('If this was not you, reset your password and end your other sessions under Your profile.'),
  );
}

export type SecurityChange =
  | 'password_reset'
  | 'two_factor_enabled'
  | 'two_factor_disabled'
  | 'recovery_codes_replaced'
  | 'passkey_added'
  | 'passkey_deleted';

export function securityMail(to: Recipient, change: SecurityChange) {
  const t = translatorOf(to.mail_language);
  const subjects: Record<SecurityChange, string> = {
    password_reset: t('Your password was reset'),
    two_factor_enabled: t('Your two-factor authentication was enabled'),
    two_factor_disabled: t('Your two-factor authentication was disabled'),
    recovery_codes_replaced: t('Your recovery codes were replaced'),
    passkey_added: t('Your account has a new passkey'),
    passkey_deleted: t('Your passkey was deleted'),
  };
  const subject = subjects[change];
  const advice = t('If this was not you, reset your password and end your other sessions under Your profile.');
  return mail(to, subject, `${subject}.`, advice);
}

import type { Mail } from '../mail/index.ts';

/** The text of mails: what happened, what to do, and nothing else. */
const mail = (to: string, subject: string, ...paragraphs: string[]): Mail => ({
  to,
  subject,
  text: `${paragraphs.join('\n\n')}\n`,
});

const IGNORE = 'If you did not expect this, you can ignore this email.';
const SECURE = 'If this was not you, reset your password and end your other sessions under Your profile.';

export const invitationMail = (to: string, account: string, inviter: string | null, url: string, days: number) =>
  mail(
    to,
    `Invitation to ${account}`,
    `${inviter ?? 'The operator'} invited you to the account "${account}" in Headwater.`,
    `Open this link to join. It is valid for ${days === 1 ? '1 day' : `${days} days`}:\n${url}`,
    IGNORE,
  );

export const resetMail = (to: string, url: string) =>
  mail(
    to,
    'Reset your password',
    `Open this link to set a new password. It is valid once and for a day:\n${url}`,
    IGNORE,
  );

export const confirmEmailMail = (to: string, url: string) =>
  mail(
    to,
    'Confirm your new email',
    `Open this link to sign in with this email from now on. It is valid once and for a day:\n${url}`,
    IGNORE,
  );

export const emailChangedMail = (to: string, next: string) =>
  mail(to, 'Your email was changed', `You now sign in to Headwater with ${next}.`, SECURE);

/** What changed, as it ends the sentence "Your … was …". */
export const securityMail = (to: string, what: string) => mail(to, `Your ${what}`, `Your ${what}.`, SECURE);

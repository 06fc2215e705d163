import { queueMails, sendsMail } from '../../mail/index.ts';
import { audit } from '../../shared/audit.ts';
import type { Deps } from '../../shared/deps.ts';
import { invalid } from '../../shared/errors.ts';
import { publicId } from '../../shared/ids.ts';
import type { ControlTx } from '../../shared/postgres/database.ts';
import { DAY } from '../../shared/units.ts';
import { normalizeEmail } from '../create-user.ts';
import { confirmEmailMail, emailChangedMail } from '../mails.ts';
import { listMemberships } from '../members/queries.ts';
import {
  createSecret,
  deleteLinks,
  findUsedLink,
  hashSecret,
  insertLink,
  linkInvalid,
  linkTo,
  REPEAT_MS,
  useLink,
} from '../one-time-links.ts';
import { findUser, findUserByEmail, setEmail, setEmailConfirmed, type UserRow } from '../queries.ts';
import { refuseToChangeEmail } from '../sso/requirement.ts';

/**
 * Changes a user's email: at once, or, where the service can send mail, when the link that is sent to it is opened.
 * @returns whether a link was sent
 * @throws ApiError 400 `email_taken`; 401 `sso_required`
 */
export async function changeEmail(deps: Deps, user: UserRow, sent: string, address: string): Promise<boolean> {
  const email = normalizeEmail(sent);
  return deps.control.transaction(async (tx) => {
    await refuseToChangeEmail(tx, user.id);
    const [other] = await findUserByEmail(tx, { email });
    if (other && other.id !== user.id) throw emailTaken();
    if (!sendsMail(deps)) {
      await replaceEmail(tx, deps, user, email, null, address);
      return false;
    }
    await sendConfirmation(tx, deps, user.id, email);
    return true;
  });
}

/** Sends a link that makes an email the confirmed one of a user. Without SMTP this does nothing. */
export async function sendConfirmation(tx: ControlTx, deps: Deps, user_id: string, email: string): Promise<void> {
  if (!sendsMail(deps)) return;
  const [user] = await findUser(tx, { user_id });
  const { secret, hash } = createSecret();
  const expires_at = new Date(deps.clock() + DAY);
  await deleteLinks(tx, { type: 'email', user_id });
  await insertLink(tx, { hash, type: 'email', user_id, email, created_by: null, expires_at });
  await queueMails(tx, deps, [
    confirmEmailMail(
      { email, mail_language: user?.mail_language ?? 'en' },
      linkTo(deps.publicUrl(), 'confirm-email', secret),
    ),
  ]);
}

/** Changes the email of a link's user. @throws ApiError 400 `link_invalid`, `email_taken` */
export function confirmEmail(deps: Deps, token: string, address: string): Promise<void> {
  const now = deps.clock();
  const hash = hashSecret(token);
  return deps.control.transaction(async (tx) => {
    const [link] = await useLink(tx, { hash, type: 'email', now: new Date(now), used_by: null });
    const [user] = link?.user_id ? await findUser(tx, { user_id: link.user_id }) : [];
    if (!link && (await wasConfirmed(tx, hash, now))) return;
    if (!user || !link?.email) throw linkInvalid();
    if (link.email === user.email) {
      await setEmailConfirmed(tx, { user_id: user.id, now: new Date(now) });
      return;
    }
    await refuseToChangeEmail(tx, user.id);
    await replaceEmail(tx, deps, user, link.email, new Date(now), address);
  });
}

/** Whether the link has just made its email the user's: the response was lost. */
async function wasConfirmed(tx: ControlTx, hash: Buffer, now: number): Promise<boolean> {
  const [used] = await findUsedLink(tx, { hash, type: 'email', since: new Date(now - REPEAT_MS) });
  const [user] = used ? await findUser(tx, { user_id: used.used_by }) : [];
  return user !== undefined && user.email === used?.email;
}

async function replaceEmail(
  tx: ControlTx,
  deps: Deps,
  user: UserRow,
  email: string,
  email_confirmed_at: Date | null,
  address: string,
): Promise<void> {
  const now = deps.clock();
  if (email === user.email) return;
  const [changed] = await setEmail(tx, { user_id: user.id, email, email_confirmed_at, now: new Date(now) });
  if (!changed) throw emailTaken();
  // A link in the mailbox that the user may no longer control.
  await deleteLinks(tx, { type: 'reset', user_id: user.id });
  await auditUser(tx, user.id, 'email_changed', address, now, { before: { email: user.email }, after: { email } });
  await queueMails(tx, deps, [emailChangedMail(user, email)]);
}

function emailTaken() {
  return invalid([
    { pointer: '/email', code: 'email_taken', detail: 'Another user has this email. Use a different one.' },
  ]);
}

/** Records what a user changed about themselves in every account of theirs. */
export async function auditUser(
  tx: ControlTx,
  user_id: string,
  verb: string,
  address: string,
  now: number,
  states: { before?: Record<string, unknown>; after?: Record<string, unknown> } = {},
): Promise<void> {
  const subject = ['user', publicId('usr', user_id)] as const;
  for (const { id: accountId } of await listMemberships(tx, { user_id })) {
    const author = { accountId, type: 'user', id: user_id, address } as const;
    await audit(tx, author, { action: `user.${verb}`, subject, ...states }, now);
  }
}

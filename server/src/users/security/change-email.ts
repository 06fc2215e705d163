import { queueMails, sendsMail } from '../../mail/index.ts';
import { audit } from '../../shared/audit.ts';
import type { Deps } from '../../shared/deps.ts';
import { invalid } from '../../shared/errors.ts';
import { publicId } from '../../shared/ids.ts';
import type { ControlTx } from '../../shared/postgres/database.ts';
import { normalizeEmail } from '../create-user.ts';
import { confirmEmailMail, emailChangedMail } from '../mails.ts';
import { listMemberships } from '../members/queries.ts';
import {
  createSecret,
  DAY_MS,
  deleteLinks,
  hashSecret,
  insertLink,
  linkInvalid,
  linkTo,
  useLink,
} from '../one-time-links.ts';
import { findUser, findUserByEmail, setEmail, type UserRow } from '../queries.ts';

/**
 * Changes a user's email: at once, or, where the service can send mail, when the link that is sent to it is opened.
 * @returns whether a link was sent
 * @throws ApiError 400 `email_taken`
 */
export async function changeEmail(deps: Deps, user: UserRow, sent: string, address: string): Promise<boolean> {
  const email = normalizeEmail(sent);
  const now = deps.clock();
  return deps.control.transaction(async (tx) => {
    const [other] = await findUserByEmail(tx, { email });
    if (other && other.id !== user.id) throw emailTaken();
    if (!sendsMail(deps)) {
      await replaceEmail(tx, deps, user, email, address);
      return false;
    }
    const { secret, hash } = createSecret();
    await deleteLinks(tx, { type: 'email', user_id: user.id });
    await insertLink(tx, { hash, type: 'email', user_id: user.id, email, expires_at: new Date(now + DAY_MS) });
    await queueMails(tx, deps, [confirmEmailMail(email, linkTo(deps.publicUrl(), 'confirm-email', secret))]);
    return true;
  });
}

/** Changes the email of a link's user. @throws ApiError 400 `link_invalid`, `email_taken` */
export function confirmEmail(deps: Deps, token: string, address: string): Promise<void> {
  return deps.control.transaction(async (tx) => {
    const [link] = await useLink(tx, { hash: hashSecret(token), type: 'email', now: new Date(deps.clock()) });
    const [user] = link?.user_id ? await findUser(tx, { user_id: link.user_id }) : [];
    if (!user || !link?.email) throw linkInvalid();
    await replaceEmail(tx, deps, user, link.email, address);
  });
}

async function replaceEmail(tx: ControlTx, deps: Deps, user: UserRow, email: string, address: string): Promise<void> {
  const now = deps.clock();
  if (email === user.email) return;
  const [changed] = await setEmail(tx, { user_id: user.id, email, now: new Date(now) });
  if (!changed) throw emailTaken();
  // A link in the mailbox that the user may no longer control.
  await deleteLinks(tx, { type: 'reset', user_id: user.id });
  await auditUser(tx, user.id, 'email_changed', address, now, { before: { email: user.email }, after: { email } });
  await queueMails(tx, deps, [emailChangedMail(user.email, email)]);
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

import type { FastifyReply, FastifyRequest } from 'fastify';
import { refuseSso, roleIdOf, type SignedIn, signedOut } from '../../accounts/index.ts';
import { audit } from '../../shared/audit.ts';
import type { Deps } from '../../shared/deps.ts';
import { badRequest, type Fault, refuse } from '../../shared/errors.ts';
import { publicId } from '../../shared/ids.ts';
import type { ControlTx } from '../../shared/postgres/database.ts';
import { isoTime } from '../../shared/time.ts';
import type { Acceptance, SessionState } from '../contract.ts';
import { createUser, normalizeEmail } from '../create-user.ts';
import { LIMITS } from '../limits.ts';
import { joinAccount } from '../members/accounts.ts';
import { hashSecret, linkInvalid, REPEAT_MS } from '../one-time-links.ts';
import { findUser, findUserByEmail, setEmailConfirmed, type UserRow } from '../queries.ts';
import { sendConfirmation } from '../security/change-email.ts';
import { hashPassword } from '../sign-in/password.ts';
import { weakness } from '../sign-in/password-strength.ts';
import { readSessionState } from '../sign-in/serialize.ts';
import { credentialsInvalid, type SignIns } from '../sign-in/sign-in.ts';
import { refuseToJoin } from '../sso/requirement.ts';
import { findInvitationByHash, type InvitationRow, markAccepted } from './queries.ts';

/** @throws ApiError 400 `link_invalid` */
export async function inspectInvitation(deps: Deps, token: string) {
  const invitation = await findInvitation(deps, token);
  if (invitation.accepted_at) throw linkInvalid();
  const { account_name: name, role, email, expires_at } = invitation;
  const { role_name: roleName } = invitation;
  return { account: { name }, role, ...(roleName !== null && { roleName }), email, expiresAt: isoTime(expires_at) };
}

/**
 * Makes a user a member: the signed-in user, an existing user with email and password, or, with a name, a new user. The
 * email of an existing user always requires their password.
 * All of it happens in one transaction, and a user who repeats the request gets the same response.
 * @throws ApiError 400 `link_invalid`, `email_differs`, `already_member`, `password_weak`; 401 `credentials_invalid`,
 *   `sso_required`; 429
 */
export async function acceptInvitation(
  deps: Deps,
  signIns: SignIns,
  signedIn: SignedIn | undefined,
  body: Acceptance,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SessionState> {
  const { control, clock, config } = deps;
  const invitation = await findInvitation(deps, body.token);
  if (body.email === undefined && signedIn) {
    const [user] = await findUser(control, { user_id: signedIn.userId });
    if (!user) throw signedOut();
    refuseSso(signedIn);
    await refuseToJoin(control, invitation.account_id, user.email);
    const joined = { invitation: usableBy(invitation, user), user_id: user.id, address: request.ip };
    return control.transaction(async (tx) => {
      await join(tx, joined, clock());
      return readSessionState({ control: tx, config }, signedIn);
    });
  }
  const { email, password } = await readCredentials(body);
  const [known] = await findUserByEmail(control, { email });
  // Only who proves to be the user learns that they have accepted it.
  if (invitation.accepted_at && invitation.accepted_by !== known?.id) throw linkInvalid();
  checkEmail(invitation, email);
  await refuseToJoin(control, invitation.account_id, email);
  const isNew = !known && body.name !== undefined;
  const user = isNew ? undefined : await signIns.check(request, { email, password, code: body.code });
  if (user) usableBy(invitation, user);
  const hash = isNew ? await hashPassword(password, { address: request.ip }) : '';
  const started = await control.transaction(async (tx) => {
    const isConfirmed = invitation.is_mailed;
    const created = user ? undefined : { email, name: body.name ?? '', hash, isConfirmed };
    const user_id = created ? await createUser(tx, created, clock()) : user?.id;
    if (user_id === undefined) throw credentialsInvalid();
    if (created && !isConfirmed) await sendConfirmation(tx, deps, user_id, email);
    await join(tx, { invitation, user_id, address: request.ip }, clock());
    return signIns.start(tx, request, user_id);
  });
  return signIns.respond(request, reply, started);
}

/** The invitation of a link: an open one, or one that was accepted a moment ago, for those who repeat their request. */
async function findInvitation({ control, clock }: Deps, token: string) {
  const now = clock();
  const repeatedSince = new Date(now - REPEAT_MS);
  const [row] = await findInvitationByHash(control, {
    hash: hashSecret(token),
    now: new Date(now),
    accepted_since: repeatedSince,
  });
  if (!row) throw linkInvalid();
  return row;
}

function usableBy(invitation: InvitationRow, user: UserRow): InvitationRow {
  if (invitation.accepted_at && invitation.accepted_by !== user.id) throw linkInvalid();
  checkEmail(invitation, user.email);
  if (invitation.email !== null && !invitation.is_mailed && user.email_confirmed_at === null) {
    const detail =
      'The invitation is for an email that you have not confirmed as yours. Confirm it under Your profile, or ask for an invitation without an email.';
    throw badRequest('email_unconfirmed', detail);
  }
  return invitation;
}

/** The rules for a new user are checked before the email is looked up, so that the faults do not reveal who is a user. */
async function readCredentials({ email, password, name }: Acceptance) {
  const faults: Fault[] = [];
  const add = (member: string, code: string, detail: string) => faults.push({ pointer: `/${member}`, code, detail });
  if (email === undefined) add('email', 'required', 'The email is required.');
  if (password === undefined) add('password', 'required', 'The password is required.');
  else if (name !== undefined && password.length < LIMITS.minPasswordLength) {
    add('password', 'too_short', `The password must have at least ${LIMITS.minPasswordLength} characters.`);
  } else if (name !== undefined && password.length > LIMITS.passwordLength) {
    add('password', 'too_long', `The password must have at most ${LIMITS.passwordLength} characters.`);
  } else if (name !== undefined) faults.push(...(await weakness(password, '/password', [email ?? '', name])));
  refuse(faults);
  return { email: normalizeEmail(email ?? ''), password: password ?? '' };
}

function checkEmail(invitation: InvitationRow, email: string): void {
  if (invitation.email === null || invitation.email === email) return;
  throw badRequest('email_differs', 'The invitation is for another email. Sign in with the invited email.');
}

async function join(
  tx: ControlTx,
  { invitation, user_id, address }: { invitation: InvitationRow; user_id: string; address: string },
  now: number,
) {
  const { account_id, id, role, role_id, area } = invitation;
  // A repeated request: they are a member.
  if (invitation.accepted_at) return;
  if (invitation.is_mailed) await setEmailConfirmed(tx, { user_id, now: new Date(now) });
  const [accepted] = await markAccepted(tx, { account_id, id, user_id, now: new Date(now) });
  if (!accepted) throw linkInvalid();
  if (!(await joinAccount(tx, account_id, user_id, { role, role_id, area }, now))) {
    throw badRequest('already_member', 'You are already a member of this account.');
  }
  const subject = ['member', publicId('usr', user_id)] as const;
  const after = { role: roleIdOf(invitation), area, invitationId: publicId('inv', id) };
  const author = { accountId: account_id, type: 'user', id: user_id, address } as const;
  await audit(tx, author, { action: 'member.joined', subject, after }, now);
}

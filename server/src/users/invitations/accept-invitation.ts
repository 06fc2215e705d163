import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SignedIn } from '../../accounts/index.ts';
import { audit } from '../../shared/audit.ts';
import type { Deps } from '../../shared/deps.ts';
import { badRequest, type Fault, refuse } from '../../shared/errors.ts';
import { publicId } from '../../shared/ids.ts';
import type { ControlTx } from '../../shared/postgres/database.ts';
import { isoTime } from '../../shared/time.ts';
import type { Acceptance } from '../contract.ts';
import { createUser, normalizeEmail } from '../create-user.ts';
import { LIMITS } from '../limits.ts';
import { joinAccount } from '../members/accounts.ts';
import { hashSecret, linkInvalid } from '../one-time-links.ts';
import { findUser, findUserByEmail } from '../queries.ts';
import { hashPassword } from '../sign-in/password.ts';
import { credentialsInvalid, type SignIns } from '../sign-in/sign-in.ts';
import { findInvitationByHash, type InvitationRow, markAccepted } from './queries.ts';

/** @throws ApiError 400 `link_invalid` */
export async function inspectInvitation(deps: Deps, token: string) {
  const { account_name: name, role, email, expires_at } = await requireInvitation(deps, token);
  return { account: { name }, role, email, expiresAt: isoTime(expires_at) };
}

/**
 * Makes a user a member: the signed-in user, an existing user with email and password, or, with a name, a new user. The
 * email of an existing user always requires their password.
 * @returns who is signed in afterwards
 * @throws ApiError 400 `link_invalid`, `email_differs`, `already_member`; 401 `credentials_invalid`; 429
 */
export async function acceptInvitation(
  deps: Deps,
  signIns: SignIns,
  signedIn: SignedIn | undefined,
  body: Acceptance,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SignedIn> {
  const { control, clock } = deps;
  const invitation = await requireInvitation(deps, body.token);
  if (body.email === undefined && signedIn) {
    const [user] = await findUser(control, { user_id: signedIn.userId });
    checkEmail(invitation, user?.email ?? '');
    await control.transaction((tx) => join(tx, invitation, signedIn.userId, request.ip, clock()));
    return signedIn;
  }
  const { email, password } = readCredentials(body);
  checkEmail(invitation, email);
  const [known] = await findUserByEmail(control, { email });
  if (known || body.name === undefined) {
    const user = await signIns.signIn(request, reply, { email, password, code: body.code });
    await control.transaction((tx) => join(tx, invitation, user.userId, request.ip, clock()));
    return user;
  }
  const hash = await hashPassword(password);
  const { name } = body;
  await control.transaction(async (tx) => {
    const userId = await createUser(tx, { email, name, hash }, clock());
    if (userId === undefined) throw credentialsInvalid();
    await join(tx, invitation, userId, request.ip, clock());
  });
  return signIns.signInAgain(request, reply, email, password);
}

async function requireInvitation({ control, clock }: Deps, token: string) {
  const [row] = await findInvitationByHash(control, { hash: hashSecret(token), now: new Date(clock()) });
  if (!row) throw linkInvalid();
  return row;
}

/** The rules for a new user are checked before the email is looked up, so that the faults do not reveal who is a user. */
function readCredentials({ email, password, name }: Acceptance): { email: string; password: string } {
  const faults: Fault[] = [];
  const add = (member: string, code: string, detail: string) => faults.push({ pointer: `/${member}`, code, detail });
  if (email === undefined) add('email', 'required', 'The email is required.');
  if (password === undefined) add('password', 'required', 'The password is required.');
  else if (name !== undefined && password.length < LIMITS.minPasswordLength) {
    add('password', 'too_short', `The password must have at least ${LIMITS.minPasswordLength} characters.`);
  } else if (name !== undefined && password.length > LIMITS.passwordLength) {
    add('password', 'too_long', `The password must have at most ${LIMITS.passwordLength} characters.`);
  }
  refuse(faults);
  return { email: normalizeEmail(email ?? ''), password: password ?? '' };
}

function checkEmail(invitation: InvitationRow, email: string): void {
  if (invitation.email === null || invitation.email === email) return;
  throw badRequest('email_differs', 'The invitation is for another email. Sign in with the invited email.');
}

async function join(
  tx: ControlTx,
  { account_id, id, role, area }: InvitationRow,
  user_id: string,
  address: string,
  now: number,
) {
  const [accepted] = await markAccepted(tx, { account_id, id, user_id, now: new Date(now) });
  if (!accepted) throw linkInvalid();
  if (!(await joinAccount(tx, account_id, user_id, { role, area }, now))) {
    throw badRequest('already_member', 'You are already a member of this account.');
  }
  const subject = ['member', publicId('usr', user_id)] as const;
  const after = { role, area, invitationId: publicId('inv', id) };
  const author = { accountId: account_id, type: 'user', id: user_id, address } as const;
  await audit(tx, author, { action: 'member.joined', subject, after }, now);
}

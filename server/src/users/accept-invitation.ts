import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SignedIn } from '../accounts/index.ts';
import { audit } from '../shared/audit.ts';
import type { Deps } from '../shared/deps.ts';
import { badRequest, type Fault, refuse } from '../shared/errors.ts';
import { publicId } from '../shared/ids.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { isoTime } from '../shared/time.ts';
import { type Acceptance, MAX_PASSWORD, MIN_PASSWORD } from './contract.ts';
import { createUser } from './create-user.ts';
import { acceptInvitation, findInvitationByHash, type InvitationRow } from './invitation-queries.ts';
import { hashSecret, linkInvalid } from './one-time-link.ts';
import { hashPassword } from './password.ts';
import { dropLinks, findUser, findUserByEmail, insertMember, lockUser } from './queries.ts';
import { credentialsInvalid, plainEmail, type SignIns } from './sign-in.ts';

/** @throws ApiError 400 `link_invalid` */
export async function inspectInvitation(deps: Deps, token: string) {
  const { account_name: name, role, email, expires_at } = await find(deps, token);
  return { account: { name }, role, email, expiresAt: isoTime(expires_at) };
}

/**
 * Makes a user a member by an invitation's link: the one who is signed in, or who has the e-mail and password; with a
 * name, a new one. An e-mail that has a user needs its password, whatever else was sent.
 * @returns who is signed in
 * @throws ApiError 400 `link_invalid`, `email_differs`, `already_member`; 401 `credentials_invalid`; 429
 */
export async function accept(
  deps: Deps,
  signIns: SignIns,
  signedIn: SignedIn | undefined,
  body: Acceptance,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SignedIn> {
  const invitation = await find(deps, body.token);
  if (body.email === undefined && signedIn) {
    const [user] = await findUser(deps.db, signedIn.userId);
    checkEmail(invitation, user?.email ?? '');
    await deps.db.transaction((tx) => join(deps, tx, invitation, signedIn.userId, request.ip));
    return signedIn;
  }
  const { email, password } = read(body);
  checkEmail(invitation, email);
  const [known] = await findUserByEmail(deps.db, email);
  if (known || body.name === undefined) {
    const who = await signIns.signIn(request, reply, email, password);
    await deps.db.transaction((tx) => join(deps, tx, invitation, who.userId, request.ip));
    return who;
  }
  const hash = await hashPassword(password);
  const { name } = body;
  await deps.db.transaction(async (tx) => {
    const userId = await createUser(tx, { email, name, hash }, deps.clock());
    if (userId === undefined) throw credentialsInvalid();
    await join(deps, tx, invitation, userId, request.ip);
  });
  return signIns.signInAgain(request, reply, email, password);
}

async function find({ db, clock }: Deps, token: string) {
  const [row] = await findInvitationByHash(db, hashSecret(token), new Date(clock()));
  if (!row) throw linkInvalid();
  return row;
}

/** What was sent for a new user is checked before it is looked whether there is one: the faults tell nothing of that. */
function read({ email, password, name }: Acceptance): { email: string; password: string } {
  const faults: Fault[] = [];
  const missing = (member: string) => faults.push({ pointer: `/${member}`, code: 'required', detail: 'is required' });
  const wrong = (code: string, detail: string) => faults.push({ pointer: '/password', code, detail });
  if (email === undefined) missing('email');
  if (password === undefined) missing('password');
  else if (name !== undefined && password.length < MIN_PASSWORD) {
    wrong('too_short', `must have at least ${MIN_PASSWORD} characters`);
  } else if (name !== undefined && password.length > MAX_PASSWORD) {
    wrong('too_long', `must have at most ${MAX_PASSWORD} characters`);
  }
  refuse(faults);
  return { email: plainEmail(email ?? ''), password: password ?? '' };
}

function checkEmail(invitation: InvitationRow, email: string): void {
  if (invitation.email === null || invitation.email === email) return;
  throw badRequest('email_differs', 'The invitation is for another e-mail.');
}

async function join({ clock }: Deps, tx: Tx, invitation: InvitationRow, userId: string, address: string) {
  const now = clock();
  const { account_id: accountId, id, role } = invitation;
  const [accepted] = await acceptInvitation(tx, accountId, id, new Date(now), userId);
  if (!accepted) throw linkInvalid();
  // A reset link was made by who owned all accounts of the user, which is so no more.
  await lockUser(tx, userId);
  await dropLinks(tx, 'reset', userId);
  const [member] = await insertMember(tx, accountId, userId, role, new Date(now));
  if (!member) throw badRequest('already_member', 'You are a member of this account already.');
  const subject = ['member', publicId('usr', userId)] as const;
  const after = { role, invitationId: publicId('inv', id) };
  await audit(tx, { accountId, kind: 'user', id: userId, address }, { action: 'member.joined', subject, after }, now);
}
